/** The access of a user of the page. Throws `InvalidInputError` with a message for the user. */
import { type Channel, guildOf } from "./channels.ts";
import type { StoredMessage } from "./documents.ts";
import { InvalidInputError } from "./id-resolver.ts";
import type { SeedUser } from "./seed-from-fixture.ts";
import type { Simulator } from "./simulator.ts";

/** Returns the channel if this user may read it. */
export function readableChannel({ channels }: Simulator, user: SeedUser, channelId: string): Channel {
	const channel = channels.find(channelId);
	if (!channel || !channels.canRead(channel, user.id)) throw new InvalidInputError("Unknown channel.");
	return channel;
}

/** Returns a message of the channel if this user sees it. */
export function readableMessage(
	{ channels, messages }: Simulator,
	user: SeedUser,
	channelId: string,
	messageId: string,
): StoredMessage {
	const found = messages.find(channelId, messageId);
	if (!found || !channels.canSee(found, user.id)) throw new InvalidInputError("This message was deleted.");
	return found;
}

/** Messages in an archived thread cannot be changed, and commands cannot be used there. A new message unarchives it. */
export function checkNotArchived(channel: Channel): void {
	if (channel.kind === "guild" && channel.thread?.isArchived) throw new InvalidInputError("This thread is archived.");
}

/** Members in a timeout, on the playground's clock, read, but neither write nor react nor use commands. */
export function checkNotTimedOut({ members, clock }: Simulator, channel: Channel, user: SeedUser): void {
	const guild = guildOf(channel);
	const untilMs = guild && members.timedOutUntilMs(guild, user.id);
	if (untilMs === undefined || untilMs <= clock.nowMs()) return;
	throw new InvalidInputError(`You are timed out until ${new Date(untilMs).toISOString()}.`);
}
