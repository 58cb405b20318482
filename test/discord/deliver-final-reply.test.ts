import { describe, expect, test } from "vitest";
import type { FinalReply } from "../../src/services/delivery/final-reply.ts";
import { ReplyClientUnavailableError, UnusableResponseError } from "../../src/services/delivery/reply-client.ts";
import type { ReplyTarget } from "../../src/services/delivery/reply-target.ts";
import {
	answer,
	BOT_USER,
	IMAGE,
	messageOf,
	MINUTE_MS,
	NOTHING_POSTED,
	openScriptedReplyClient as setup,
	OPENED,
	type Reaction,
} from "./reply-client-setup.ts";

const SENT = { status: 204 };
const UNKNOWN_WEBHOOK = { status: 404, code: 10_015 };
const UNKNOWN_MESSAGE = { status: 404, code: 10_008 };
const NO_ACCESS = { status: 403, code: 50_001 };
const INVALID_FORM = { status: 400, code: 50_035 };
/** Neither the token nor the bot can edit the reply. */
const NO_EDIT = [UNKNOWN_WEBHOOK, UNKNOWN_MESSAGE];
const DIRECT = ["openDirectMessage", "readHistory", "directMessage"];
const CLASSIC = '"content":"the whole answer"';

describe("a delivery", () => {
	test.each<[string, readonly Reaction[], Partial<ReplyTarget>, readonly string[]]>([
		["a valid token", [], {}, ["tokenEdit"]],
		["an unknown webhook", [UNKNOWN_WEBHOOK], {}, ["tokenEdit", "botEdit"]],
		["an ephemeral reply", [UNKNOWN_WEBHOOK], { isEphemeral: true }, ["tokenEdit", ...DIRECT]],
		["a guild without the bot", [UNKNOWN_WEBHOOK], { isBotInGuild: false }, ["tokenEdit", ...DIRECT]],
		["a reply that is gone", NO_EDIT, {}, ["tokenEdit", "botEdit", "readHistory", "botPost"]],
		[
			"a closed channel",
			[UNKNOWN_WEBHOOK, NO_ACCESS, NO_ACCESS, NO_ACCESS],
			{},
			["tokenEdit", "botEdit", "readHistory", "botPost", ...DIRECT],
		],
	])("with %s takes the first available route", async (_what, reactions, change, expected) => {
		const { deliver, lost, calls, routes } = await setup(reactions, change);
		expect(await deliver()).toMatchObject({ kind: "delivered", route: expected.at(-1), withFiles: true });
		expect(routes()).toStrictEqual(expected);
		expect(lost).toStrictEqual([]);
		const [isPost, isDirect] = [expected.includes("readHistory"), expected.includes("directMessage")];
		const last = calls.at(-1)?.body ?? "";
		expect(/"nonce":"[\da-f]{25}","enforce_nonce":true/.test(last)).toBe(isPost);
		// A direct message names the channel.
		expect(last.includes(String.raw`"from over there:\nthe whole answer"`)).toBe(isDirect);
		const opened = calls.filter(({ route }) => route === "openDirectMessage").map(({ body }) => body);
		expect(opened).toStrictEqual(isDirect ? ['{"recipient_id":"1000000000000000007"}'] : []);
	});

	test("whose token is about to expire when the upload may start edits as the bot", async () => {
		const { deliver, clock, takeUploads, routes } = await setup([]);
		const release = await takeUploads();
		const delivery = deliver();
		await clock.advance(14.6 * MINUTE_MS);
		release();
		expect(await delivery).toMatchObject({ route: "botEdit" });
		expect(routes()).toStrictEqual(["botEdit"]);
	});

	test.each([
		["too large", { status: 400, code: 50_045 }, true],
		["not allowed in the server", { status: 400, code: 400_001 }, false],
	])("whose files are %s is left to the caller", async (_what, rejection, isForSize) => {
		const { deliver, routes } = await setup([rejection]);
		const largestBytes = IMAGE.length;
		expect(await deliver()).toStrictEqual({ kind: "filesRejected", route: "tokenEdit", isForSize, largestBytes });
		expect(routes()).toStrictEqual(["tokenEdit"]);
	});

	test("is a card that mentions no member and replaces the previous files", async () => {
		const { deliver, calls } = await setup([]);
		await deliver();
		for (const part of [
			'"content":null',
			'"url":"attachment://a.png"',
			'"flags":32768',
			'"allowed_mentions":{"parse":[]}',
			'"attachments":[{"id":"0","filename":"a.png","description":"a boat"}]',
		])
			expect(calls[0]?.body).toContain(part);
	});

	test("of audio is a classic message, in which Discord shows a player", async () => {
		const { deliver, calls } = await setup([]);
		await deliver({ ...answer, files: answer.files.map((file) => ({ ...file, contentType: "audio/mpeg" })) });
		expect(calls[0]?.body).toContain(CLASSIC);
		await deliver();
		expect(calls[1]?.body).toContain('"content":null');
	});

	test("becomes a classic message, as do later deliveries, if Discord rejects the card", async () => {
		const { deliver, calls } = await setup([INVALID_FORM]);
		expect(await deliver()).toMatchObject({ route: "tokenEdit", withFiles: true });
		expect(calls[1]?.body).toContain(CLASSIC);
		expect(calls[1]?.body).toContain('filename="a.png"');
		await deliver();
		expect(calls[2]?.body).toContain(CLASSIC);
	});

	test("is a card after Discord has rejected an earlier text both as a card and as a classic message", async () => {
		const { deliver, calls } = await setup([INVALID_FORM, INVALID_FORM]);
		await deliver();
		expect(calls[2]?.body).toContain("without the prompt");
		expect(calls[2]?.body).toContain('"content":null');
		await deliver();
		expect(calls[3]?.body).toContain('"content":null');
	});

	test("omits the prompt if AutoMod rejects it", async () => {
		const { deliver, calls } = await setup([{ status: 400, code: 200_000 }]);
		expect(await deliver()).toMatchObject({ route: "tokenEdit", withFiles: true });
		expect(calls[1]?.body).toContain("without the prompt");
		expect(calls[1]?.body).toContain('filename="a.png"');
	});

	test("that may send no new message opens no thread", async () => {
		const { deliver, routes } = await setup([]);
		await deliver({ ...answer, isEditOnly: true, thread: { name: "a boat", pointer: "It is in a thread." } });
		expect(routes()).toStrictEqual(["tokenEdit"]);
	});

	test("that is rejected by every route in every form ends undelivered", async () => {
		const { deliver, calls } = await setup(Array.from({ length: 20 }, () => INVALID_FORM));
		expect(await deliver()).toStrictEqual({ kind: "undelivered" });
		// Four routes, each with four forms: with the prompt and without, as a card and as a classic message. On the last two
		// routes, Discord already rejects the request before the post.
		expect(calls).toHaveLength(16);
	});
});

describe("a text for the member only", () => {
	const denial: FinalReply = { ...answer, files: [], tone: "failure", publicText: "has ended" };
	const FOLLOW_UP = ["deleteReply", "ephemeralFollowUp"];
	const EXPIRED = { tokenExpiresAtMs: 0 };
	const NOTICE = ["botEdit", ...DIRECT];

	test.each<[string, readonly Reaction[], Partial<ReplyTarget>, readonly string[]]>([
		["replaces a public reply by an ephemeral follow-up", [], {}, FOLLOW_UP],
		["does so if an earlier attempt deleted the reply", [UNKNOWN_MESSAGE], {}, FOLLOW_UP],
		["is a direct message after the token has expired", [], EXPIRED, NOTICE],
		["is a direct message although the edit has no response body", [SENT], EXPIRED, NOTICE],
		[
			"is a direct message if Discord rejects the follow-up",
			[SENT, NO_ACCESS, UNKNOWN_MESSAGE],
			{},
			[...FOLLOW_UP, ...NOTICE],
		],
		["is in an ephemeral reply", [], { isEphemeral: true }, ["tokenEdit"]],
		["never appears in public", [UNKNOWN_MESSAGE, OPENED, NOTHING_POSTED, NO_ACCESS], EXPIRED, NOTICE],
	])("%s", async (_what, reactions, change, expected) => {
		const { deliver, calls, routes } = await setup(reactions, change);
		await deliver(denial);
		expect(routes()).toStrictEqual(expected);
		const publicBodies = calls.filter(({ route }) => ["botEdit", "botPost"].includes(route)).map(({ body }) => body);
		expect(publicBodies.filter((body) => !body.includes('"content":"has ended"'))).toStrictEqual([]);
	});
});

describe("a delivery that may have succeeded without a response", () => {
	const posted = {
		id: "1000000000000000099",
		content: "the whole answer",
		author: { id: BOT_USER },
		attachments: [{ filename: "a.png" }],
	};

	test("is found in the channel, and not posted again", async () => {
		const { deliver, routes } = await setup([...NO_EDIT, { status: 200, body: [posted] }]);
		expect(await deliver()).toMatchObject({ route: "botPost", messageId: posted.id });
		expect(routes()).not.toContain("botPost");
	});

	test("without files is found by its content, in a direct message too", async () => {
		const textMessage = { ...posted, content: "from over there:\nthe whole answer", attachments: [] };
		const found = { status: 200, body: [textMessage] };
		const { deliver, routes } = await setup([UNKNOWN_WEBHOOK, OPENED, found], { isEphemeral: true });
		expect(await deliver({ ...answer, files: [] })).toMatchObject({ route: "directMessage", messageId: posted.id });
		expect(routes()).not.toContain("directMessage");
	});

	test.each([
		["another user's", { author: { id: "1000000000000000008" } }],
		["older than the command", { id: "1000000000000000001" }],
		["of other files", { attachments: [{ filename: "b.png" }] }],
		["without its files", { attachments: [] }],
	])("is not confused with a message that is %s", async (_what, change) => {
		const { deliver, routes } = await setup([...NO_EDIT, { status: 200, body: [{ ...posted, ...change }] }]);
		await deliver();
		expect(routes()).toContain("botPost");
	});

	test.each<[string, Reaction | "hangUp"]>([
		["its response is lost", "hangUp"],
		["it is no list of messages", { status: 200, body: {} }],
	])("is not posted while the outcome of the search is unknown, because %s", async (_why, reaction) => {
		const { deliver, routes } = await setup([...NO_EDIT, reaction]);
		await expect(deliver()).rejects.toBeInstanceOf(ReplyClientUnavailableError);
		expect(routes()).not.toContain("botPost");
	});
});

describe("a success response", () => {
	test.each<[string, Reaction]>([
		["a page of a proxy", { status: 200, headers: { "content-type": "text/html" }, body: "<html></html>" }],
		["an empty list", { status: 200, body: [] }],
		["nothing", SENT],
	])("that is %s leaves the outcome unknown, and only edits repeat an edit", async (_what, garbled) => {
		const edit = await setup([garbled]);
		expect(await edit.deliver()).toMatchObject({ kind: "delivered", route: "botEdit" });
		for (const [reactions, change, expected] of [
			[[garbled, garbled], {}, ["tokenEdit", "botEdit"]],
			[[garbled], { isEphemeral: true }, ["tokenEdit"]],
			[[UNKNOWN_WEBHOOK, garbled], { isBotInGuild: false }, ["tokenEdit", "openDirectMessage"]],
		] as const) {
			const { deliver, routes } = await setup(reactions, change);
			await expect(deliver()).rejects.toBeInstanceOf(UnusableResponseError);
			expect(routes()).toStrictEqual(expected);
		}
	});

	test("that lacks the files in the channel is followed by a direct message with another nonce", async () => {
		const lost = { status: 200, body: messageOf("") };
		const { deliver, calls, routes } = await setup([...NO_EDIT, NOTHING_POSTED, lost]);
		expect(await deliver()).toMatchObject({ route: "directMessage", withFiles: true });
		expect(routes().filter((route) => ["botPost", "directMessage"].includes(route))).toStrictEqual([
			"botPost",
			"directMessage",
		]);
		const nonces = calls.flatMap(({ body }) => /"nonce":"([^"]+)"/.exec(body)?.[1] ?? []);
		expect(new Set(nonces).size).toBe(2);
	});

	test("that lacks the files of a card is followed by a new classic message, and no more cards", async () => {
		// An edit cannot make a card a classic message.
		const { deliver, calls } = await setup([{ status: 200, body: messageOf("") }, INVALID_FORM, INVALID_FORM]);
		expect(await deliver()).toMatchObject({ route: "botPost", withFiles: true });
		expect(calls.at(-1)?.body).toContain(CLASSIC);
		await deliver();
		expect(calls.at(-1)?.body).toContain(CLASSIC);
	});
});
