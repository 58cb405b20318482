import { MessageType } from "discord-api-types/v10";
import type { Attachments } from "./attachments.ts";
import type { Core } from "./core.ts";
import type { StoredMessage } from "./documents.ts";

/** A page shows the newest of each channel; bots may edit older ones. */
const MESSAGES_MAX = 5_000;

export type Messages = ReturnType<typeof createMessages>;

/** Returns the fields of a message that a request does not set. */
export function blankMessage(
	channelId: string,
	guildId: string | null,
	authorId: string,
): Omit<StoredMessage, "id" | "createdMs" | "editedMs"> {
	return {
		channelId,
		guildId,
		authorId,
		webhook: null,
		type: MessageType.Default,
		content: "",
		flags: 0,
		tts: false,
		attachments: [],
		embeds: [],
		components: [],
		mentionedUserIds: [],
		mentionedRoleIds: [],
		mentionsEveryone: false,
		visibleTo: null,
		interaction: null,
		nonce: null,
		repliesTo: null,
		reactions: [],
		poll: null,
	};
}

export function createMessages({ clock, snowflakes, events, tables }: Core, attachments: Attachments) {
	const records = tables.messages;
	const newestFirst = (): StoredMessage[] => [...records.values()].toReversed();

	function discard(message: StoredMessage): void {
		records.delete(message.id);
		attachments.remove(message.attachments.map(({ id }) => id));
	}

	function replaceSilently(message: StoredMessage, changes: Partial<StoredMessage>): StoredMessage {
		const changed = { ...message, ...changes };
		records.set(message.id, changed);
		return changed;
	}

	return {
		create(draft: Omit<StoredMessage, "id" | "createdMs" | "editedMs">): StoredMessage {
			const message: StoredMessage = { ...draft, id: snowflakes.next(), createdMs: clock.nowMs(), editedMs: null };
			records.set(message.id, message);
			for (const oldest of records.values()) {
				if (records.size <= MESSAGES_MAX) break;
				discard(oldest);
			}
			events.emit({ type: "messageCreate", message });
			return message;
		},
		/** Replaces the given fields and emits an event. */
		edit(message: StoredMessage, changes: Partial<StoredMessage>): StoredMessage {
			const edited = replaceSilently(message, changes);
			events.emit({ type: "messageUpdate", message: edited, before: message });
			return edited;
		},
		/** Replaces the given fields; the caller emits the event. */
		replaceSilently,
		remove(message: StoredMessage): void {
			discard(message);
			events.emit({ type: "messageDelete", message });
		},
		/** Deletes messages of one channel at once. A single one is deleted as usual. */
		removeAll(removed: readonly StoredMessage[]): void {
			for (const message of removed) discard(message);
			const [only, ...others] = removed;
			if (only && others.length === 0) events.emit({ type: "messageDelete", message: only });
			else if (only) events.emit({ type: "messageDeleteBulk", removed });
		},
		/** Deletes all messages of a channel that was deleted, without events. */
		discardIn(channelId: string): void {
			for (const message of records.values()) if (message.channelId === channelId) discard(message);
		},
		find(channelId: string, messageId: string): StoredMessage | undefined {
			const message = records.get(messageId);
			return message?.channelId === channelId ? message : undefined;
		},
		/** Returns the newest messages that match, at most `messagesMax`, oldest first. */
		newest: (messagesMax: number, matches: (message: StoredMessage) => boolean): StoredMessage[] =>
			newestFirst().values().filter(matches).take(messagesMax).toArray().toReversed(),
		/** Returns the newest messages of each channel that match, oldest first. */
		newestOfEachChannel(messagesMax: number, matches: (message: StoredMessage) => boolean): StoredMessage[] {
			const counts = new Map<string, number>();
			return newestFirst()
				.filter((message) => {
					const count = counts.get(message.channelId) ?? 0;
					if (count === messagesMax || !matches(message)) return false;
					counts.set(message.channelId, count + 1);
					return true;
				})
				.toReversed();
		},
		lastId: (channelId: string): string | null =>
			newestFirst().find((message) => message.channelId === channelId && message.visibleTo === null)?.id ?? null,
		countIn: (channelId: string): number =>
			newestFirst().filter((message) => message.channelId === channelId && message.visibleTo === null).length,
		withNonce: (authorId: string, nonce: string | number, sinceMs: number): StoredMessage | undefined =>
			newestFirst().find(
				(message) =>
					message.authorId === authorId &&
					message.createdMs >= sinceMs &&
					message.nonce !== null &&
					String(message.nonce) === String(nonce),
			),
	};
}
