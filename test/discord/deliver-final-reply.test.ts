import { describe, expect, test } from "vitest";
import type { FinalReply } from "../../src/services/delivery/final-reply.ts";
import { ReplyClientUnavailableError, UnusableResponseError } from "../../src/services/delivery/reply-client.ts";
import type { ReplyTarget } from "../../src/services/delivery/reply-target.ts";
import {
	answer,
	APPLICATION,
	IMAGE,
	messageOf,
	MINUTE_MS,
	NOTHING_POSTED,
	openScriptedReplyClient as setup,
	OPENED,
	type Reaction,
} from "./reply-client-setup.ts";

describe("a delivery", () => {
	const UNKNOWN_WEBHOOK = { status: 404, code: 10_015 };

	const DIRECT = ["tokenEdit", "openDirectMessage", "readHistory", "directMessage"];

	test.each<[string, readonly Reaction[], Partial<ReplyTarget>, readonly string[]]>([
		["a valid token", [], {}, ["tokenEdit"]],
		["an unknown webhook", [UNKNOWN_WEBHOOK], {}, ["tokenEdit", "botEdit"]],
		["an ephemeral reply, which never becomes public", [UNKNOWN_WEBHOOK], { isEphemeral: true }, DIRECT],
		["a guild without the bot", [UNKNOWN_WEBHOOK], { isBotInGuild: false }, DIRECT],
	])("with %s takes the first available route", async (_what, reactions, change, expected) => {
		const { deliver, lost, routes } = await setup(reactions, change);
		expect(await deliver()).toMatchObject({ kind: "delivered", route: expected.at(-1), withFiles: true });
		expect(routes()).toStrictEqual(expected);
		expect(lost).toStrictEqual([]);
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

	test("posts a new message with a nonce if the old one cannot be edited", async () => {
		const { deliver, calls, routes } = await setup([
			{ status: 404, code: 10_015 },
			{ status: 404, code: 10_008 },
		]);
		expect(await deliver()).toMatchObject({ route: "botPost" });
		expect(routes()).toStrictEqual(["tokenEdit", "botEdit", "readHistory", "botPost"]);
		expect(calls[3]?.body).toContain('"nonce":"1000000000000000009","enforce_nonce":true');
	});

	test("sends a direct message that names the channel if the channel is closed", async () => {
		const { deliver, calls, routes } = await setup([
			{ status: 404, code: 10_015 },
			{ status: 403, code: 50_001 },
			{ status: 403, code: 50_001 },
			{ status: 403, code: 50_001 },
		]);
		expect(await deliver()).toMatchObject({ route: "directMessage", withFiles: true });
		expect(routes()).toStrictEqual([
			"tokenEdit",
			"botEdit",
			"readHistory",
			"botPost",
			"openDirectMessage",
			"readHistory",
			"directMessage",
		]);
		expect(calls[4]?.body).toBe('{"recipient_id":"1000000000000000007"}');
		expect(calls[6]?.body).toContain(String.raw`"content":"from over there:\nthe whole answer"`);
		expect(calls[6]?.body).toContain('"enforce_nonce":true');
	});

	test.each([
		["a request that is too large", { status: 413, code: 40_005 }, { isForSize: true }],
		["a file that is too large", { status: 400, code: 50_045 }, { isForSize: true }],
		["a ban on uploads in the server", { status: 400, code: 400_001 }, { isForSize: false }],
	])("with files that are rejected because of %s is left to the caller", async (_what, rejection, why) => {
		const { deliver, routes } = await setup([rejection]);
		expect(await deliver()).toStrictEqual({
			kind: "filesRejected",
			route: "tokenEdit",
			...why,
			largestBytes: IMAGE.length,
		});
		expect(routes()).toStrictEqual(["tokenEdit"]);
	});

	test("is a card", async () => {
		const { deliver, calls } = await setup([]);
		await deliver();
		expect(calls[0]?.body).toContain('"content":null');
		expect(calls[0]?.body).toContain('"url":"attachment://a.png"');
		expect(calls[0]?.body).toContain('"flags":32768');
	});

	test("of audio is a classic message, in which Discord shows a player", async () => {
		const { deliver, calls } = await setup([]);
		await deliver({ ...answer, files: answer.files.map((file) => ({ ...file, contentType: "audio/mpeg" })) });
		expect(calls[0]?.body).toContain('"content":"the whole answer"');
		await deliver();
		expect(calls[1]?.body).toContain('"content":null');
	});

	test("becomes a classic message, as do later deliveries, if Discord rejects the card", async () => {
		const { deliver, calls } = await setup([{ status: 400, code: 50_035 }]);
		expect(await deliver()).toMatchObject({ route: "tokenEdit", withFiles: true });
		expect(calls[1]?.body).toContain('"content":"the whole answer"');
		expect(calls[1]?.body).toContain('filename="a.png"');
		await deliver();
		expect(calls[2]?.body).toContain('"content":"the whole answer"');
	});

	test("is a card after Discord has rejected an earlier text both as a card and as a classic message", async () => {
		const rejection = { status: 400, code: 50_035 };
		const { deliver, calls } = await setup([rejection, rejection]);
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

	test("that is rejected by every route in every form ends undelivered", async () => {
		const rejection = { status: 400, code: 50_035 };
		const { deliver, calls } = await setup(Array.from({ length: 20 }, () => rejection));
		expect(await deliver()).toStrictEqual({ kind: "undelivered" });
		// Four routes, each with four forms: with the prompt and without, as a card and as a classic message. On the last two
		// routes, Discord already rejects the request before the post.
		expect(calls).toHaveLength(16);
	});

	test("mentions no member, and replaces the previous files", async () => {
		const { deliver, calls } = await setup([]);
		await deliver();
		expect(calls[0]?.body).toContain('"allowed_mentions":{"parse":[]}');
		expect(calls[0]?.body).toContain('"attachments":[{"id":"0","filename":"a.png","description":"a boat"}]');
	});
});

describe("a text for the member only", () => {
	const denial: FinalReply = { ...answer, files: [], tone: "failure", publicText: "has ended" };
	const FORBIDDEN = { status: 403, code: 50_001 };
	const GONE = { status: 404, code: 10_008 };
	const DIRECT = ["botEdit", "openDirectMessage", "readHistory", "directMessage"];

	test.each<[string, readonly Reaction[], Partial<ReplyTarget>, readonly string[]]>([
		["replaces a public reply by an ephemeral follow-up", [], {}, ["deleteReply", "ephemeralFollowUp"]],
		["does so if an earlier attempt deleted the reply", [GONE], {}, ["deleteReply", "ephemeralFollowUp"]],
		["is a direct message after the token has expired", [], { tokenExpiresAtMs: 0 }, DIRECT],
		["is a direct message although the edit has no response body", [{ status: 204 }], { tokenExpiresAtMs: 0 }, DIRECT],
		[
			"is a direct message if Discord rejects the follow-up",
			[{ status: 204 }, FORBIDDEN, GONE],
			{},
			["deleteReply", "ephemeralFollowUp", ...DIRECT],
		],
		["is in an ephemeral reply", [], { isEphemeral: true }, ["tokenEdit"]],
		["never appears in public", [GONE, OPENED, NOTHING_POSTED, FORBIDDEN], { tokenExpiresAtMs: 0 }, DIRECT],
	])("%s", async (_what, reactions, change, expected) => {
		const { deliver, calls, routes } = await setup(reactions, change);
		await deliver(denial);
		expect(routes()).toStrictEqual(expected);
		const publicBodies = calls.filter(({ route }) => ["botEdit", "botPost"].includes(route)).map(({ body }) => body);
		expect(publicBodies.filter((body) => !body.includes('"content":"has ended"'))).toStrictEqual([]);
	});
});

describe("a delivery that may have succeeded without a response", () => {
	const closed = [
		{ status: 404, code: 10_015 },
		{ status: 404, code: 10_008 },
	];
	const posted = {
		id: "1000000000000000099",
		content: "the whole answer",
		author: { id: APPLICATION },
		attachments: [{ filename: "a.png" }],
	};

	test("is found in the channel, and not posted again", async () => {
		const { deliver, routes } = await setup([...closed, { status: 200, body: [posted] }]);
		expect(await deliver()).toMatchObject({ route: "botPost", messageId: posted.id });
		expect(routes()).not.toContain("botPost");
	});

	test("without files is found by its content, in a direct message too", async () => {
		const textMessage = { ...posted, content: "from over there:\nthe whole answer", attachments: [] };
		const found = { status: 200, body: [textMessage] };
		const { deliver, routes } = await setup([{ status: 404, code: 10_015 }, OPENED, found], { isEphemeral: true });
		expect(await deliver({ ...answer, files: [] })).toMatchObject({ route: "directMessage", messageId: posted.id });
		expect(routes()).not.toContain("directMessage");
	});

	test.each([
		["another user's", { author: { id: "1000000000000000008" } }],
		["older than the command", { id: "1000000000000000001" }],
		["of other files", { attachments: [{ filename: "b.png" }] }],
		["without its files", { attachments: [] }],
	])("is not confused with a message that is %s", async (_what, change) => {
		const { deliver, routes } = await setup([...closed, { status: 200, body: [{ ...posted, ...change }] }]);
		await deliver();
		expect(routes()).toContain("botPost");
	});

	test("is posted with its nonce if the bot may not read the history", async () => {
		const { deliver, routes } = await setup([...closed, { status: 403, code: 50_001 }]);
		expect(await deliver()).toMatchObject({ route: "botPost" });
		expect(routes().slice(2)).toStrictEqual(["readHistory", "botPost"]);
	});

	test("is not posted while the outcome of the search is unknown", async () => {
		const { deliver, routes } = await setup([...closed, "hangUp"]);
		await expect(deliver()).rejects.toBeInstanceOf(ReplyClientUnavailableError);
		expect(routes()).not.toContain("botPost");
	});
});

describe("a success response", () => {
	const unknownWebhook = { status: 404, code: 10_015 };

	test.each<[string, Reaction]>([
		["a page of a proxy", { status: 200, headers: { "content-type": "text/html" }, body: "<html></html>" }],
		["an empty list", { status: 200, body: [] }],
		["nothing", { status: 204 }],
	])("that is %s leaves the outcome unknown, and only edits repeat an edit", async (_what, garbled) => {
		const edit = await setup([garbled]);
		expect(await edit.deliver()).toMatchObject({ kind: "delivered", route: "botEdit" });
		const edits = await setup([garbled, garbled]);
		await expect(edits.deliver()).rejects.toBeInstanceOf(UnusableResponseError);
		expect(edits.routes()).toStrictEqual(["tokenEdit", "botEdit"]);
		const ephemeral = await setup([garbled], { isEphemeral: true });
		await expect(ephemeral.deliver()).rejects.toBeInstanceOf(UnusableResponseError);
		expect(ephemeral.routes()).toStrictEqual(["tokenEdit"]);
		const channel = await setup([unknownWebhook, garbled], { isBotInGuild: false });
		await expect(channel.deliver()).rejects.toBeInstanceOf(UnusableResponseError);
		expect(channel.routes()).toStrictEqual(["tokenEdit", "openDirectMessage"]);
	});

	test("that is no list of messages postpones the post", async () => {
		const { deliver, routes } = await setup([unknownWebhook, unknownWebhook, { status: 200, body: {} }]);
		await expect(deliver()).rejects.toBeInstanceOf(UnusableResponseError);
		expect(routes()).not.toContain("botPost");
	});

	test("is not read where only the success counts", async () => {
		const page = { status: 200, headers: { "content-type": "application/json" }, body: "not an object" };
		const { updateProgress, isVisible } = await setup([page, page]);
		expect(await updateProgress()).toBe("shown");
		// The reply may be there, and must not be delivered twice.
		expect(await isVisible()).toBe(true);
	});

	test("that lacks the files of a card is followed by a new classic message, and no more cards", async () => {
		const { deliver, calls } = await setup([
			{ status: 200, body: messageOf("") },
			// An edit cannot make a card a classic message.
			{ status: 400, code: 50_035 },
			{ status: 400, code: 50_035 },
		]);
		expect(await deliver()).toMatchObject({ route: "botPost", withFiles: true });
		expect(calls.at(-1)?.body).toContain('"content":"the whole answer"');
		await deliver();
		expect(calls.at(-1)?.body).toContain('"content":"the whole answer"');
	});

	test("that lacks files that were sent again means that the reply is gone", async () => {
		const { resend } = await setup([{ status: 200, body: messageOf("") }]);
		expect(await resend()).toStrictEqual({ kind: "gone" });
	});
});
