import type { APIMessage, APIUser } from "discord-api-types/v10";
import { InteractionType, MessageType } from "discord-api-types/v10";
import { describe, expect, test } from "vitest";
import type { PageEvent, PageState } from "../../web/src/contract.ts";
import { createState, restorableInvocations, type State } from "../../web/src/state.ts";
import { snowflakeTimeMs } from "../../web/src/time.ts";

type Step = (state: State) => void;

const user: APIUser = { id: "1", username: "mia", global_name: "Mia", discriminator: "0", avatar: null };
const bot: APIUser = { id: "2", username: "atelier", global_name: null, discriminator: "0", avatar: null, bot: true };

function message(id: string, change: Partial<APIMessage> = {}): APIMessage {
	return {
		id,
		channel_id: "10",
		type: MessageType.ChatInputCommand,
		author: bot,
		content: "",
		timestamp: "2026-01-01T00:00:00.000Z",
		edited_timestamp: null,
		tts: false,
		mention_everyone: false,
		mentions: [],
		mention_roles: [],
		attachments: [],
		embeds: [],
		pinned: false,
		...change,
	};
}

function answering(id: string, interactionId: string, change: Partial<APIMessage> = {}): APIMessage {
	const interaction_metadata = {
		id: interactionId,
		type: InteractionType.ApplicationCommand,
		user,
		authorizing_integration_owners: {},
	} as const;
	return message(id, { interaction_metadata, ...change });
}

function pageState(messages: readonly APIMessage[] = []): PageState {
	const me = { user, nick: null, isAdmin: true, roleIds: [], permissions: "0", locale: "en-US" };
	return {
		me,
		members: [me],
		guilds: [{ id: "100", name: "Here", channelIds: [], hasBot: true }],
		hiddenGuildCount: 0,
		users: [],
		mayManageBot: true,
		guildLocale: "en-US",
		skus: [],
		guild: { id: "5", name: "Club" },
		roles: [],
		channels: [
			{ id: "10", type: 0, name: "general", topic: "" },
			{ id: "11", type: 0, name: "gallery", topic: "" },
		],
		bot: { user: bot, online: true },
		commands: [],
		messages,
	};
}

const after = (state: State, ...steps: Step[]): State => {
	for (const step of steps) step(state);
	return state;
};
const snapshot =
	(messages: readonly APIMessage[] = [], nowMs = 0): Step =>
	(state) =>
		state.applySnapshot(pageState(messages), nowMs);
const event =
	(applied: PageEvent): Step =>
	(state) =>
		state.applyEvent(applied);
const arrives = (arrived: APIMessage): Step => event({ type: "message", message: arrived });
const deleted = (messageId: string): Step => event({ type: "messageDelete", channelId: "10", messageId });
const openChannel =
	(id: string): Step =>
	(state) =>
		state.openChannel(id);
const opened = (...messages: APIMessage[]): State => after(createState(), snapshot(messages));
const rows = (state: State): string[] => state.rows.value.map(({ kind, id }) => `${kind} ${id}`);

const invoked: Step = (state) =>
	state.addInvocation({
		key: "sent-1",
		channelId: "10",
		command: "image",
		options: [{ name: "prompt", text: "a boat" }],
		interactionId: null,
		settled: false,
	});
const accepted: Step = (state) => state.acceptInvocation("sent-1", "500");
const failed = event({ type: "interactionFailed", kind: "command", interactionId: "500", reason: "Too late." });

const pressed: Step = (state) =>
	state.addPress({ key: "sent-2", messageId: "100", customId: "again", interactionId: null, failure: null });
const taken: Step = (state) => state.acceptPress("sent-2", "600");

const rowsAfter = (...steps: Step[]) => after(opened(message("100")), ...steps).rows.value;
const revealedAfter = (...steps: Step[]) => after(opened(message("100")), pressed, ...steps).revealed.value;

describe("the messages of a channel", () => {
	test("are ordered by id, for any order of arrival", () => {
		const state = after(opened(message("200")), arrives(message("1000")), arrives(message("300")));
		expect(rows(state)).toStrictEqual(["message 200", "message 300", "message 1000"]);
	});

	test("are replaced in place by an edit", () => {
		const state = after(opened(message("200"), message("300")), arrives(message("200", { content: "new" })));
		expect(rows(state)).toStrictEqual(["message 200", "message 300"]);
		expect(state.messages.value[0]?.content).toBe("new");
	});

	test("stay unchanged when an unknown one is deleted", () => {
		const state = after(opened(message("200")), deleted("9"), deleted("9"));
		expect(rows(state)).toStrictEqual(["message 200"]);
		expect(rows(after(state, deleted("200")))).toStrictEqual([]);
	});

	test("stay empty until the first snapshot", () => {
		const state = after(createState(), arrives(message("200")), event({ type: "presence", online: true }));
		expect([state.page.value, rows(state), [...state.unread.value]]).toStrictEqual([null, [], []]);
	});

	test("are replaced by the snapshot after a reconnection", () => {
		const state = after(opened(message("200"), message("300")), snapshot([message("300"), message("400")]));
		expect(rows(state)).toStrictEqual(["message 300", "message 400"]);
	});

	test("stay dismissed after a reconnection", () => {
		const state = after(opened(message("200")), ({ dismiss }) => dismiss("200"), snapshot([message("200")]));
		expect(rows(state)).toStrictEqual([]);
	});
});

describe("channels", () => {
	test("the first one is open initially, and the selected one stays open", () => {
		expect(opened().channelId.value).toBe("10");
		expect(after(opened(), openChannel("11"), snapshot()).channelId.value).toBe("11");
	});

	test("a channel of an old URL that no longer exists is not opened", () => {
		expect(after(createState(), openChannel("99"), snapshot()).channelId.value).toBe("10");
	});

	test("a new message marks its channel as unread until it is opened; an edit does not", () => {
		const elsewhere = message("200", { channel_id: "11" });
		const state = after(opened(), arrives(elsewhere));
		expect([...state.unread.value]).toStrictEqual(["11"]);
		after(state, openChannel("11"), openChannel("10"), arrives(elsewhere));
		expect([...state.unread.value]).toStrictEqual([]);
	});

	test("a direct message channel appears when the bot opens it", () => {
		const channels = [...pageState().channels, { id: "12", type: 1, name: "Atelier", topic: "", isDirect: true }];
		expect(after(opened(), event({ type: "channels", channels })).page.value?.channels).toStrictEqual(channels);
	});
});

describe("a pending command", () => {
	test("is listed last until its reply arrives, which then shows the command", () => {
		const state = after(opened(message("900")), invoked);
		expect(rows(state)).toStrictEqual(["message 900", "pending sent-1"]);
		after(state, accepted, arrives(answering("901", "500")));
		expect(rows(state)).toStrictEqual(["message 900", "message 901"]);
		expect(state.rows.value[1]).toMatchObject({
			invocation: { command: "image", options: [{ name: "prompt", text: "a boat" }] },
		});
	});

	test("may get its reply before the response to the request", () => {
		expect(rows(after(opened(), invoked, arrives(answering("901", "500")), accepted))).toStrictEqual(["message 901"]);
	});

	test("disappears if the playground rejects it", () => {
		expect(rows(after(opened(), invoked, ({ removeInvocation }) => removeInvocation("sent-1")))).toStrictEqual([]);
	});

	test("becomes a failure if the bot does not respond, in either order of events", () => {
		for (const steps of [
			[accepted, failed],
			[failed, accepted],
		]) {
			const state = after(opened(), invoked, ...steps);
			expect(state.rows.value).toMatchObject([
				{ kind: "failed", id: "500", reason: "Too late.", invocation: { command: "image" } },
			]);
			expect(rows(after(state, ({ dismiss }) => dismiss("500")))).toStrictEqual([]);
		}
	});

	test("shows one failure if it is reported twice", () => {
		expect(rows(after(opened(), invoked, accepted, failed, failed))).toStrictEqual(["failed 500"]);
	});

	test("is replaced by a late reply after its failure", () => {
		const state = after(opened(), invoked, accepted, failed, arrives(answering("901", "500")));
		expect(rows(state)).toStrictEqual(["message 901"]);
	});

	test.each<[number, APIMessage[], string[]]>([
		[2_000, [], ["pending sent-1"]],
		[60_000, [], ["failed 500"]],
		[60_000, [answering("901", "500")], ["message 901"]],
	])("after %d ms a snapshot with %j shows %j", (laterMs, messages, shown) => {
		const state = after(opened(), invoked, accepted, snapshot(messages, snowflakeTimeMs("500") + laterMs));
		expect(rows(state)).toStrictEqual(shown);
	});

	test("survives a reload for its reply, and is not pending again", () => {
		const kept = restorableInvocations(after(opened(), invoked, accepted).invocations.value);
		const reloaded = after(createState(kept), snapshot([], 1e15));
		expect(rows(reloaded)).toStrictEqual([]);
		expect(after(reloaded, arrives(answering("901", "500"))).rows.value).toMatchObject([
			{ invocation: { command: "image" } },
		]);
	});

	test("is no longer pending when the bot opened a modal", () => {
		const opens = event({ type: "interactionAnswered", interactionId: "500", messageId: null });
		expect(rows(after(opened(), invoked, accepted, opens))).toStrictEqual([]);
	});
});

test("another user keeps the open channel, without the failures and messages of the first", () => {
	const state = after(opened(message("200")), openChannel("11"), failed, ({ reset }) => reset(), snapshot());
	expect([state.channelId.value, state.failures.value, state.messages.value]).toStrictEqual(["11", [], []]);
});

test("the presence and the commands of the bot are updated", () => {
	const commands = [{ name: "image" }] as unknown as PageState["commands"];
	const state = after(opened(), event({ type: "presence", online: false }), event({ type: "commands", commands }));
	expect(state.page.value).toMatchObject({ bot: { online: false }, commands: [{ name: "image" }] });
});

describe("a pressed button", () => {
	const answered = event({ type: "interactionAnswered", interactionId: "600", messageId: "100" });
	const reason = "This interaction failed";
	const lost = event({ type: "interactionFailed", kind: "component", interactionId: "600", reason });

	test("is busy until the bot responds, in either order of events", () => {
		expect(rowsAfter(pressed, taken)).toMatchObject([{ press: { customId: "again", failure: null } }]);
		expect(rowsAfter(pressed, taken, answered)).toMatchObject([{ press: null }]);
		expect(rowsAfter(pressed, answered, taken)).toMatchObject([{ press: null }]);
	});

	test("shows its failure below its own message, in either order of events", () => {
		for (const steps of [
			[taken, lost],
			[lost, taken],
		])
			expect(rowsAfter(pressed, ...steps)).toMatchObject([{ id: "100", press: { failure: reason } }]);
		expect(rowsAfter(pressed, ({ failPress }) => failPress("sent-2", "No."))).toMatchObject([
			{ press: { failure: "No." } },
		]);
	});

	test("is reset when it is pressed again, or by a snapshot long after it", () => {
		expect(rowsAfter(pressed, taken, lost, pressed)).toMatchObject([{ press: { failure: null } }]);
		expect(rowsAfter(pressed, taken, snapshot([message("100")], Date.now()))).toMatchObject([{ press: null }]);
	});

	test("brings its answer into view, in either order of events", () => {
		const answeredElsewhere = event({ type: "interactionAnswered", interactionId: "600", messageId: "700" });
		expect(revealedAfter(taken, answeredElsewhere)).toBe("700");
		expect(revealedAfter(answeredElsewhere, taken)).toBe("700");
		expect(revealedAfter(answeredElsewhere)).toBeNull();
	});
});
