import { permissionChannelId } from "../simulator/channels.ts";
import type { Simulator } from "../simulator/simulator.ts";

/** Returns whether the bot sees the channel of an event. What happens in a deleted channel is still reported. */
export function botSees({ channels, installs, overrides }: Simulator, channelId: string): boolean {
	const channel = channels.find(channelId);
	if (channel?.kind !== "guild") return true;
	return installs.isMember(channel.guild) && overrides.accessTo(permissionChannelId(channel)) !== "none";
}
