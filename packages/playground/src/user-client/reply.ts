/** The outcome of an interaction as the user sees it. */
import type { APIMessage } from "discord-api-types/v10";
import { MessageFlags } from "discord-api-types/v10";
import { LRUCache } from "lru-cache";
import type { PageEvent, PageModal } from "../page-contract.ts";
import { waitUntil } from "./wait-until.ts";

const REPLY_WITHIN_MS = 30_000;
/** The number of interactions whose history is kept. */
const HISTORY_MAX = 10_000;
/** The number of followed component interactions per message. */
const HISTORIES_PER_MESSAGE_MAX = 100;

/** A state of the reply, and its time. */
type ReplyState = { readonly atMs: number } & (
	| { readonly kind: "thinking" | "message"; readonly message: APIMessage }
	| { readonly kind: "deleted"; readonly messageId: string }
	| { readonly kind: "failed"; readonly reason: string }
);

export type Reply = ReturnType<typeof replyFor>;

interface History {
	readonly states: ReplyState[];
	readonly messages: Map<string, APIMessage>;
	readonly watchers: Set<() => void>;
	answer?: PageEvent & { readonly type: "interactionAnswered" };
}

export function createHistories() {
	const histories = new LRUCache<string, History>({ max: HISTORY_MAX });
	/** Interactions that change a message, by its id. */
	const historiesByMessage = new Map<string, readonly History[]>();

	function historyOf(interactionId: string): History {
		const known = histories.get(interactionId);
		if (known) return known;
		const history: History = { states: [], messages: new Map(), watchers: new Set() };
		histories.set(interactionId, history);
		return history;
	}

	function recordState(history: History, message: APIMessage, atMs: number): void {
		history.states.push({ atMs, kind: isSettled(message) ? "message" : "thinking", message });
		notify(history);
	}

	function handleEvent(event: PageEvent): void {
		const atMs = Date.now();
		if (event.type === "message") {
			const { message } = event;
			const own = message.interaction_metadata && historyOf(message.interaction_metadata.id);
			if (own) own.messages.set(message.id, message);
			if (own && !isFollowUp(message)) recordState(own, message, atMs);
			for (const history of historiesByMessage.get(message.id) ?? []) {
				history.messages.set(message.id, message);
				recordState(history, message, atMs);
			}
			if (own) notify(own);
		}
		if (event.type === "interactionAnswered") {
			const history = historyOf(event.interactionId);
			history.answer = event;
			const { messageId } = event;
			if (messageId !== null && !history.messages.has(messageId))
				historiesByMessage.set(
					messageId,
					[...(historiesByMessage.get(messageId) ?? []), history].slice(-HISTORIES_PER_MESSAGE_MAX),
				);
			notify(history);
		}
		if (event.type === "messageDelete") {
			for (const history of histories.values()) {
				const message = history.messages.get(event.messageId);
				if (!message) continue;
				history.messages.delete(event.messageId);
				const isReply = history.answer?.messageId === event.messageId || !isFollowUp(message);
				if (isReply) history.states.push({ atMs, kind: "deleted", messageId: event.messageId });
				notify(history);
			}
			historiesByMessage.delete(event.messageId);
		}
		if (event.type === "interactionFailed") {
			const history = historyOf(event.interactionId);
			history.states.push({ atMs, kind: "failed", reason: event.reason });
			notify(history);
		}
	}

	/** Adds a message that was read again after lost events, if it has changed. */
	function catchUp(message: APIMessage): void {
		const known = histories.get(message.interaction_metadata?.id ?? "")?.messages.get(message.id);
		if (JSON.stringify(known) !== JSON.stringify(message)) handleEvent({ type: "message", message });
	}

	return {
		handleEvent,
		catchUp,
		reply: (interactionId: string, signal: AbortSignal): Reply =>
			replyFor(interactionId, historyOf(interactionId), signal),
	};
}

function replyFor(interactionId: string, history: History, signal: AbortSignal) {
	const { messages, watchers } = history;
	const states: readonly ReplyState[] = history.states;
	/** The reason why there will be no reply; `undefined` otherwise. */
	const failure = (): string | undefined => states.flatMap((state) => (state.kind === "failed" ? state.reason : []))[0];

	/** Waits until `find` returns a value. Rejects when the interaction fails or after the timeout. */
	function wait<Found>(find: () => Found | undefined, timeoutMs: number): Promise<Found> {
		return waitUntil({
			watchers,
			signal,
			timeoutMs,
			timeoutMessage: () => timeoutMessage(timeoutMs, states),
			find() {
				const found = find();
				const reason = failure();
				if (found === undefined && reason !== undefined) throw new Error(reason);
				return found;
			},
		});
	}

	return {
		interactionId,
		/**
		 * Every state of the reply, oldest first, without follow-ups. If the response updates the component's message,
		 * that message is the reply.
		 */
		states,
		/** The current reply; `undefined` before it exists and after its deletion. */
		message: (): APIMessage | undefined =>
			messages.get(history.answer?.messageId ?? "") ?? [...messages.values()].find((message) => !isFollowUp(message)),
		/** The current reply and its follow-ups, oldest first. */
		messages: (): APIMessage[] => [...messages.values()],
		failure,
		/** Resolves to the modal that the bot opens. Rejects when the interaction fails or after `timeoutMs`. */
		modal: (timeoutMs = REPLY_WITHIN_MS): Promise<PageModal> => wait(() => history.answer?.modal, timeoutMs),
		/** Resolves after any response of the bot. Rejects when the interaction fails. */
		answered: async (timeoutMs = REPLY_WITHIN_MS): Promise<void> => void (await wait(() => history.answer, timeoutMs)),
		/**
		 * Resolves to the first state of the reply, past or future, that satisfies `predicate`; by default the first that
		 * is not "thinking". Rejects when the interaction fails or after `timeoutMs`.
		 */
		until(predicate: (message: APIMessage) => boolean = isSettled, timeoutMs = REPLY_WITHIN_MS): Promise<APIMessage> {
			return wait(() => {
				const found = states.find((state) => "message" in state && predicate(state.message));
				return found && "message" in found ? found.message : undefined;
			}, timeoutMs);
		},
	};
}

function timeoutMessage(timeoutMs: number, states: readonly ReplyState[]): string {
	const seen = states.map((state) =>
		"message" in state ? `${state.kind} "${state.message.content.slice(0, 80)}"` : state.kind,
	);
	return `not seen within ${timeoutMs} ms; seen: ${seen.join(", ") || "nothing"}`;
}

function isSettled(message: APIMessage): boolean {
	return ((message.flags ?? 0) & MessageFlags.Loading) === 0;
}

/** A follow-up refers to the reply. */
function isFollowUp(message: APIMessage): boolean {
	return message.interaction_metadata?.original_response_message_id !== undefined;
}

function notify({ watchers }: History): void {
	for (const check of watchers) check();
}
