/** The threads of channels, and their members. Callers check permissions. */
import {
	type APIThreadChannel,
	type APIThreadMember,
	ChannelType,
	type ThreadMemberFlags,
} from "discord-api-types/v10";
import { discordTime, flagsOf } from "./discord-formats.ts";
import type { Thread, ThreadMember } from "./documents.ts";
import type { Members } from "./members.ts";
import type { Messages } from "./messages.ts";
import type { Core } from "./simulator-state.ts";

const AUTO_ARCHIVE_MINUTES = 4_320;
/** Discord counts no further. */
const MEMBER_COUNT_MAX = 50;

export type NewThread = Pick<Thread, "guildId" | "parentId" | "ownerId" | "name"> &
	Partial<Pick<Thread, "autoArchiveMinutes" | "slowmodeS" | "isPrivate" | "isInvitable">>;

export type ThreadChanges = Partial<
	Pick<Thread, "name" | "isArchived" | "isLocked" | "autoArchiveMinutes" | "slowmodeS" | "isInvitable">
>;

export function threadType(thread: Thread): ChannelType.PrivateThread | ChannelType.PublicThread {
	return thread.isPrivate ? ChannelType.PrivateThread : ChannelType.PublicThread;
}

export const isThreadMember = ({ members }: Thread, id: string): boolean => members.some(({ userId }) => userId === id);

export function toThreadMember({ id }: Thread, { userId, joinedMs }: ThreadMember): APIThreadMember {
	return { id, user_id: userId, join_timestamp: discordTime(joinedMs), flags: flagsOf<ThreadMemberFlags>(0) };
}

export type Threads = ReturnType<typeof createThreads>;

export function createThreads(
	{ clock, events, snowflakes, tables: { threads: records } }: Core,
	{ members, messages }: { members: Members; messages: Messages },
) {
	function setMembers(
		thread: Thread,
		changed: readonly ThreadMember[],
		ids: { addedIds?: string[]; removedIds?: string[] },
	): void {
		const next = { ...thread, members: changed };
		records.set(thread.id, next);
		events.emit({ type: "threadMembers", thread: next, isNew: false, addedIds: [], removedIds: [], ...ids });
	}

	function addMember(thread: Thread, userId: string): void {
		if (isThreadMember(thread, userId)) return;
		setMembers(thread, [...thread.members, { userId, joinedMs: clock.nowMs() }], { addedIds: [userId] });
	}

	function removeMember(thread: Thread, userId: string): void {
		const remaining = thread.members.filter((member) => member.userId !== userId);
		if (remaining.length < thread.members.length) setMembers(thread, remaining, { removedIds: [userId] });
	}

	function edit(thread: Thread, changes: ThreadChanges): Thread {
		const isArchivedNow = changes.isArchived ?? thread.isArchived;
		const archiveChangedMs = isArchivedNow === thread.isArchived ? thread.archiveChangedMs : clock.nowMs();
		const edited = { ...thread, ...changes, archiveChangedMs };
		records.set(thread.id, edited);
		events.emit({ type: "threadUpdate", thread: edited });
		return edited;
	}

	// A message unarchives its thread. Its author joins, unless it is of a webhook or responds to an interaction.
	events.listen((event) => {
		if (event.type !== "messageCreate" || event.message.visibleTo !== null) return;
		const { channelId, authorId, interaction, webhook } = event.message;
		const found = records.get(channelId);
		if (!found) return;
		if (found.isArchived) edit(found, { isArchived: false });
		if (!interaction && !webhook) addMember(records.get(channelId) ?? found, authorId);
	});

	// Those who leave the guild also leave its threads.
	events.listen((event) => {
		const isLeaving = event.type === "memberRemove" || (event.type === "bot" && !event.isMember);
		if (!isLeaving) return;
		const userId = event.type === "bot" ? members.bot.id : event.userId;
		for (const thread of records.values()) if (thread.guildId === event.guild.id) removeMember(thread, userId);
	});

	/** The bot's own membership; `undefined` without one. */
	const ownMember = (thread: Thread): APIThreadMember | undefined => {
		const found = thread.members.find(({ userId }) => userId === members.bot.id);
		return found && toThreadMember(thread, found);
	};

	return {
		find: (id: string): Thread | undefined => records.get(id),
		/** Starts a thread, without a message or from a message, whose id the thread then has. The owner is the first member. */
		create(fields: NewThread, messageId?: string): Thread {
			const nowMs = clock.nowMs();
			const thread: Thread = {
				autoArchiveMinutes: AUTO_ARCHIVE_MINUTES,
				slowmodeS: 0,
				isPrivate: false,
				isInvitable: true,
				...fields,
				id: messageId ?? snowflakes.next(),
				createdMs: nowMs,
				isArchived: false,
				archiveChangedMs: nowMs,
				isLocked: false,
				members: [{ userId: fields.ownerId, joinedMs: nowMs }],
			};
			records.set(thread.id, thread);
			const message = messageId === undefined ? undefined : messages.find(fields.parentId, messageId);
			// The message has a flag now.
			if (message) events.emit({ type: "messageUpdate", message });
			events.emit({ type: "threadCreate", thread });
			events.emit({ type: "threadMembers", thread, isNew: true, addedIds: [fields.ownerId], removedIds: [] });
			return thread;
		},
		edit,
		/** Also deletes its messages. */
		remove(thread: Thread): void {
			records.delete(thread.id);
			messages.discardIn(thread.id);
			events.emit({ type: "threadDelete", thread });
		},
		/** Deletes the threads of a channel that was deleted, without events. */
		discardIn(channelId: string): void {
			for (const { id, parentId } of records.values()) {
				if (parentId !== channelId) continue;
				records.delete(id);
				messages.discardIn(id);
			}
		},
		addMember,
		removeMember,
		activeIn: (channelId: string): readonly Thread[] =>
			[...records.values()].filter(({ parentId, isArchived }) => parentId === channelId && !isArchived),
		/** The last archived first. */
		archivedIn: (channelId: string, isInList: (thread: Thread) => boolean): readonly Thread[] =>
			[...records.values()]
				.filter((thread) => thread.parentId === channelId && thread.isArchived && isInList(thread))
				.toSorted((one, other) => other.archiveChangedMs - one.archiveChangedMs),
		ownMember,
		serialize(thread: Thread): APIThreadChannel {
			const { id, guildId, parentId, ownerId, name } = thread;
			const member = ownMember(thread);
			const messageCount = messages.countIn(id);
			return {
				id,
				type: threadType(thread),
				guild_id: guildId,
				name,
				parent_id: parentId,
				owner_id: ownerId,
				last_message_id: messages.lastId(id),
				rate_limit_per_user: thread.slowmodeS,
				message_count: messageCount,
				total_message_sent: messageCount,
				member_count: Math.min(thread.members.length, MEMBER_COUNT_MAX),
				thread_metadata: {
					archived: thread.isArchived,
					archive_timestamp: discordTime(thread.archiveChangedMs),
					auto_archive_duration: thread.autoArchiveMinutes,
					locked: thread.isLocked,
					create_timestamp: discordTime(thread.createdMs),
					...(thread.isPrivate && { invitable: thread.isInvitable }),
				},
				flags: flagsOf(0),
				...(member && { member }),
			};
		},
	};
}
