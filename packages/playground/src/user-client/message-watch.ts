/** The messages that the user sees, for tests that wait for one. */
import type { APIMessage } from "discord-api-types/v10";
import type { PageEvent } from "../page-contract.ts";
import { waitUntil } from "./wait-until.ts";

const WITHIN_MS = 30_000;

export function createMessageWatch(signal: AbortSignal) {
	const messages = new Map<string, APIMessage>();
	const watchers = new Set<() => void>();

	const wait = <Found>(find: () => Found | undefined, timeoutMs: number): Promise<Found> =>
		waitUntil({ watchers, signal, timeoutMs, timeoutMessage: () => timeoutMessage(timeoutMs), find });

	function timeoutMessage(timeoutMs: number): string {
		const shown = [...messages.values()].map(({ author, content }) => `${author.username}: "${content.slice(0, 80)}"`);
		return `not seen within ${timeoutMs} ms; there are: ${shown.join(", ") || "no messages"}`;
	}

	function notify(): void {
		for (const check of watchers) check();
	}

	return {
		handleEvent(event: PageEvent): void {
			if (event.type === "message") messages.set(event.message.id, event.message);
			if (event.type === "messageDelete") messages.delete(event.messageId);
			notify();
		},
		/** Replaces the messages by those of a state: at the start, and after lost events. */
		replace(current: readonly APIMessage[]): void {
			messages.clear();
			for (const message of current) messages.set(message.id, message);
			notify();
		},
		/** Resolves to the first message, present or future, that satisfies `predicate`. Rejects after `timeoutMs`. */
		until: (predicate: (message: APIMessage) => boolean, timeoutMs = WITHIN_MS): Promise<APIMessage> =>
			wait(() => [...messages.values()].find(predicate), timeoutMs),
		/** Resolves when no message with this id is left. Rejects after `timeoutMs`. */
		untilGone: async ({ id }: Pick<APIMessage, "id">, timeoutMs = WITHIN_MS): Promise<void> =>
			void (await wait(() => (messages.has(id) ? undefined : true), timeoutMs)),
	};
}
