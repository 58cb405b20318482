/**
 * The state of the page as signals: the connection, the guild and its channels, messages, and the user's own actions.
 *
 * A snapshot of the playground is authoritative; events keep it fresh. Every reconnection brings a new snapshot, so a missed event
 * cannot leave the page wrong for long.
 */
import { batch, computed, signal } from "@preact/signals";
import type { APIMessage } from "discord-api-types/v10";
import { compareSnowflakes } from "../../src/simulator/discord-formats.ts";
import type { PageEvent, PageState } from "./contract.ts";
import { snowflakeTimeMs } from "./time.ts";

/** One option of a command as the user typed it. */
export interface ShownOption {
	readonly name: string;
	readonly text: string;
}

/** A command that this user sent from this tab. */
export interface Invocation {
	readonly key: string;
	readonly channelId: string;
	readonly command: string;
	readonly options: readonly ShownOption[];
	/** Null until the playground has accepted the command. */
	readonly interactionId: string | null;
	/**
	 * True if it is not shown as pending even without a reply: it opened a modal, its reply came before its id, or the page was
	 * reloaded.
	 */
	readonly settled: boolean;
	readonly isContextCommand?: boolean;
}

/** The last button or menu that this user pressed on a message. The control is busy until the bot answers or `failure` is set. */
export interface Press {
	readonly key: string;
	readonly messageId: string;
	readonly customId: string;
	readonly interactionId: string | null;
	readonly failure: string | null;
}

interface Failure {
	readonly interactionId: string;
	readonly reason: string;
	readonly channelId: string | null;
	readonly kind: "command" | "component";
}

/** One row of the conversation. */
export type Row =
	| { kind: "message"; id: string; message: APIMessage; invocation: Invocation | null; press: Press | null }
	| { kind: "pending"; id: string; invocation: Invocation }
	| { kind: "failed"; id: string; reason: string; invocation: Invocation | null };

export type RowOf<Kind extends Row["kind"]> = Extract<Row, { kind: Kind }>;

/** The snapshot without its messages, which change far more often. */
export type Page = Omit<PageState, "messages">;

type ConnectionStatus = "connecting" | "live" | "lost";

/** Discord's three seconds, and time for the event to arrive. */
const ANSWER_TIMEOUT_MS = 6_000;
const MESSAGES_MAX = 500;
const HISTORY_MAX = 100;

export type State = ReturnType<typeof createState>;

export function createState(restored: readonly Invocation[] = []) {
	const page = signal<Page | null>(null);
	const messages = signal<readonly APIMessage[]>([]);
	const connection = signal<ConnectionStatus>("connecting");
	const channelId = signal<string | null>(null);
	const unread = signal<ReadonlySet<string>>(new Set());
	const invocations = signal(restored);
	const presses = signal<readonly Press[]>([]);
	const failures = signal<readonly Failure[]>([]);
	const dismissed = signal<ReadonlySet<string>>(new Set());
	/** The message to scroll to, as soon as it is a row. */
	const revealed = signal<string | null>(null);
	/** The message of each answered interaction; null if it has none. */
	let answers: ReadonlyMap<string, string | null> = new Map();
	let awaitedIds: ReadonlySet<string> = new Set();
	let lastRows: ReadonlyMap<string, Row> = new Map();

	const channel = computed(() => page.value?.channels.find(({ id }) => id === channelId.value));
	const hasBot = computed(() => page.value?.guilds.find(({ id }) => id === page.value?.guild.id)?.hasBot !== false);

	/** The conversation of the open channel, oldest first: messages, failed commands, then pending commands. */
	const rows = computed((): readonly Row[] => {
		const byInteraction = new Map(invocations.value.map((one) => [one.interactionId ?? one.key, one]));
		const repliedTo = new Set(messages.value.map(interactionIdOf));
		const failed = new Set(failures.value.map(({ interactionId }) => interactionId));
		const messageRows = messages.value
			.filter((message) => message.channel_id === channelId.value)
			.map((message): Row => {
				const invocation = byInteraction.get(interactionIdOf(message) ?? "") ?? null;
				const press = presses.value.find(({ messageId }) => messageId === message.id) ?? null;
				return { kind: "message", id: message.id, message, invocation, press };
			});
		const failedRows = failures.value.flatMap(({ kind, interactionId: id, reason, channelId: seenIn }): Row[] => {
			const invocation = byInteraction.get(id) ?? null;
			const isHere = (invocation?.channelId ?? seenIn) === channelId.value;
			return kind === "command" && isHere && !repliedTo.has(id) ? [{ kind: "failed", id, reason, invocation }] : [];
		});
		const pendingRows = invocations.value
			.filter(({ settled, channelId: sentIn }) => !settled && sentIn === channelId.value)
			.filter(({ interactionId: id }) => id === null || !(repliedTo.has(id) || failed.has(id)))
			.map((invocation): Row => ({ kind: "pending", id: invocation.key, invocation }));
		const finalRows = [...messageRows, ...failedRows].filter(({ id }) => !dismissed.value.has(id));
		const all = [...finalRows.toSorted((one, other) => compareSnowflakes(one.id, other.id)), ...pendingRows];
		// An unchanged row stays the same object, so that it is not rendered again.
		lastRows = new Map(all.map((row) => [row.id, reuseUnchangedRow(lastRows.get(row.id), row)]));
		return [...lastRows.values()];
	});

	function applySnapshot({ messages: newest, ...next }: PageState, nowMs: number): void {
		batch(() => {
			page.value = next;
			messages.value = newest.toSorted((one, other) => compareSnowflakes(one.id, other.id));
			const isKnown = next.channels.some(({ id }) => id === channelId.value);
			openChannel(isKnown ? channelId.value : (next.channels[0]?.id ?? null));
			presses.value = presses.value.filter(({ interactionId }) => !isOverdue(interactionId, nowMs));
			// An overdue answer was lost while the page was not connected.
			const repliedTo = new Set(newest.map(interactionIdOf));
			for (const { settled, interactionId } of invocations.value)
				if (!settled && isOverdue(interactionId, nowMs) && !repliedTo.has(interactionId))
					fail(interactionId, "The playground was away in the meantime.", "command");
		});
	}

	function applyEvent(event: PageEvent): void {
		batch(() => {
			switch (event.type) {
				case "message":
					return applyMessage(event.message);
				case "messageDelete":
					messages.value = messages.value.filter(({ id }) => id !== event.messageId);
					return;
				case "commands":
					return update({ commands: event.commands });
				case "channels":
					update({ channels: event.channels });
					// The open thread may have been archived or deleted.
					if (!channel.value) openChannel(event.channels[0]?.id ?? null);
					return;
				case "members": {
					const { type: _, ...changed } = event;
					return update(changed);
				}
				case "presence":
					return page.value ? update({ bot: { ...page.value.bot, online: event.online } }) : undefined;
				case "interactionAnswered":
					return applyAnswer(event.interactionId, event.messageId);
				case "interactionFailed":
					return event.kind === "modal" ? undefined : fail(event.interactionId, event.reason, event.kind);
			}
		});
	}

	function update(change: Partial<Page>): void {
		if (page.value) page.value = { ...page.value, ...change };
	}

	function applyMessage(message: APIMessage): void {
		if (!page.value) return;
		const index = messages.value.findIndex(({ id }) => id === message.id);
		const next = index === -1 ? [...messages.value, message] : messages.value.with(index, message);
		if (index === -1) next.sort((one, other) => compareSnowflakes(one.id, other.id));
		messages.value = next.slice(-MESSAGES_MAX);
		if (index === -1 && message.channel_id !== channelId.value)
			unread.value = new Set([...unread.value, message.channel_id]);
	}

	/** Records the answer to an interaction. A null `messageId` means that the bot opened a modal: no message follows. */
	function applyAnswer(interactionId: string, messageId: string | null): void {
		answers = new Map([...answers, [interactionId, messageId] as const].slice(-HISTORY_MAX));
		if (awaitedIds.has(interactionId)) revealMessage(messageId);
		presses.value = presses.value.filter((press) => press.interactionId !== interactionId);
		if (messageId === null)
			changeInvocations((one) => (one.interactionId === interactionId ? { ...one, settled: true } : one));
	}

	/** Records a failed interaction, with the open channel: the event may arrive before the response that names the interaction. */
	function fail(interactionId: string, reason: string, kind: Failure["kind"]): void {
		if (failures.value.some((failure) => failure.interactionId === interactionId)) return;
		failures.value = [...failures.value, { interactionId, reason, channelId: channelId.value, kind }].slice(
			-HISTORY_MAX,
		);
		changePresses((press) => (press.interactionId === interactionId ? { ...press, failure: reason } : press));
	}

	function openChannel(id: string | null): void {
		channelId.value = id;
		if (id !== null && unread.value.has(id)) unread.value = new Set([...unread.value].filter((other) => other !== id));
	}

	function changeInvocations(change: (one: Invocation) => Invocation): void {
		invocations.value = invocations.value.map(change);
	}
	function changePresses(change: (one: Press) => Press): void {
		if (presses.value.length > 0) presses.value = presses.value.map(change);
	}

	function addInvocation(invocation: Invocation): void {
		invocations.value = [...invocations.value, invocation].slice(-HISTORY_MAX);
	}

	function acceptInvocation(key: string, interactionId: string): void {
		const isAnswered = answers.has(interactionId);
		changeInvocations((one) => (one.key === key ? { ...one, interactionId, settled: one.settled || isAnswered } : one));
	}

	function removeInvocation(key: string): void {
		invocations.value = invocations.value.filter((one) => one.key !== key);
	}

	function addPress(press: Press): void {
		presses.value = [...presses.value.filter(({ messageId }) => messageId !== press.messageId), press];
	}

	/** Stores the interaction of a press. Its answer or failure may have arrived before. */
	function acceptPress(key: string, interactionId: string): void {
		const failure = failures.value.find((one) => one.interactionId === interactionId)?.reason ?? null;
		revealAnswer(interactionId);
		if (answers.has(interactionId)) presses.value = presses.value.filter((press) => press.key !== key);
		else changePresses((press) => (press.key === key ? { ...press, interactionId, failure } : press));
	}

	function failPress(key: string, failure: string): void {
		changePresses((press) => (press.key === key ? { ...press, failure } : press));
	}

	function revealMessage(messageId: string | null): void {
		revealed.value = messageId;
	}

	/** Brings the answer to the user's own action into view. It may have arrived already. */
	function revealAnswer(interactionId: string): void {
		const messageId = answers.get(interactionId);
		if (messageId === undefined) awaitedIds = new Set([...awaitedIds, interactionId].slice(-HISTORY_MAX));
		else revealMessage(messageId);
	}

	function dismiss(id: string): void {
		dismissed.value = new Set([...dismissed.value, id]);
	}

	/** Prepares for another user. The open channel stays; the next snapshot replaces the page and its messages. */
	function reset(): void {
		batch(() => {
			connection.value = "connecting";
			unread.value = new Set();
			invocations.value = restorableInvocations(invocations.value);
			presses.value = [];
			failures.value = [];
			dismissed.value = new Set();
			revealed.value = null;
			answers = new Map();
			awaitedIds = new Set();
		});
	}

	return {
		page,
		messages,
		connection,
		channelId,
		unread,
		invocations,
		failures,
		channel,
		hasBot,
		rows,
		revealed,
		applySnapshot,
		applyEvent,
		openChannel,
		addInvocation,
		acceptInvocation,
		removeInvocation,
		addPress,
		acceptPress,
		failPress,
		revealMessage,
		revealAnswer,
		dismiss,
		reset,
	};
}

/** The invocations that can label replies after a reload. */
export function restorableInvocations(invocations: readonly Invocation[]): readonly Invocation[] {
	return invocations.filter(({ interactionId }) => interactionId !== null).map((one) => ({ ...one, settled: true }));
}

function isOverdue(interactionId: string | null, nowMs: number): interactionId is string {
	return interactionId !== null && nowMs - snowflakeTimeMs(interactionId) > ANSWER_TIMEOUT_MS;
}

function interactionIdOf(message: APIMessage): string | undefined {
	return message.interaction_metadata?.id ?? message.interaction?.id;
}

/** Returns the previous object of a row if no part of it has changed. */
function reuseUnchangedRow(before: Row | undefined, row: Row): Row {
	const parts = new Map(Object.entries(before ?? {}));
	return before && Object.entries(row).every(([name, part]) => parts.get(name) === part) ? before : row;
}
