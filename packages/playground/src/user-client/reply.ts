/** What a person sees become of what they typed, pressed or sent. */
import type { APIMessage } from "discord-api-types/v10";
import { MessageFlags } from "discord-api-types/v10";
import { LRUCache } from "lru-cache";
import type { PageEvent, PageModal } from "../page-contract.ts";

const REPLY_WITHIN_MS = 30_000;
/** Interactions whose history is kept; a person who types more than this does not look back further. */
const HISTORY_MAX = 10_000;
/** Of one message, how many of the presses that change it are followed. */
const CHANGING_MAX = 100;

/** What a person saw of the reply, and when. */
type ReplyState = { readonly atMs: number } & (
	| { readonly kind: "thinking" | "message"; readonly message: APIMessage }
	| { readonly kind: "deleted"; readonly messageId: string }
	| { readonly kind: "failed"; readonly reason: string }
);

export interface Reply {
	readonly interactionId: string;
	/**
	 * Every state of the reply itself, oldest first; the messages that follow it up are not among them. Where the answer
	 * to a button is to change its message, that message is the reply.
	 */
	readonly states: readonly ReplyState[];
	/** The reply as it stands; undefined before there is one and after it was deleted. */
	readonly message: () => APIMessage | undefined;
	/** The reply and what followed it up, as they stand, oldest first. */
	readonly messages: () => APIMessage[];
	/** Resolves with the modal that the bot opens; rejects when the interaction fails or `timeoutMs` have passed. */
	readonly modal: (timeoutMs?: number) => Promise<PageModal>;
	/** Resolves once the bot has answered, in whatever way; rejects when the interaction fails. */
	readonly answered: (timeoutMs?: number) => Promise<void>;
	/** Why there will be no reply, where there will be none. */
	readonly failure: () => string | undefined;
	/**
	 * Resolves with the first state of the reply, past or to come, that satisfies `predicate`; without one, with the
	 * first that is not "thinking" any longer. Rejects when the interaction fails or `timeoutMs` have passed.
	 */
	readonly until: (predicate?: (message: APIMessage) => boolean, timeoutMs?: number) => Promise<APIMessage>;
}

interface History {
	readonly states: ReplyState[];
	readonly messages: Map<string, APIMessage>;
	readonly watchers: Set<() => void>;
	answer?: PageEvent & { readonly type: "interactionAnswered" };
}

export interface Histories {
	readonly see: (event: PageEvent) => void;
	/** A message read again after the events were lost for a while: seen only if it is not as it was. */
	readonly catchUp: (message: APIMessage) => void;
	readonly reply: (interactionId: string, over: AbortSignal) => Reply;
}

export function createHistories(): Histories {
	const histories = new LRUCache<string, History>({ max: HISTORY_MAX });
	/** By the message that they change: what became of buttons and menus on it. */
	const changing = new Map<string, readonly History[]>();

	function historyOf(interactionId: string): History {
		const known = histories.get(interactionId);
		if (known) return known;
		const history: History = { states: [], messages: new Map(), watchers: new Set() };
		histories.set(interactionId, history);
		return history;
	}

	function note(history: History, message: APIMessage, atMs: number): void {
		history.states.push({ atMs, kind: isSettled(message) ? "message" : "thinking", message });
		wake(history);
	}

	function see(event: PageEvent): void {
		const atMs = Date.now();
		if (event.type === "message") {
			const { message } = event;
			const own = message.interaction_metadata && historyOf(message.interaction_metadata.id);
			if (own) own.messages.set(message.id, message);
			if (own && !isFollowUp(message)) note(own, message, atMs);
			for (const history of changing.get(message.id) ?? []) {
				history.messages.set(message.id, message);
				note(history, message, atMs);
			}
			if (own) wake(own);
		}
		if (event.type === "interactionAnswered") {
			const history = historyOf(event.interactionId);
			history.answer = event;
			const { messageId } = event;
			if (messageId !== null && !history.messages.has(messageId))
				changing.set(messageId, [...(changing.get(messageId) ?? []), history].slice(-CHANGING_MAX));
			wake(history);
		}
		if (event.type === "messageDelete") {
			for (const history of histories.values()) {
				const message = history.messages.get(event.messageId);
				if (!message) continue;
				history.messages.delete(event.messageId);
				const isReply = history.answer?.messageId === event.messageId || !isFollowUp(message);
				if (isReply) history.states.push({ atMs, kind: "deleted", messageId: event.messageId });
				wake(history);
			}
			changing.delete(event.messageId);
		}
		if (event.type === "interactionFailed") {
			const history = historyOf(event.interactionId);
			history.states.push({ atMs, kind: "failed", reason: event.reason });
			wake(history);
		}
	}

	function catchUp(message: APIMessage): void {
		const known = histories.get(message.interaction_metadata?.id ?? "")?.messages.get(message.id);
		if (JSON.stringify(known) !== JSON.stringify(message)) see({ type: "message", message });
	}

	return { see, catchUp, reply: (interactionId, over) => replyFor(interactionId, historyOf(interactionId), over) };
}

function replyFor(interactionId: string, history: History, over: AbortSignal): Reply {
	const { states, messages, watchers } = history;
	const failure = (): string | undefined => states.flatMap((state) => (state.kind === "failed" ? state.reason : []))[0];

	/** Waits until `found` finds something; rejects when the interaction fails or the time is over. */
	function wait<Found>(found: () => Found | undefined, timeoutMs: number): Promise<Found> {
		return new Promise((resolve, reject) => {
			const timer = setTimeout(() => done(() => reject(new Error(notSeen(timeoutMs, states)))), timeoutMs);
			const leave = (): void => done(() => reject(over.reason));
			function done(settle: () => void): void {
				clearTimeout(timer);
				watchers.delete(look);
				over.removeEventListener("abort", leave);
				settle();
			}
			function look(): void {
				const seen = found();
				const reason = failure();
				if (seen !== undefined) done(() => resolve(seen));
				else if (reason !== undefined) done(() => reject(new Error(reason)));
			}
			watchers.add(look);
			over.addEventListener("abort", leave, { once: true });
			if (over.aborted) leave();
			else look();
		});
	}

	return {
		interactionId,
		states,
		message: () =>
			messages.get(history.answer?.messageId ?? "") ?? [...messages.values()].find((message) => !isFollowUp(message)),
		messages: () => [...messages.values()],
		failure,
		modal: (timeoutMs = REPLY_WITHIN_MS) => wait(() => history.answer?.modal, timeoutMs),
		answered: async (timeoutMs = REPLY_WITHIN_MS) => void (await wait(() => history.answer, timeoutMs)),
		until(predicate = isSettled, timeoutMs = REPLY_WITHIN_MS) {
			return wait(() => {
				const found = states.find((state) => "message" in state && predicate(state.message));
				return found && "message" in found ? found.message : undefined;
			}, timeoutMs);
		},
	};
}

function notSeen(timeoutMs: number, states: readonly ReplyState[]): string {
	const seen = states.map((state) =>
		"message" in state ? `${state.kind} "${state.message.content.slice(0, 80)}"` : state.kind,
	);
	return `not seen within ${timeoutMs} ms; seen: ${seen.join(", ") || "nothing"}`;
}

function isSettled(message: APIMessage): boolean {
	return ((message.flags ?? 0) & MessageFlags.Loading) === 0;
}

/** What follows a reply up names it. */
function isFollowUp(message: APIMessage): boolean {
	return message.interaction_metadata?.original_response_message_id !== undefined;
}

function wake({ watchers }: History): void {
	for (const look of watchers) look();
}
