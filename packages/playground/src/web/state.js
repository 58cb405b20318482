/**
 * What the page knows, and how each event changes it. Pure: a state and an event in, the next state out.
 *
 * The server's snapshot is the truth; events keep it fresh. After every reconnection a new snapshot replaces what the
 * page had, so a missed event can never leave it wrong for long.
 *
 * @import { APIMessage } from "discord-api-types/v10"
 * @import { PageEvent, PageState } from "../page-contract.ts"
 */
import { snowflakeTimeMs } from "./time.js";

/**
 * One option as the person gave it, in words.
 *
 * @typedef {{ readonly name: string, readonly text: string }} ShownOption
 */

/**
 * A command this person sent from this browser. `interactionId` is null until the server has taken it; `settled` means
 * that nobody waits for it any more, and that it only serves to tell what an answer answers.
 *
 * @typedef {{
 *   readonly key: string,
 *   readonly channelId: string,
 *   readonly command: string,
 *   readonly options: readonly ShownOption[],
 *   readonly interactionId: string | null,
 *   readonly settled: boolean,
 *   readonly isMenu?: boolean,
 * }} Invocation
 */

/**
 * What this person last used on a message: a button, or a menu with what was chosen in it. `failure` says why nothing came
 * of it; until then, or until the bot answers, the control is busy.
 *
 * @typedef {{
 *   readonly key: string,
 *   readonly messageId: string,
 *   readonly customId: string,
 *   readonly values: readonly string[] | null,
 *   readonly interactionId: string | null,
 *   readonly failure: string | null,
 * }} Press
 */

/** @typedef {{ readonly interactionId: string, readonly reason: string, readonly channelId: string | null, readonly kind: "command" | "component" }} Failure */
/** @typedef {"connecting" | "live" | "lost"} Connection */

/**
 * @typedef {{
 *   readonly page: PageState | null,
 *   readonly connection: Connection,
 *   readonly channelId: string | null,
 *   readonly unread: ReadonlySet<string>,
 *   readonly invocations: readonly Invocation[],
 *   readonly failures: readonly Failure[],
 *   readonly presses: readonly Press[],
 *   readonly answered: readonly string[],
 *   readonly dismissed: ReadonlySet<string>,
 * }} ViewState
 */

/**
 * @typedef {PageEvent
 *   | { readonly type: "snapshot", readonly page: PageState, readonly nowMs: number }
 *   | { readonly type: "connection", readonly connection: Connection }
 *   | { readonly type: "channel", readonly channelId: string }
 *   | { readonly type: "invoked", readonly invocation: Invocation }
 *   | { readonly type: "accepted", readonly key: string, readonly interactionId: string }
 *   | { readonly type: "rejected", readonly key: string }
 *   | { readonly type: "pressed", readonly press: Press }
 *   | { readonly type: "pressAccepted", readonly key: string, readonly interactionId: string }
 *   | { readonly type: "pressRefused", readonly key: string, readonly reason: string }
 *   | { readonly type: "dismiss", readonly id: string }
 *   | { readonly type: "reset" }} ViewEvent
 */

/**
 * One row of the conversation.
 *
 * @typedef {{ kind: "message", id: string, message: APIMessage, invocation: Invocation | null, press: Press | null }
 *   | { kind: "pending", id: string, invocation: Invocation }
 *   | { kind: "failed", id: string, reason: string, invocation: Invocation | null }} Row
 */

/** Discord's three seconds, and time for the news to travel. */
const ANSWER_TIMEOUT_MS = 6_000;
const MESSAGES_MAX = 500;
const INVOCATIONS_MAX = 100;

/** @type {ViewState} */
export const EMPTY_STATE = {
	page: null,
	connection: "connecting",
	channelId: null,
	unread: new Set(),
	invocations: [],
	failures: [],
	presses: [],
	answered: [],
	dismissed: new Set(),
};

/**
 * @param {ViewState} state
 * @param {ViewEvent} event
 * @returns {ViewState}
 */
export function reduce(state, event) {
	switch (event.type) {
		case "snapshot":
			return withSnapshot(state, event.page, event.nowMs);
		case "message":
			return withMessage(state, event.message);
		case "messageDelete":
			return withPage(state, (page) => ({
				...page,
				messages: page.messages.filter(({ id }) => id !== event.messageId),
			}));
		case "commands":
			return withPage(state, (page) => ({ ...page, commands: event.commands }));
		case "people":
			return withPage(state, (page) => ({
				...page,
				me: event.me,
				members: event.members,
				guildLocale: event.guildLocale,
				mayManageBot: event.mayManageBot,
				servers: event.servers,
				serversUnshown: event.serversUnshown,
				commands: event.commands,
			}));
		case "channels":
			return withPage(state, (page) => ({ ...page, channels: event.channels }));
		case "presence":
			return withPage(state, (page) => ({ ...page, bot: { ...page.bot, online: event.online } }));
		case "interactionAnswered":
			return withAnswer(state, event);
		case "interactionFailed":
			return event.kind === "modal" ? state : withFailure(state, event.interactionId, event.reason, event.kind);
		case "connection":
			return { ...state, connection: event.connection };
		case "channel":
			return { ...state, channelId: event.channelId, unread: without(state.unread, event.channelId) };
		case "invoked":
			return { ...state, invocations: [...state.invocations, event.invocation].slice(-INVOCATIONS_MAX) };
		case "accepted":
			return {
				...state,
				invocations: state.invocations.map((one) =>
					one.key === event.key
						? {
								...one,
								interactionId: event.interactionId,
								settled: one.settled || state.answered.includes(event.interactionId),
							}
						: one,
				),
			};
		case "pressed":
			return {
				...state,
				presses: [...state.presses.filter(({ messageId }) => messageId !== event.press.messageId), event.press],
			};
		case "pressAccepted":
			return withPressAccepted(state, event.key, event.interactionId);
		case "pressRefused":
			return withPress(state, ({ key }) => key === event.key, event.reason);
		case "rejected":
			return { ...state, invocations: state.invocations.filter(({ key }) => key !== event.key) };
		case "dismiss":
			return { ...state, dismissed: new Set([...state.dismissed, event.id]) };
		case "reset":
			return { ...EMPTY_STATE, channelId: state.channelId, invocations: settledOf(state.invocations) };
	}
}

/**
 * The conversation of the open channel, oldest first: messages, commands on their way, and commands that failed.
 *
 * @param {ViewState} state
 * @returns {Row[]}
 */
export function rowsOf(state) {
	const { page, channelId } = state;
	if (!page || !channelId) return [];
	const byInteraction = new Map(state.invocations.map((one) => [one.interactionId ?? one.key, one]));
	const answered = new Set(page.messages.map(interactionIdOf));
	const failed = new Set(state.failures.map(({ interactionId }) => interactionId));

	/** @type {Row[]} */
	const messages = page.messages
		.filter((message) => message.channel_id === channelId)
		.map((message) => ({
			kind: "message",
			id: message.id,
			message,
			invocation: byInteraction.get(interactionIdOf(message) ?? "") ?? null,
			press: state.presses.find(({ messageId }) => messageId === message.id) ?? null,
		}));
	/** @type {Row[]} */
	const failures = state.failures
		.filter(({ kind, interactionId }) => kind === "command" && !answered.has(interactionId))
		.map(({ interactionId, reason, channelId: failedIn }) => {
			const invocation = byInteraction.get(interactionId) ?? null;
			return {
				row: { kind: /** @type {const} */ ("failed"), id: interactionId, reason, invocation },
				in: invocation?.channelId ?? failedIn,
			};
		})
		.filter((failure) => failure.in === channelId)
		.map(({ row }) => row);
	/** @type {Row[]} */
	const pending = state.invocations
		.filter((one) => one.channelId === channelId && !one.settled)
		.filter(
			({ interactionId }) => interactionId === null || !(answered.has(interactionId) || failed.has(interactionId)),
		)
		.map((invocation) => ({ kind: "pending", id: invocation.key, invocation }));

	const settled = [...messages, ...failures].filter(({ id }) => !state.dismissed.has(id));
	return [...settled.toSorted((one, other) => compareIds(one.id, other.id)), ...pending];
}

/**
 * The interaction a message answers, or undefined.
 *
 * @param {APIMessage} message
 */
function interactionIdOf(message) {
	return message.interaction_metadata?.id ?? message.interaction?.id;
}

/**
 * Snowflakes in the order they were made.
 *
 * @param {string} one
 * @param {string} other
 */
function compareIds(one, other) {
	if (one.length !== other.length) return one.length - other.length;
	return one < other ? -1 : Number(one > other);
}

/**
 * What can be kept for later: commands whose answers can still be recognised, with nobody waiting for them.
 *
 * @param {readonly Invocation[]} invocations
 */
export function settledOf(invocations) {
	return invocations.filter(({ interactionId }) => interactionId !== null).map((one) => ({ ...one, settled: true }));
}

/**
 * @param {ViewState} state
 * @param {PageState} page
 * @param {number} nowMs
 * @returns {ViewState}
 */
function withSnapshot(state, page, nowMs) {
	const known = page.channels.some(({ id }) => id === state.channelId);
	const messages = page.messages.toSorted((one, other) => compareIds(one.id, other.id));
	const channelId = known ? state.channelId : (page.channels[0]?.id ?? null);
	/** @type {ViewState} */
	const fresh = {
		...state,
		page: { ...page, messages },
		channelId,
		unread: channelId === null ? state.unread : without(state.unread, channelId),
		presses: stillWaiting(state.presses, nowMs),
	};
	// Whatever should have been answered by now was lost while the page was not connected: say so, and stop waiting.
	const answered = new Set(messages.map(interactionIdOf));
	return state.invocations
		.filter(({ settled, interactionId }) => !settled && interactionId !== null && !answered.has(interactionId))
		.map(({ interactionId }) => interactionId ?? "")
		.filter((interactionId) => nowMs - snowflakeTimeMs(interactionId) > ANSWER_TIMEOUT_MS)
		.reduce(
			(next, interactionId) => withFailure(next, interactionId, "The playground was away in the meantime.", "command"),
			fresh,
		);
}

/**
 * @param {ViewState} state
 * @param {APIMessage} message
 * @returns {ViewState}
 */
function withMessage(state, message) {
	const { page } = state;
	if (!page) return state;
	const at = page.messages.findIndex(({ id }) => id === message.id);
	const messages = at === -1 ? [...page.messages, message] : page.messages.with(at, message);
	if (at === -1) messages.sort((one, other) => compareIds(one.id, other.id));
	const elsewhere = at === -1 && message.channel_id !== state.channelId;
	return {
		...state,
		page: { ...page, messages: messages.slice(-MESSAGES_MAX) },
		unread: elsewhere ? new Set([...state.unread, message.channel_id]) : state.unread,
	};
}

/**
 * @param {ViewState} state
 * @param {string} interactionId
 * @param {string} reason
 * @param {Failure["kind"]} kind
 * @returns {ViewState}
 */
function withFailure(state, interactionId, reason, kind) {
	if (state.failures.some((failure) => failure.interactionId === interactionId)) return state;
	// The failure may overtake the answer that names the interaction: remember it, and where the person was looking.
	const failure = { interactionId, reason, channelId: state.channelId, kind };
	const next = { ...state, failures: [...state.failures, failure].slice(-INVOCATIONS_MAX) };
	return withPress(next, (press) => press.interactionId === interactionId, reason);
}

/**
 * The bot has answered: nothing is busy any longer. Where there is no message to wait for, a modal has opened instead.
 *
 * @param {ViewState} state
 * @param {Extract<PageEvent, { type: "interactionAnswered" }>} event
 * @returns {ViewState}
 */
function withAnswer(state, { interactionId, messageId }) {
	return {
		...state,
		answered: [...state.answered, interactionId].slice(-INVOCATIONS_MAX),
		presses: state.presses.filter((press) => press.interactionId !== interactionId),
		invocations: state.invocations.map((one) =>
			one.interactionId === interactionId && messageId === null ? { ...one, settled: true } : one,
		),
	};
}

/**
 * What became of it may have been told before.
 *
 * @param {ViewState} state
 * @param {string} key
 * @param {string} interactionId
 * @returns {ViewState}
 */
function withPressAccepted(state, key, interactionId) {
	if (state.answered.includes(interactionId))
		return { ...state, presses: state.presses.filter((press) => press.key !== key) };
	const failure = state.failures.find((one) => one.interactionId === interactionId)?.reason ?? null;
	return {
		...state,
		presses: state.presses.map((press) => (press.key === key ? { ...press, interactionId, failure } : press)),
	};
}

/**
 * @param {ViewState} state
 * @param {(press: Press) => boolean} meant
 * @param {string} failure
 * @returns {ViewState}
 */
function withPress(state, meant, failure) {
	if (!state.presses.some(meant)) return state;
	return { ...state, presses: state.presses.map((press) => (meant(press) ? { ...press, failure } : press)) };
}

/**
 * After a reconnection: what should have been answered by now is not waited for any more.
 *
 * @param {readonly Press[]} presses
 * @param {number} nowMs
 */
function stillWaiting(presses, nowMs) {
	return presses.filter(
		({ interactionId }) => interactionId === null || nowMs - snowflakeTimeMs(interactionId) <= ANSWER_TIMEOUT_MS,
	);
}

/**
 * @param {ViewState} state
 * @param {(page: PageState) => PageState} change
 * @returns {ViewState}
 */
function withPage(state, change) {
	return state.page ? { ...state, page: change(state.page) } : state;
}

/**
 * @param {ReadonlySet<string>} set
 * @param {string} item
 */
function without(set, item) {
	return new Set([...set].filter((other) => other !== item));
}
