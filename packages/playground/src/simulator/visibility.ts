import type { SeedUser } from "./seed.ts";
import type { StoredMessage } from "./documents.ts";
import type { Simulator } from "./simulator.ts";

/** Ephemeral messages are visible to their user only, all others to everyone who may read the channel. */
export function seenBy({ channels }: Pick<Simulator, "channels">, user: SeedUser, message: StoredMessage): boolean {
	if (message.visibleTo !== null) return message.visibleTo === user.id;
	const channel = channels.find(message.channelId);
	return channel !== undefined && channels.canRead(channel, user.id);
}
