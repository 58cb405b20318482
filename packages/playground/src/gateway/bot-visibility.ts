import { permissionChannelId } from "../simulator/channels.ts";
import type { Simulator } from "../simulator/simulator.ts";

/** Returns whether the bot sees the channel of an event. Events of a deleted channel are still reported. */
export function botSees({ channels, installs, overrides }: Simulator, channelId: string): boolean {
	const channel = channels.find(channelId);
	if (channel?.kind !== "guild") return true;
	return installs.isMember(channel.guild) && overrides.accessTo(permissionChannelId(channel)) !== "none";
}
