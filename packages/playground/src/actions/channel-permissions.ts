/**
 * Checks the permissions of the bot, or of a member, in a channel. This folder has the actions of both, with the same
 * rules and Discord's errors.
 */
import { PermissionFlagsBits as Permission } from "discord-api-types/v10";
import { apiErrors } from "../simulator/api-error.ts";
import { isArchived } from "../simulator/channels.ts";
import type { Channel } from "../simulator/documents.ts";
import type { Simulator } from "../simulator/simulator.ts";

/** The bot, or a member on the page, whose actions have the same rules. */
export interface Actor {
	readonly simulator: Simulator;
	/** The bot, also for a request with an access token, or the member. */
	readonly actorId: string;
}

/** Each with its words for people. */
const NEEDED = {
	write: [Permission.SendMessages, "write in"],
	files: [Permission.AttachFiles, "send files in"],
	embeds: [Permission.EmbedLinks, "send embeds in"],
	poll: [Permission.SendPolls, "send polls in"],
	reaction: [Permission.AddReactions, "add reactions in"],
	publicThread: [Permission.CreatePublicThreads, "start threads in"],
	privateThread: [Permission.CreatePrivateThreads, "start private threads in"],
} as const;

export function requireNotArchived(channel: Channel | undefined): void {
	if (isArchived(channel)) throw apiErrors.threadArchived();
}

type Part = keyof typeof NEEDED;
/** The parts of a message, or another action, to check. */
type PostingParts = Readonly<Partial<Record<Part, boolean>>>;

/** Throws Discord's error for the first of these parts that the actor may not post in the channel, or for a locked thread. */
export function requireMayPost({ simulator, actorId }: Actor, channel: Channel, parts: PostingParts): void {
	const permissions = simulator.channels.permissionsIn(channel, actorId);
	const thread = channel.kind === "guild" ? channel.thread : undefined;
	for (const [part, [permission, words]] of Object.entries(NEEDED) as [Part, readonly [bigint, string]][]) {
		const needed = part === "write" && thread ? Permission.SendMessagesInThreads : permission;
		if (parts[part] && (permissions & needed) === 0n)
			throw apiErrors.missingPermissions(`You may not ${words} this channel.`);
	}
	if (parts.write && thread?.thread_metadata.locked && (permissions & Permission.ManageThreads) === 0n)
		throw apiErrors.threadLocked();
}

/** Returns the channel if the actor sees it. */
export function readableChannel({ simulator: { channels }, actorId }: Actor, channelId: string): Channel {
	const channel = channels.find(channelId);
	if (!channel) throw apiErrors.unknownChannel();
	if (!channels.canRead(channel, actorId)) throw apiErrors.missingAccess();
	return channel;
}

export function hasPermission({ simulator, actorId }: Actor, channel: Channel, permission: bigint): boolean {
	return (simulator.channels.permissionsIn(channel, actorId) & permission) !== 0n;
}

/** Direct messages have no moderation. `text` tells people what they lack. */
export function requireChannelPermission(actor: Actor, channel: Channel, permission: bigint, text?: string): void {
	if (hasPermission(actor, channel, permission)) return;
	throw channel.kind === "direct" ? apiErrors.notInDirectMessages(text) : apiErrors.missingPermissions(text);
}

/** Unlike for other permissions, Discord hides the messages. */
export function requireHistory(actor: Actor, channel: Channel): void {
	if (!hasPermission(actor, channel, Permission.ReadMessageHistory))
		throw apiErrors.missingAccess("You may not read the history of this channel.");
}
