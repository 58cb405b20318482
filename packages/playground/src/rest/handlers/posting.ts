/** The permissions that writing in a channel needs: the same for members and the bot. */
import { PermissionFlagsBits as Permission } from "discord-api-types/v10";
import { apiErrors } from "../../simulator/api-error.ts";
import { isArchived } from "../../simulator/channels.ts";
import type { Channel } from "../../simulator/documents.ts";
import type { Actor } from "../route.ts";

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
