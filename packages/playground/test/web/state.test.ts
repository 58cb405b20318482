import type { APIMessage } from "discord-api-types/v10";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import type { PageChange, PageState } from "../../web/src/contract.ts";
import { CHANNEL_MESSAGES_MAX } from "../../src/limits.ts";
import { canStartThread, createState, type State } from "../../web/src/state.ts";

type Step = (state: State) => void | Promise<void>;

/** Messages and pages have only the parts that the state reads. */
function message(id: string, change: object = {}): APIMessage {
	return { id, channel_id: "10", content: "", ...change } as APIMessage;
}

const answering = (id: string, interactionId: string) => message(id, { interaction_metadata: { id: interactionId } });

function pageState(messages: readonly APIMessage[] = [], guildId = "5"): PageState {
	return {
		guild: { id: guildId },
		guilds: [],
		channels: [
			{ id: "10", type: 0, name: "general", topic: "", commandIds: ["70", "71"] },
			{ id: "11", type: 0, name: "gallery", topic: "", commandIds: ["71"] },
		],
		bot: { user: { id: "1", username: "mia" }, online: true },
		commands: [{ id: "70" }, { id: "71" }],
		messages,
	} as object as PageState;
}

const after = (state: State, ...steps: Step[]): State => {
	for (const step of steps) void step(state);
	return state;
};
const snapshot =
	(messages: readonly APIMessage[] = [], guildId?: string): Step =>
	(state) =>
		state.applySnapshot(pageState(messages, guildId));
const event =
	(applied: PageChange): Step =>
	(state) =>
		state.applyEvent(applied);
const arrives = (arrived: APIMessage): Step => event({ type: "message", message: arrived });
const deleted = (messageId: string): Step => event({ type: "messageDelete", channelId: "10", messageId });
const openChannel =
	(id: string): Step =>
	(state) =>
		state.openChannel(id);
const dismiss =
	(id: string): Step =>
	(state) =>
		state.dismiss(id);
const reset: Step = (state) => state.reset();
const opened = (...messages: APIMessage[]): State => after(createState(), snapshot(messages));
const rows = (state: State): string[] => state.rows.value.map(({ kind, id }) => `${kind} ${id}`);

const invoked: Step = (state) =>
	state.addInvocation({
		interactionId: "500",
		channelId: "10",
		command: "image",
		options: [{ name: "prompt", text: "a boat" }],
	});
const failed = event({ type: "interactionFailed", kind: "command", interactionId: "500", reason: "Too late." });
const answered = event({ type: "interactionAnswered", interactionId: "500", messageId: "901" });
const opensModal = event({ type: "interactionAnswered", interactionId: "500", messageId: null });
const reply = answering("901", "500");

const press =
	(sent: Promise<{ interactionId: string }>): Step =>
	(state) =>
		state.addPress(message("100"), "again", sent);
const pressed = press(Promise.resolve({ interactionId: "600" }));
const waits =
	(seconds: number): Step =>
	() =>
		void vi.advanceTimersByTime(seconds * 1_000);

function useFakeTimers(): void {
	vi.useFakeTimers({ toFake: ["setTimeout"] });
	onTestFinished(() => void vi.useRealTimers());
}

describe("the messages of a channel", () => {
	const two = [message("200"), message("300", { content: "old" })] as const;
	const isNew = message("300", { content: "new" });
	const ofGallery = message("250", { channel_id: "11" });
	const refresh: Step = (state) => state.applySnapshot(pageState([isNew, ofGallery]), true);

	test.each<[rule: string, shown: string[], ...steps: Step[]]>([
		[
			"are ordered by id",
			["200", "300", "1000"],
			snapshot([two[0]]),
			arrives(message("1000")),
			arrives(message("300")),
		],
		["are replaced in place by an edit", ["200", "300 new"], snapshot(two), arrives(isNew)],
		["stay empty until the first snapshot", [], arrives(message("200"))],
		["are replaced by the snapshot after a reconnection", ["300 new"], snapshot(two), snapshot([isNew])],
		["stay when a refresh adds those of a channel", ["200", "250", "300 new"], snapshot(two), refresh],
	])("%s", (_rule, shown, ...steps) => {
		const state = after(createState(), ...steps);
		expect(state.messages.value.map(({ id, content }) => `${id} ${content}`.trim())).toStrictEqual(shown);
	});

	test("stay dismissed after a reconnection", () => {
		expect(rows(after(opened(...two), dismiss("200"), snapshot(two)))).toStrictEqual(["message 300"]);
	});
});

describe("channels", () => {
	const { messages: _, ...page } = pageState();
	const galleryIsGone = event({ type: "page", page: { ...page, channels: page.channels.slice(0, 1) } });

	test.each<[rule: string, open: string, ...steps: Step[]]>([
		["the first one is open initially", "10", snapshot()],
		["the selected one stays open", "11", snapshot(), openChannel("11"), snapshot()],
		["one of an old URL that no longer exists is not opened", "10", openChannel("99"), snapshot()],
		["one that disappears while it is open gives way to the first", "10", snapshot(), openChannel("11"), galleryIsGone],
	])("%s", (_rule, open, ...steps) => {
		expect(after(createState(), ...steps).channelId.value).toBe(open);
	});

	test("the commands are those that the user may use in the open channel", () => {
		const state = opened();
		expect(state.commands.value).toStrictEqual([{ id: "70" }, { id: "71" }]);
		after(state, openChannel("11"));
		expect(state.commands.value).toStrictEqual([{ id: "71" }]);
	});

	test("a new message marks its channel as unread until it is opened; an edit does not", () => {
		const elsewhere = message("200", { channel_id: "11" });
		const state = after(opened(), arrives(elsewhere));
		expect([...state.unread.value]).toStrictEqual(["11"]);
		after(state, openChannel("11"), openChannel("10"), arrives(elsewhere));
		expect([...state.unread.value]).toStrictEqual([]);
	});
});

describe("a command", () => {
	test.each<[rule: string, shown: string[], ...steps: Step[]]>([
		["is pending until its reply arrives", ["pending 500"], invoked],
		["is replaced by its reply", ["message 901"], invoked, answered, arrives(reply)],
		["may get its reply before the response to the request", ["message 901"], arrives(reply), answered, invoked],
		["is not pending again when its reply is deleted", [], invoked, arrives(reply), answered, deleted("901")],
		["is not pending when the bot opened a modal", [], invoked, opensModal],
		["fails without a response", ["failed 500"], invoked, failed],
		["may fail before the response to the request", ["failed 500"], failed, invoked],
		["is dismissed after its failure", [], invoked, failed, dismiss("500")],
		["is replaced by a late reply after its failure", ["message 901"], invoked, failed, arrives(reply)],
		["is still pending after a short break", ["pending 500"], invoked, snapshot(), waits(3)],
		["fails if its outcome was sent during a break", ["failed 500"], invoked, snapshot(), waits(6)],
		["does not fail if the user opens another guild", ["pending 500"], invoked, snapshot([], "6")],
		["is replaced by the reply that a new connection brings", ["message 901"], invoked, snapshot([reply])],
		["does not fail when such a reply is deleted", [], invoked, snapshot([reply]), waits(6), deleted("901")],
		["of another channel is not shown", [], invoked, openChannel("11")],
		["is not pending for another user", [], invoked, reset, snapshot()],
	])("%s", (_rule, shown, ...steps) => {
		useFakeTimers();
		expect(rows(after(opened(), ...steps))).toStrictEqual(shown);
	});

	test("labels its reply with its options", () => {
		const state = after(opened(), invoked, arrives(reply));
		const invocation = { command: "image", options: [{ name: "prompt", text: "a boat" }] };
		expect(state.rows.value).toMatchObject([{ invocation }]);
	});
});

test("another user keeps the open channel, without the messages and the awaited answers of the first", async () => {
	const state = after(opened(message("200")), openChannel("11"));
	const failure = state.awaitOutcome("700");
	after(state, reset, snapshot());
	expect([state.channelId.value, state.messages.value]).toStrictEqual(["11", []]);
	await expect(failure).resolves.toContain("The connection was lost.");
});

const hasFailed = (pressFailure: unknown) => ({ busyControl: null, pressFailure });

describe("a pressed button", () => {
	const reason = "This interaction failed";
	const lossReason = expect.stringContaining("The connection was lost.") as unknown;
	const busy = { busyControl: "again", pressFailure: null };
	const idle = { busyControl: null, pressFailure: null };

	const changed = event({ type: "interactionAnswered", interactionId: "600", messageId: "100" });
	const lost = event({ type: "interactionFailed", kind: "component", interactionId: "600", reason });
	const pressedAgain = press(Promise.resolve({ interactionId: "601" }));
	/** The press is still being sent. */
	const pressing: Step = (state) => void press(Promise.withResolvers<{ interactionId: string }>().promise)(state);
	const notSent: Step = async (state) => {
		await expect(press(Promise.reject(new Error("No answer.")))(state)).rejects.toThrow("No answer.");
	};
	const unchanged = snapshot([message("100")]);
	const withReply = snapshot([message("100"), answering("901", "600")]);
	const edited = snapshot([message("100", { edited_timestamp: "2026-01-01T00:00:00.000Z" })]);

	test.each<[rule: string, row: object, ...steps: Step[]]>([
		["is busy while it is sent", busy, pressing],
		["is not busy if it could not be sent", idle, notSent],
		["is busy until the bot responds", busy, pressed],
		["is not busy after a response", idle, pressed, changed],
		["may get its response before the one to the request", idle, changed, pressed],
		["shows its failure below its message", hasFailed(reason), pressed, lost],
		["may fail before the response to the request", hasFailed(reason), lost, pressed],
		["is reset by the next press", busy, pressed, lost, pressedAgain],
		["is still busy after a short break", busy, pressed, unchanged, waits(3)],
		["fails if its outcome was sent during a break", hasFailed(lossReason), pressed, unchanged, waits(6)],
		["is answered if a long break ends with its reply", idle, pressed, waits(6), withReply],
		["is answered if its message was changed during a break", idle, pressed, edited, waits(6)],
		["is answered so even before the response to the request", idle, pressing, edited, waits(6)],
	])("%s", async (_rule, row, ...steps) => {
		useFakeTimers();
		const state = opened(message("100"));
		for (const step of steps) await step(state);
		expect(state.rows.value[0]).toMatchObject({ id: "100", ...row });
	});

	const answeredElsewhere = event({ type: "interactionAnswered", interactionId: "600", messageId: "700" });
	test.each([
		[[pressed, answeredElsewhere], "700"],
		[[answeredElsewhere, pressed], "700"],
		[[answeredElsewhere], null],
	])("brings its answer into view, in either order of events", async (steps, revealed) => {
		const state = after(opened(message("100")), ...steps);
		await expect.poll(() => state.revealed.value?.id ?? null).toBe(revealed);
	});
});

describe("a form of the bot", () => {
	const modal = { interactionId: "600", customId: "form", title: "Form", components: [] };
	const opens = event({ type: "interactionAnswered", interactionId: "600", messageId: null, modal });

	test("opens for an interaction of this tab", async () => {
		const state = after(opened(message("100")), pressed, opens);
		await vi.waitFor(() => expect(state.modal.value).toStrictEqual(modal));
	});

	test("does not open for an interaction of another tab, nor for the next user", async () => {
		const state = after(opened(message("100")), opens);
		await Promise.resolve();
		expect(state.modal.value).toBeNull();
		after(state, pressed);
		await vi.waitFor(() => expect(state.modal.value).toStrictEqual(modal));
		state.reset();
		expect(state.modal.value).toBeNull();
	});
});

describe("a change of the page", () => {
	const { commands: _, messages: __, ...changed } = pageState();
	const thread = { id: "12", type: 11, name: "Boats", topic: "", parentId: "10" };

	test("without commands keeps them, and a thread has those of its channel", () => {
		const page = { ...changed, channels: [...changed.channels, thread] };
		const state = after(opened(), event({ type: "page", page }), openChannel("12"));
		expect(state.commands.value.map(({ id }) => id)).toStrictEqual(["70", "71"]);
	});
});

test("a refresh is no new connection, and the clock of the playground is known from snapshots and changes", () => {
	const state = after(opened(), (each) => each.applySnapshot(pageState(), true));
	expect(state.connectionCount.value).toBe(1);
	after(state, event({ type: "page", page: { clockAheadMs: 86_400_000 } }));
	expect(state.clockAheadMs.value).toBe(86_400_000);
});

test.each([
	["of a channel", true, { channel_id: "10" }],
	["with a thread", false, { channel_id: "10", thread: { id: "200" } }],
	["of a thread", false, { channel_id: "12" }],
	["of direct messages", false, { channel_id: "13" }],
])("a message %s can start a thread: %s", (_name, expected, change) => {
	const thread = { id: "12", type: 11, name: "boats", topic: "", parentId: "10" };
	const direct = { id: "13", type: 1, name: "mia", topic: "" };
	expect(canStartThread(message("200", change), [...pageState().channels, thread, direct])).toBe(expected);
});

test("a channel with as many messages as a snapshot can have is cut; others start with their first message", () => {
	const full = Array.from({ length: CHANNEL_MESSAGES_MAX }, (_, at) => message(String(1_000 + at)));
	const state = opened(message("1", { channel_id: "11" }), ...full);
	expect(state.messages.value).toHaveLength(CHANNEL_MESSAGES_MAX + 1);
	expect(state.cutChannelIds.value).toStrictEqual(new Set(["10"]));
});
