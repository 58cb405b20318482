import type { Clock } from "@atelier/common/clock";
import type { Table } from "../document-store.ts";
import type { SimulatorEvents } from "./events.ts";
import type { Snowflakes } from "./discord-values.ts";
import type { StoredMessage } from "./documents.ts";

/** A page shows the last 200; bots may edit older ones. */
const MESSAGES_MAX = 5_000;

export interface Messages {
	readonly create: (message: Omit<StoredMessage, "id" | "createdMs" | "editedMs">) => StoredMessage;
	/** Replaces the given fields and emits an event. */
	readonly edit: (message: StoredMessage, changes: Partial<StoredMessage>) => StoredMessage;
	readonly remove: (message: StoredMessage) => void;
	readonly find: (channelId: string, messageId: string) => StoredMessage | undefined;
	/** Returns the newest `most` messages that match, oldest first. */
	readonly newest: (most: number, matches: (message: StoredMessage) => boolean) => StoredMessage[];
	readonly lastId: (channelId: string) => string | null;
	readonly withNonce: (channelId: string, nonce: string | number, sinceMs: number) => StoredMessage | undefined;
}

export function createMessages(deps: {
	clock: Clock;
	snowflakes: Snowflakes;
	events: SimulatorEvents;
	records: Table<StoredMessage>;
	/** Called with messages that are no longer visible, so that their files can be removed. */
	onRemoved: (message: StoredMessage) => void;
}): Messages {
	const { clock, snowflakes, events, records, onRemoved } = deps;
	const newestFirst = (): StoredMessage[] => [...records.values()].toReversed();

	return {
		create(draft) {
			const message: StoredMessage = { ...draft, id: snowflakes.next(), createdMs: clock.nowMs(), editedMs: null };
			records.set(message.id, message);
			for (const oldest of records.values()) {
				if (records.size <= MESSAGES_MAX) break;
				records.delete(oldest.id);
				onRemoved(oldest);
			}
			events.emit({ type: "messageCreate", message });
			return message;
		},
		edit(message, changes) {
			const edited = { ...message, ...changes };
			records.set(message.id, edited);
			events.emit({ type: "messageUpdate", message: edited });
			return edited;
		},
		remove(message) {
			records.delete(message.id);
			onRemoved(message);
			events.emit({ type: "messageDelete", message });
		},
		find(channelId, messageId) {
			const message = records.get(messageId);
			return message?.channelId === channelId ? message : undefined;
		},
		newest: (most, matches) => newestFirst().filter(matches).slice(0, most).toReversed(),
		lastId: (channelId) =>
			newestFirst().find((message) => message.channelId === channelId && message.visibleTo === null)?.id ?? null,
		withNonce: (channelId, nonce, sinceMs) =>
			newestFirst().find(
				(message) =>
					message.channelId === channelId && message.createdMs >= sinceMs && String(message.nonce) === String(nonce),
			),
	};
}
