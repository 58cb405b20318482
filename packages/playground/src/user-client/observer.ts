/** The messages and the outcomes of interactions that the user sees, for tests that wait for them. */
import type { APIMessage } from "discord-api-types/v10";
import { MessageFlags } from "discord-api-types/v10";
import { LRUCache } from "lru-cache";
import type { PageChange, PageEvent, PageModal } from "../page/page-contract.ts";
import { CHANNEL_MESSAGES_MAX } from "../limits.ts";
import { compareSnowflakes } from "../simulator/discord-formats.ts";

/** Long enough for a bot that converts a file on a busy machine. */
const WITHIN_MS = 60_000;
/** The number of interactions whose history is kept. */
const HISTORIES_MAX = 10_000;
/** The number of followed component interactions per message. */
const HISTORIES_PER_MESSAGE_MAX = 100;

/** A state of the reply, and its time. */
type ReplyState = { readonly atMs: number } & (
	| { readonly kind: "thinking" | "message"; readonly message: APIMessage }
	| { readonly kind: "deleted"; readonly messageId: string }
	| { readonly kind: "failed"; readonly reason: string }
);

interface History {
	readonly states: ReplyState[];
	/** The ids of the reply and of its follow-ups, oldest first. */
	readonly messageIds: Set<string>;
	answer?: PageEvent & { readonly type: "interactionAnswered" };
}

/** The outcome of an interaction. Its waits reject when the interaction fails or after `timeoutMs`. */
export interface Reply {
	readonly interactionId: string;
	/**
	 * The states of the reply that the observer has seen, oldest first, without follow-ups. If the response updates the
	 * component's message, that message is the reply.
	 */
	readonly states: readonly ReplyState[];
	/** Returns the current reply; `undefined` before it exists and after its deletion. */
	message(): APIMessage | undefined;
	/** Returns the current reply and its follow-ups, oldest first. */
	messages(): readonly APIMessage[];
	/** Returns the reason why there will be no reply; `undefined` otherwise. */
	failure(): string | undefined;
	/** Resolves to the modal that the bot opens. */
	modal(timeoutMs?: number): Promise<PageModal>;
	/** Resolves after any response of the bot. */
	answered(timeoutMs?: number): Promise<void>;
	/** Resolves to the first state of the reply, past or future, that satisfies `predicate`; by default one that is not "thinking". */
	until(predicate?: (message: APIMessage) => boolean, timeoutMs?: number): Promise<APIMessage>;
}

export function createObserver(signal: AbortSignal) {
	const messages = new Map<string, APIMessage>();
	const histories = new LRUCache<string, History>({ max: HISTORIES_MAX });
	/** The interactions with components that changed a message, by its id. */
	const historiesByMessage = new Map<string, readonly History[]>();
	/** Called after each event. */
	const watchers = new Set<() => void>();

	function historyOf(interactionId: string): History {
		const history = histories.get(interactionId) ?? { states: [], messageIds: new Set() };
		histories.set(interactionId, history);
		return history;
	}

	/** The histories that contain a message, and whether it is a reply there: a follow-up is not. */
	function historiesOf(message: APIMessage): { readonly history: History; readonly isReply: boolean }[] {
		const { interaction_metadata: metadata } = message;
		const isReply = metadata?.original_response_message_id === undefined;
		const changed = (historiesByMessage.get(message.id) ?? []).map((history) => ({ history, isReply: true }));
		return metadata ? [{ history: historyOf(metadata.id), isReply }, ...changed] : changed;
	}

	function record(event: PageChange): void {
		const atMs = Date.now();
		if (event.type === "message") {
			const { message } = event;
			messages.set(message.id, message);
			const kind = isSettled(message) ? "message" : "thinking";
			for (const { history, isReply } of historiesOf(message)) {
				history.messageIds.add(message.id);
				if (isReply) history.states.push({ atMs, kind, message });
			}
		} else if (event.type === "messageDelete") {
			const { messageId } = event;
			const message = messages.get(messageId);
			for (const { history, isReply } of message ? historiesOf(message) : [])
				if (isReply) history.states.push({ atMs, kind: "deleted", messageId });
			messages.delete(messageId);
			historiesByMessage.delete(messageId);
		} else if (event.type === "interactionAnswered") {
			const { messageId } = event;
			const history = historyOf(event.interactionId);
			history.answer = event;
			// Depends on the order of events: a new reply arrives before this one, so it is in the history. Any other message
			// existed before, and the interaction updates it.
			if (messageId !== null && !history.messageIds.has(messageId)) {
				const others = historiesByMessage.get(messageId) ?? [];
				historiesByMessage.set(messageId, [...others, history].slice(-HISTORIES_PER_MESSAGE_MAX));
			}
		} else if (event.type === "interactionFailed") {
			historyOf(event.interactionId).states.push({ atMs, kind: "failed", reason: event.reason });
		}
	}

	/** Replaces the known messages by those of a state: at the start, and after lost events. */
	function catchUp(current: readonly APIMessage[]): void {
		const ids = new Set(current.map(({ id }) => id));
		const byChannel = Map.groupBy(current, ({ channel_id: channelId }) => channelId);
		for (const { id, channel_id: channelId } of messages.values()) {
			const inChannel = byChannel.get(channelId) ?? [];
			// A full list has no room for older messages, which may still exist.
			const oldestId = inChannel.length < CHANNEL_MESSAGES_MAX ? "0" : (inChannel[0]?.id ?? "0");
			const isDeleted = !ids.has(id) && compareSnowflakes(id, oldestId) > 0;
			if (isDeleted) record({ type: "messageDelete", channelId, messageId: id });
		}
		for (const message of current)
			if (JSON.stringify(messages.get(message.id)) !== JSON.stringify(message)) record({ type: "message", message });
	}

	function handleEvent(event: PageEvent): void {
		if (event.type === "state") catchUp(event.state.messages);
		else record(event);
		for (const check of watchers) check();
	}

	/** Resolves to the first value of `find`, now or after an event. Rejects with its error, after `timeoutMs`, or with the signal. */
	async function waitUntil<Found>(
		find: () => Found | undefined,
		timeoutMs: number,
		seen: () => string,
	): Promise<Found> {
		const { promise, resolve, reject } = Promise.withResolvers<Found>();
		const check = (): void => {
			try {
				const found = find();
				if (found !== undefined) resolve(found);
			} catch (error) {
				reject(error);
			}
		};
		const abort = (): void => reject(signal.reason);
		const timer = setTimeout(() => reject(new Error(`not seen within ${timeoutMs} ms; seen: ${seen()}`)), timeoutMs);
		watchers.add(check);
		signal.addEventListener("abort", abort, { once: true });
		if (signal.aborted) abort();
		else check();
		return await promise.finally(() => {
			clearTimeout(timer);
			watchers.delete(check);
			signal.removeEventListener("abort", abort);
		});
	}

	function wait<Found>(find: () => Found | undefined, timeoutMs: number): Promise<Found> {
		return waitUntil(find, timeoutMs, () => [...messages.values()].map(summaryOf).join(", ") || "no messages");
	}

	return {
		handleEvent,
		/** Resolves to the first message, present or future, that satisfies `predicate`. Rejects after `timeoutMs`. */
		untilMessage: (predicate: (message: APIMessage) => boolean, timeoutMs = WITHIN_MS): Promise<APIMessage> =>
			wait(() => [...messages.values()].find(predicate), timeoutMs),
		/** Resolves when no message with this id is left. Rejects after `timeoutMs`. */
		untilGone: async ({ id }: Pick<APIMessage, "id">, timeoutMs = WITHIN_MS): Promise<void> =>
			void (await wait(() => (messages.has(id) ? undefined : true), timeoutMs)),
		reply(interactionId: string): Reply {
			const history = historyOf(interactionId);
			const states: readonly ReplyState[] = history.states;
			const shown = (): APIMessage[] => [...history.messageIds].flatMap((id) => messages.get(id) ?? []);
			const failure = (): string | undefined => states.find((state) => state.kind === "failed")?.reason;
			function waitForReply<Found>(find: () => Found | undefined, timeoutMs = WITHIN_MS): Promise<Found> {
				const findOrFail = (): Found | undefined => {
					const found = find();
					const reason = failure();
					if (found === undefined && reason !== undefined) throw new Error(reason);
					return found;
				};
				return waitUntil(findOrFail, timeoutMs, () => states.map(stateSummary).join(", ") || "nothing");
			}
			return {
				interactionId,
				states,
				message: () =>
					shown().find(({ id }) => id === history.answer?.messageId) ??
					shown().find((message) => message.interaction_metadata?.original_response_message_id === undefined),
				messages: shown,
				failure,
				modal: (timeoutMs) => waitForReply(() => history.answer?.modal, timeoutMs),
				answered: async (timeoutMs) => void (await waitForReply(() => history.answer, timeoutMs)),
				until: (predicate = isSettled, timeoutMs) =>
					waitForReply(
						() => states.flatMap((state) => ("message" in state && predicate(state.message) ? state.message : []))[0],
						timeoutMs,
					),
			};
		},
	};
}

function summaryOf({ author, content }: APIMessage): string {
	return `${author.username}: "${content.slice(0, 80)}"`;
}

function stateSummary(state: ReplyState): string {
	return "message" in state ? `${state.kind} ${summaryOf(state.message)}` : state.kind;
}

function isSettled({ flags }: APIMessage): boolean {
	return ((flags ?? 0) & MessageFlags.Loading) === 0;
}
