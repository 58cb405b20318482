/** The permissions that writing in a channel needs: the same for members and the bot. */
import { PermissionFlagsBits as Permission } from "discord-api-types/v10";
import type { Channel } from "./documents.ts";

const NEEDED = {
	write: Permission.SendMessages,
	files: Permission.AttachFiles,
	embeds: Permission.EmbedLinks,
	poll: Permission.SendPolls,
	/** Replies and reactions also show an earlier message. */
	history: Permission.ReadMessageHistory,
	reaction: Permission.AddReactions,
	publicThread: Permission.CreatePublicThreads,
	privateThread: Permission.CreatePrivateThreads,
} as const;

type Part = keyof typeof NEEDED;
/** The parts of a message, or another action, to check. */
export type PostingParts = Readonly<Partial<Record<Part, boolean>>>;
export type PostingProblem = Part | "locked";

/** Returns the first of these parts that the permissions in the channel do not allow, or whether the thread is locked. */
export function postingProblem(channel: Channel, permissions: bigint, parts: PostingParts): PostingProblem | undefined {
	const thread = channel.kind === "guild" ? channel.thread : undefined;
	const needed = thread ? { ...NEEDED, write: Permission.SendMessagesInThreads } : NEEDED;
	const isLocked = parts.write && thread?.isLocked && (permissions & Permission.ManageThreads) === 0n;
	const wanted = (Object.keys(NEEDED) as Part[]).filter((part) => parts[part]);
	return wanted.find((part) => (permissions & needed[part]) === 0n) ?? (isLocked ? "locked" : undefined);
}
