import type { APIMessage, APIUser } from "discord-api-types/v10";
import { InteractionType, MessageType } from "discord-api-types/v10";
import { describe, expect, test } from "vitest";
import type { PageState } from "../../src/page-contract.ts";
import { EMPTY_STATE, reduce, rowsOf, settledOf } from "../../src/web/state.js";
import { snowflakeTimeMs } from "../../src/web/time.js";

type State = typeof EMPTY_STATE;
type Event = Parameters<typeof reduce>[1];

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
		servers: [{ id: "100", name: "Here", channelIds: [], hasBot: true }],
		serversUnshown: 0,
		people: [],
		mayManageBot: true,
		guildLocale: "en-US",
		items: [],
		guild: { id: "5", name: "Club" },
		roles: [],
		channels: [
			{ id: "10", name: "general", topic: "" },
			{ id: "11", name: "gallery", topic: "" },
		],
		bot: { user: bot, online: true },
		commands: [],
		messages,
	};
}

const after = (state: State, ...events: Event[]): State => events.reduce(reduce, state);
const snapshot = (messages: readonly APIMessage[] = [], nowMs = 0): Event => ({
	type: "snapshot",
	page: pageState(messages),
	nowMs,
});
const opened = (...messages: APIMessage[]): State => after(EMPTY_STATE, snapshot(messages));
const rows = (state: State): string[] => rowsOf(state).map(({ kind, id }) => `${kind} ${id}`);

const invoked: Event = {
	type: "invoked",
	invocation: {
		key: "sent-1",
		channelId: "10",
		command: "image",
		options: [{ name: "prompt", text: "a boat" }],
		interactionId: null,
		settled: false,
	},
};
const accepted: Event = { type: "accepted", key: "sent-1", interactionId: "500" };
const failed: Event = { type: "interactionFailed", kind: "command", interactionId: "500", reason: "Too late." };

describe("messages", () => {
	test("stand in the order they were made, whatever order they arrive in", () => {
		const state = after(
			opened(message("200")),
			{ type: "message", message: message("1000") },
			{ type: "message", message: message("300") },
		);
		expect(rows(state)).toStrictEqual(["message 200", "message 300", "message 1000"]);
	});

	test("an edit replaces the message in its place", () => {
		const state = after(opened(message("200"), message("300")), {
			type: "message",
			message: message("200", { content: "new" }),
		});
		expect(rows(state)).toStrictEqual(["message 200", "message 300"]);
		expect(state.page?.messages[0]?.content).toBe("new");
	});

	test("deleting one that is not there changes nothing", () => {
		const state = after(
			opened(message("200")),
			{ type: "messageDelete", channelId: "10", messageId: "9" },
			{ type: "messageDelete", channelId: "10", messageId: "9" },
		);
		expect(rows(state)).toStrictEqual(["message 200"]);
		expect(rows(after(state, { type: "messageDelete", channelId: "10", messageId: "200" }))).toStrictEqual([]);
	});

	test("events before the first snapshot are of no use and do no harm", () => {
		expect(
			after(EMPTY_STATE, { type: "message", message: message("200") }, { type: "presence", online: true }),
		).toStrictEqual(EMPTY_STATE);
	});

	test("a snapshot after a reconnection is the truth: what is not in it is gone", () => {
		expect(
			rows(after(opened(message("200"), message("300")), snapshot([message("300"), message("400")]))),
		).toStrictEqual(["message 300", "message 400"]);
	});

	test("a dismissed message stays away, also after a reconnection", () => {
		const state = after(opened(message("200")), { type: "dismiss", id: "200" }, snapshot([message("200")]));
		expect(rows(state)).toStrictEqual([]);
	});
});

describe("channels", () => {
	test("the first is open at first, and the chosen one stays open", () => {
		expect(opened().channelId).toBe("10");
		expect(after(opened(), { type: "channel", channelId: "11" }, snapshot()).channelId).toBe("11");
	});

	test("a channel from an old address that no longer exists is not opened", () => {
		expect(after({ ...EMPTY_STATE, channelId: "99" }, snapshot()).channelId).toBe("10");
	});

	test("a new message elsewhere marks its channel until it is opened; an edit does not", () => {
		const elsewhere = message("200", { channel_id: "11" });
		const state = after(opened(), { type: "message", message: elsewhere });
		expect([...state.unread]).toStrictEqual(["11"]);
		const read = after(state, { type: "channel", channelId: "11" }, { type: "channel", channelId: "10" });
		expect([...after(read, { type: "message", message: elsewhere }).unread]).toStrictEqual([]);
	});

	test("a direct conversation appears when the bot opens it", () => {
		const channels = [...pageState().channels, { id: "12", name: "Atelier", topic: "", isDirect: true }];
		expect(after(opened(), { type: "channels", channels }).page?.channels).toStrictEqual(channels);
	});
});

describe("a command on its way", () => {
	test("waits at the end until its answer is there, which then knows what it answers", () => {
		const state = after(opened(message("900")), invoked);
		expect(rows(state)).toStrictEqual(["message 900", "pending sent-1"]);
		const answered = after(state, accepted, { type: "message", message: answering("901", "500") });
		expect(rows(answered)).toStrictEqual(["message 900", "message 901"]);
		expect(rowsOf(answered)[1]).toMatchObject({
			invocation: { command: "image", options: [{ name: "prompt", text: "a boat" }] },
		});
	});

	test("the answer may overtake the news that the command was taken", () => {
		expect(
			rows(after(opened(), invoked, { type: "message", message: answering("901", "500") }, accepted)),
		).toStrictEqual(["message 901"]);
	});

	test("disappears when the playground refuses it", () => {
		expect(rows(after(opened(), invoked, { type: "rejected", key: "sent-1" }))).toStrictEqual([]);
	});

	test("becomes a failure when the bot does not respond, in either order of events", () => {
		for (const events of [
			[accepted, failed],
			[failed, accepted],
		]) {
			const state = after(opened(), invoked, ...events);
			expect(rowsOf(state)).toMatchObject([
				{ kind: "failed", id: "500", reason: "Too late.", invocation: { command: "image" } },
			]);
			expect(rows(after(state, { type: "dismiss", id: "500" }))).toStrictEqual([]);
		}
	});

	test("a failure that is told twice is shown once", () => {
		expect(rows(after(opened(), invoked, accepted, failed, failed))).toStrictEqual(["failed 500"]);
	});

	test("an answer that came after all takes the failure's place", () => {
		expect(
			rows(after(opened(), invoked, accepted, failed, { type: "message", message: answering("901", "500") })),
		).toStrictEqual(["message 901"]);
	});

	test("does not wait for ever for news that came while the page was away", () => {
		const sentMs = snowflakeTimeMs("500");
		const state = after(opened(), invoked, accepted);
		expect(rows(after(state, snapshot([], sentMs + 2_000)))).toStrictEqual(["pending sent-1"]);
		expect(rows(after(state, snapshot([], sentMs + 60_000)))).toStrictEqual(["failed 500"]);
		expect(rows(after(state, snapshot([answering("901", "500")], sentMs + 60_000)))).toStrictEqual(["message 901"]);
	});

	test("is remembered over a reload for its answer, and never as something to wait for", () => {
		const kept = settledOf(after(opened(), invoked, accepted).invocations);
		const reloaded = after({ ...EMPTY_STATE, invocations: kept }, snapshot([], 1e15));
		expect(rows(reloaded)).toStrictEqual([]);
		expect(rowsOf(after(reloaded, { type: "message", message: answering("901", "500") }))).toMatchObject([
			{ invocation: { command: "image" } },
		]);
	});
});

test("becoming somebody else keeps the channel and forgets what only the other saw", () => {
	const state = after(opened(message("200")), { type: "channel", channelId: "11" }, failed, { type: "reset" });
	expect(state).toMatchObject({ page: null, channelId: "11", failures: [] });
});

test("the bot's presence and commands are kept fresh", () => {
	const state = after(opened(), { type: "presence", online: false }, { type: "commands", commands: [] });
	expect(state.page?.bot.online).toBe(false);
});

describe("something pressed on a message", () => {
	const pressed: Event = {
		type: "pressed",
		press: { key: "sent-2", messageId: "100", customId: "again", values: null, interactionId: null, failure: null },
	};
	const taken: Event = { type: "pressAccepted", key: "sent-2", interactionId: "600" };
	const answered: Event = { type: "interactionAnswered", interactionId: "600", messageId: "100" };
	const lost: Event = {
		type: "interactionFailed",
		kind: "component",
		interactionId: "600",
		reason: "This interaction failed",
	};
	const shown = (...events: Event[]) => rowsOf(after(opened(message("100")), ...events));

	test("is busy until the bot has answered, in either order of events", () => {
		expect(shown(pressed, taken)).toMatchObject([{ press: { customId: "again", failure: null } }]);
		expect(shown(pressed, taken, answered)).toMatchObject([{ press: null }]);
		expect(shown(pressed, answered, taken)).toMatchObject([{ press: null }]);
	});

	test("says at its message that it failed, in either order of events, and nowhere else", () => {
		for (const events of [
			[taken, lost],
			[lost, taken],
		]) {
			expect(shown(pressed, ...events)).toMatchObject([{ id: "100", press: { failure: "This interaction failed" } }]);
		}
		expect(shown(pressed, { type: "pressRefused", key: "sent-2", reason: "No." })).toMatchObject([
			{ press: { failure: "No." } },
		]);
	});

	test("is forgotten when something else is pressed, and when it was lost on the way", () => {
		expect(shown(pressed, taken, lost, pressed)).toMatchObject([{ press: { failure: null } }]);
		expect(shown(pressed, taken, snapshot([message("100")], Date.now()))).toMatchObject([{ press: null }]);
	});

	test("a command that opened a modal is waited for no longer", () => {
		expect(
			rows(after(opened(), invoked, accepted, { type: "interactionAnswered", interactionId: "500", messageId: null })),
		).toStrictEqual([]);
	});
});
