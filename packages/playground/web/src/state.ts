/**
 * The state of the page as signals: the connection, the guild and its channels, messages, and the user's own actions.
 *
 * A snapshot of the playground is authoritative; events keep it fresh. Every reconnection brings a new snapshot, so a missed event
 * cannot leave the page wrong for long.
 */
import { batch, computed, signal } from "@preact/signals";
import type { APIMessage } from "discord-api-types/v10";
import { CHANNEL_MESSAGES_MAX } from "../../src/limits.ts";
import { compareSnowflakes } from "../../src/simulator/discord-formats.ts";
import type { TypedOption } from "./command-text.ts";
import type { Snapshot, PageChange, PageChannel, PageModal, PageState } from "./contract.ts";
import { CHANNEL } from "./discord-constants.ts";

/** A command that this user sent from this tab. */
export interface Invocation {
	readonly interactionId: string;
	readonly channelId: string;
	readonly command: string;
	readonly options: readonly TypedOption[];
	readonly isContextCommand?: boolean;
}

/** The last button or menu that this user pressed on a message. */
interface Press {
	readonly message: APIMessage;
	readonly customId: string;
	/** Null while the press is being sent. */
	readonly interactionId: string | null;
}

/** The end of an interaction of this user: the message of the bot's answer, or the reason why there is no answer. */
interface Outcome {
	/** Null for a failure and for an answer without a message, such as a modal. */
	readonly messageId: string | null;
	readonly failure: string | null;
	readonly opened: PageModal | null;
}

/** One row of the conversation. */
export type Row =
	| {
			kind: "message";
			id: string;
			message: APIMessage;
			invocation: Invocation | null;
			/** The custom id of the control that waits for the bot. */
			busyControl: string | null;
			/** The reason why the bot did not answer the last press. */
			pressFailure: string | null;
	  }
	| { kind: "pending"; id: string; invocation: Invocation }
	| { kind: "failed"; id: string; reason: string; invocation: Invocation };

export type RowOf<Kind extends Row["kind"]> = Extract<Row, { kind: Kind }>;

/** More than a snapshot has: the open conversation keeps its place while messages arrive. */
const KEPT_MESSAGES_MAX = 500;
const INVOCATIONS_MAX = 100;
/** Far more than the invocations, because presses have outcomes too: an invocation whose outcome is forgotten is pending again. */
const OUTCOMES_MAX = 1_000;
const ANSWERED: Outcome = { messageId: null, failure: null, opened: null };
/** Longer than the three seconds after which the playground fails an interaction without a response. */
const OUTCOME_TIMEOUT_MS = 5_000;
const LOST: Outcome = {
	messageId: null,
	failure: "The connection was lost. The bot may have received the interaction.",
	opened: null,
};

export type State = ReturnType<typeof createState>;

export function createState() {
	const snapshot = signal<Snapshot | null>(null);
	const messages = signal<readonly APIMessage[]>([]);
	/** The channels whose older messages are not here. */
	const cutChannelIds = signal<ReadonlySet<string>>(new Set());
	const isDisconnected = signal(false);
	/** The number of times that the page connected: reads of a snapshot without those that only refresh it. */
	const connectionCount = signal(0);
	/** The time by which the playground's clock was advanced. */
	const clockAheadMs = computed(() => snapshot.value?.clockAheadMs ?? 0);
	const channelId = signal<string | null>(null);
	const unread = signal<ReadonlySet<string>>(new Set());
	const invocations = signal<readonly Invocation[]>([]);
	const presses = signal<readonly Press[]>([]);
	/** The outcomes by the id of the interaction. One may arrive before the response that names the interaction. */
	const outcomes = signal<ReadonlyMap<string, Outcome>>(new Map());
	const dismissed = signal<ReadonlySet<string>>(new Set());
	/** The message to scroll to, as soon as it is a row. The user looks for a marked one. */
	const revealed = signal<{ readonly id: string; readonly isMarked: boolean } | null>(null);
	/** The open form of the bot: that of an interaction of this tab, because every tab of the user receives it. */
	const modal = signal<PageModal | null>(null);
	/** The message in the form for edits. */
	const edited = signal<APIMessage | null>(null);
	/** Resolve the promises of `awaitOutcome` for interactions without an outcome, by the id of the interaction. */
	const outcomeResolvers = new Map<string, (outcome: Outcome) => void>();
	/** A cache of `rows`, which alone reads and writes it: the rows of the last computation. */
	let lastRows: ReadonlyMap<string, Row> = new Map();

	const channel = computed(() => snapshot.value?.channels.find(({ id }) => id === channelId.value));
	/** The commands that the user may use in the open channel. */
	const commands = computed(() => {
		const ownerId = channel.value?.parentId ?? channel.value?.id;
		const commandIds = snapshot.value?.channels.find(({ id }) => id === ownerId)?.commandIds;
		return snapshot.value?.commands.filter(({ id }) => commandIds?.includes(id)) ?? [];
	});
	const hasBot = computed(
		() => snapshot.value?.guilds.find(({ id }) => id === snapshot.value?.guild.id)?.hasBot !== false,
	);

	/** The conversation of the open channel, oldest first: messages, and commands without a reply. */
	const rows = computed((): readonly Row[] => {
		const byInteraction = new Map(invocations.value.map((one) => [one.interactionId, one]));
		const repliedTo = new Set(messages.value.map(interactionIdOf));
		const messageRows = messages.value
			.filter((message) => message.channel_id === channelId.value)
			.map((message): Row => {
				const press = presses.value.find((one) => one.message.id === message.id);
				const outcome = outcomes.value.get(press?.interactionId ?? "");
				return {
					kind: "message",
					id: message.id,
					message,
					invocation: byInteraction.get(interactionIdOf(message) ?? "") ?? null,
					busyControl: press && !outcome ? press.customId : null,
					pressFailure: outcome?.failure ?? null,
				};
			});
		const commandRows = invocations.value
			.filter(({ interactionId, channelId: sentIn }) => sentIn === channelId.value && !repliedTo.has(interactionId))
			.flatMap((invocation): Row[] => {
				const id = invocation.interactionId;
				const outcome = outcomes.value.get(id);
				if (!outcome) return [{ kind: "pending", id, invocation }];
				return outcome.failure === null ? [] : [{ kind: "failed", id, reason: outcome.failure, invocation }];
			});
		const all = sorted([...messageRows, ...commandRows].filter(({ id }) => !dismissed.value.has(id)));
		// An unchanged row stays the same object, so that it is not rendered again.
		lastRows = new Map(all.map((row) => [row.id, reuseUnchangedRow(lastRows.get(row.id), row)]));
		return [...lastRows.values()];
	});

	/** A refresh adds messages that came into view to those that events kept current, which may be more than a snapshot has. */
	function applySnapshot({ messages: newest, ...next }: PageState, isRefresh = false): void {
		batch(() => {
			snapshot.value = next;
			if (!isRefresh) connectionCount.value++;
			const byId = new Map([...(isRefresh ? messages.value : []), ...newest].map((message) => [message.id, message]));
			messages.value = sorted([...byId.values()]);
			const byChannel = Map.groupBy(newest, ({ channel_id: id }) => id);
			const full = [...byChannel].filter(([, { length }]) => length >= CHANNEL_MESSAGES_MAX).map(([id]) => id);
			cutChannelIds.value = new Set(isRefresh ? [...cutChannelIds.value, ...full] : full);
			const isKnown = next.channels.some(({ id }) => id === channelId.value);
			openChannel(isKnown ? channelId.value : (next.channels[0]?.id ?? null));
			// The outcome of a press may have been sent while the page was not connected. A changed message or a reply counts as
			// the answer.
			const versions = new Map(messages.value.map((message) => [message.id, message.edited_timestamp]));
			const repliedTo = new Set(messages.value.map(interactionIdOf));
			presses.value = presses.value.filter(
				({ message, interactionId }) =>
					versions.get(message.id) === message.edited_timestamp && !repliedTo.has(interactionId ?? ""),
			);
		});
	}

	function applyEvent(event: PageChange): void {
		batch(() => {
			switch (event.type) {
				case "message":
					return applyMessage(event.message);
				case "messageDelete":
					messages.value = messages.value.filter(({ id }) => id !== event.messageId);
					return;
				case "page":
					if (!snapshot.value) return;
					snapshot.value = { ...snapshot.value, ...event.page };
					// The open thread may have been archived or deleted.
					if (!channel.value) openChannel(snapshot.value?.channels[0]?.id ?? null);
					return;
				case "interactionAnswered":
					return end(event.interactionId, {
						messageId: event.messageId,
						failure: null,
						opened: event.modal ?? null,
					});
				case "interactionFailed":
					return end(event.interactionId, { messageId: null, failure: event.reason, opened: null });
			}
		});
	}

	function applyMessage(message: APIMessage): void {
		if (!snapshot.value) return;
		const index = messages.value.findIndex(({ id }) => id === message.id);
		messages.value = index === -1 ? sorted([...messages.value, message]) : messages.value.with(index, message);
		const inChannel = messages.value.filter(({ channel_id: id }) => id === message.channel_id);
		if (inChannel.length > KEPT_MESSAGES_MAX) {
			messages.value = messages.value.filter((each) => each !== inChannel[0]);
			cutChannelIds.value = new Set([...cutChannelIds.value, message.channel_id]);
		}
		if (index === -1 && message.channel_id !== channelId.value)
			unread.value = new Set([...unread.value, message.channel_id]);
	}

	function end(interactionId: string, outcome: Outcome): void {
		outcomes.value = new Map([...outcomes.value, [interactionId, outcome] as const].slice(-OUTCOMES_MAX));
		outcomeResolvers.get(interactionId)?.(outcome);
		outcomeResolvers.delete(interactionId);
	}

	/**
	 * Ends an interaction that has no outcome after the timeout: the page was not connected when the outcome was sent. It counts
	 * as answered if the page has the reply, for example from a snapshot.
	 */
	function expire(interactionId: string): void {
		if (!outcomeResolvers.has(interactionId)) return;
		const hasReply = messages.value.some((message) => interactionIdOf(message) === interactionId);
		end(interactionId, hasReply ? ANSWERED : LOST);
	}

	/** Brings the answer to an interaction of this tab into view. Resolves to the reason why there is none, or to null. */
	async function awaitOutcome(interactionId: string): Promise<string | null> {
		const { messageId, failure, opened } =
			outcomes.value.get(interactionId) ??
			(await new Promise<Outcome>((resolve) => {
				outcomeResolvers.set(interactionId, resolve);
				setTimeout(() => expire(interactionId), OUTCOME_TIMEOUT_MS);
			}));
		if (messageId !== null) revealed.value = { id: messageId, isMarked: false };
		if (opened) modal.value = opened;
		return failure;
	}

	function openChannel(id: string | null): void {
		channelId.value = id;
		if (id !== null && unread.value.has(id)) unread.value = new Set([...unread.value].filter((other) => other !== id));
	}

	function addInvocation(invocation: Invocation): void {
		invocations.value = [...invocations.value, invocation].slice(-INVOCATIONS_MAX);
		void awaitOutcome(invocation.interactionId);
	}

	/** Makes the control busy at once. `sent` names the interaction; a press that cannot be sent is removed. */
	async function addPress(
		message: APIMessage,
		customId: string,
		sent: Promise<{ readonly interactionId: string }>,
	): Promise<void> {
		const press: Press = { message, customId, interactionId: null };
		presses.value = [...presses.value.filter((other) => other.message.id !== message.id), press];
		try {
			const { interactionId } = await sent;
			presses.value = presses.value.map((other) => (other === press ? { ...press, interactionId } : other));
			void awaitOutcome(interactionId);
		} catch (error) {
			presses.value = presses.value.filter((other) => other !== press);
			throw error;
		}
	}

	function dismiss(id: string): void {
		dismissed.value = new Set([...dismissed.value, id]);
	}

	/**
	 * Prepares for another user, to whom open forms do not belong. The open channel stays; the next snapshot replaces the page and its
	 * messages.
	 */
	function reset(): void {
		batch(() => {
			for (const id of outcomeResolvers.keys()) end(id, LOST);
			unread.value = new Set();
			presses.value = [];
			invocations.value = [];
			outcomes.value = new Map();
			dismissed.value = new Set();
			revealed.value = null;
			modal.value = null;
			edited.value = null;
		});
	}

	return {
		snapshot,
		messages,
		cutChannelIds,
		isDisconnected,
		connectionCount,
		clockAheadMs,
		channelId,
		unread,
		channel,
		commands,
		hasBot,
		rows,
		revealed,
		modal,
		edited,
		applySnapshot,
		applyEvent,
		openChannel,
		addInvocation,
		addPress,
		awaitOutcome,
		dismiss,
		reset,
	};
}

/** A message has one thread at most, also when that is archived. Threads and direct messages have no threads. */
export function canStartThread(
	{ channel_id: channelId, thread }: APIMessage,
	channels: readonly PageChannel[],
): boolean {
	return !thread && channels.some(({ id, type }) => id === channelId && type === CHANNEL.text);
}

function sorted<Item extends { readonly id: string }>(items: readonly Item[]): Item[] {
	return items.toSorted((one, other) => compareSnowflakes(one.id, other.id));
}

function interactionIdOf(message: APIMessage): string | undefined {
	return message.interaction_metadata?.id;
}

/** Returns the previous object of a row if no part of it has changed. */
function reuseUnchangedRow(before: Row | undefined, row: Row): Row {
	const parts = new Map(Object.entries(before ?? {}));
	return before && Object.entries(row).every(([name, part]) => parts.get(name) === part) ? before : row;
}
