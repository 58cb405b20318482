/** The threads of channels, and their members. Callers check permissions. */
import { type APIThreadChannel, type APIThreadMetadata, ChannelType } from "discord-api-types/v10";
import { discordTime, flagsOf } from "./discord-formats.ts";
import type { Thread } from "./documents.ts";
import type { Members } from "./members.ts";
import type { Messages } from "./messages.ts";
import type { Core } from "./core.ts";

const AUTO_ARCHIVE_MINUTES = 4_320;
/** Discord counts no further. */
const MEMBER_COUNT_MAX = 50;

/** The fields of a thread that requests set. Metadata fields are at the top level, as in Discord's requests. */
export type ThreadChanges = Partial<Pick<Thread, "name" | "rate_limit_per_user"> & APIThreadMetadata>;

export type NewThread = ThreadChanges & Pick<Thread, "type" | "guild_id" | "parent_id" | "owner_id" | "name">;

export const isPrivate = ({ type }: Thread): boolean => type === ChannelType.PrivateThread;

export const isThreadMember = ({ members }: Thread, id: string): boolean => members.some((each) => each.user_id === id);

export type Threads = ReturnType<typeof createThreads>;

export function createThreads(
	{ clock, events, snowflakes, tables: { threads: records } }: Core,
	{ members, messages }: { members: Members; messages: Messages },
) {
	function setMembers(
		thread: Thread,
		next: Thread["members"],
		ids: { addedIds?: string[]; removedIds?: string[] },
	): void {
		const changed = { ...thread, members: next };
		records.set(thread.id, changed);
		events.emit({ type: "threadMembers", thread: changed, isNew: false, addedIds: [], removedIds: [], ...ids });
	}

	const newMember = (id: string, user_id: string): Thread["members"][number] => ({
		id,
		user_id,
		join_timestamp: discordTime(clock.nowMs()),
		flags: flagsOf(0),
	});

	function addMember(thread: Thread, userId: string): void {
		if (isThreadMember(thread, userId)) return;
		setMembers(thread, [...thread.members, newMember(thread.id, userId)], { addedIds: [userId] });
	}

	function removeMember(thread: Thread, userId: string): void {
		const remaining = thread.members.filter((member) => member.user_id !== userId);
		if (remaining.length < thread.members.length) setMembers(thread, remaining, { removedIds: [userId] });
	}

	function edit(
		thread: Thread,
		{ name = thread.name, rate_limit_per_user = thread.rate_limit_per_user, ...metadata }: ThreadChanges,
	): Thread {
		const before = thread.thread_metadata;
		const isUnchanged = (metadata.archived ?? before.archived) === before.archived;
		const archive_timestamp = isUnchanged ? before.archive_timestamp : discordTime(clock.nowMs());
		const thread_metadata = { ...before, ...metadata, archive_timestamp };
		const edited = { ...thread, name, rate_limit_per_user, thread_metadata };
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
		if (found.thread_metadata.archived) edit(found, { archived: false });
		if (!interaction && !webhook) addMember(records.get(channelId) ?? found, authorId);
	});

	// Those who leave the guild also leave its threads.
	events.listen((event) => {
		const isLeaving = event.type === "memberRemove" || (event.type === "bot" && !event.isMember);
		if (!isLeaving) return;
		const userId = event.type === "bot" ? members.bot.id : event.userId;
		for (const thread of records.values()) if (thread.guild_id === event.guild.id) removeMember(thread, userId);
	});

	/** The bot's own membership; `undefined` without one. */
	const ownMember = (thread: Thread): Thread["members"][number] | undefined =>
		thread.members.find(({ user_id }) => user_id === members.bot.id);

	return {
		find: (id: string): Thread | undefined => records.get(id),
		/** Starts a thread, without a message or from a message, whose id the thread then has. The owner is the first member. */
		create(fields: NewThread, messageId?: string): Thread {
			const { type, guild_id, parent_id, owner_id, name, rate_limit_per_user = 0, ...metadata } = fields;
			const id = messageId ?? snowflakes.next();
			const nowTime = discordTime(clock.nowMs());
			const thread: Thread = {
				id,
				type,
				guild_id,
				parent_id,
				owner_id,
				name,
				rate_limit_per_user,
				thread_metadata: {
					archived: false,
					archive_timestamp: nowTime,
					auto_archive_duration: AUTO_ARCHIVE_MINUTES,
					locked: false,
					create_timestamp: nowTime,
					...metadata,
				},
				members: [newMember(id, owner_id)],
			};
			records.set(thread.id, thread);
			const message = messageId === undefined ? undefined : messages.find(parent_id, messageId);
			// The message has a flag now.
			if (message) events.emit({ type: "messageUpdate", message, before: message });
			events.emit({ type: "threadCreate", thread });
			events.emit({ type: "threadMembers", thread, isNew: true, addedIds: [owner_id], removedIds: [] });
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
			for (const { id, parent_id } of records.values()) {
				if (parent_id !== channelId) continue;
				records.delete(id);
				messages.discardIn(id);
			}
		},
		addMember,
		removeMember,
		activeIn: (channelId: string): readonly Thread[] =>
			[...records.values()].filter(
				({ parent_id, thread_metadata: { archived } }) => parent_id === channelId && !archived,
			),
		/** The last archived first. */
		archivedIn: (channelId: string, isInList: (thread: Thread) => boolean): readonly Thread[] =>
			[...records.values()]
				.filter((thread) => thread.parent_id === channelId && thread.thread_metadata.archived && isInList(thread))
				.toSorted((one, other) => archivedMs(other) - archivedMs(one)),
		ownMember,
		serialize(thread: Thread): APIThreadChannel {
			const { members: threadMembers, ...fields } = thread;
			const member = ownMember(thread);
			const messageCount = messages.countIn(thread.id);
			return {
				...fields,
				last_message_id: messages.lastId(thread.id),
				message_count: messageCount,
				total_message_sent: messageCount,
				member_count: Math.min(threadMembers.length, MEMBER_COUNT_MAX),
				flags: flagsOf(0),
				...(member && { member }),
			};
		},
	};
}

/** The time at which the thread was last archived or unarchived. */
export function archivedMs({ thread_metadata: { archive_timestamp } }: Thread): number {
	return Date.parse(archive_timestamp);
}
