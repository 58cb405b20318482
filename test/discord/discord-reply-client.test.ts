import type { IncomingMessage, ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { describe, expect, test } from "vitest";
import { ReplyClientUnavailableError } from "../../src/services/delivery/reply-client.ts";
import type { FinalReply } from "../../src/services/delivery/final-reply.ts";
import type { ReplyTarget } from "../../src/services/delivery/reply-target.ts";
import {
	answer,
	APPLICATION,
	IMAGE,
	messageOf,
	MINUTE_MS,
	NOTHING_POSTED,
	openReplyClient,
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

	test("whose token expires before an unclear response edits as the bot, without a read by the token", async () => {
		const routes: string[] = [];
		const respond = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
			const body = await text(request);
			const isFirst = routes.length === 0;
			routes.push(`${request.method} ${request.url?.includes("/webhooks/") ? "by token" : "as bot"}`);
			if (isFirst) await clock.advance(15 * MINUTE_MS);
			response.setHeader("content-type", "application/json");
			response.end(JSON.stringify(isFirst ? {} : messageOf(body)));
		};
		const { deliver, clock } = await openReplyClient((request, response) => void respond(request, response));
		expect(await deliver()).toMatchObject({ route: "botEdit" });
		expect(routes).toStrictEqual(["PATCH by token", "PATCH as bot"]);
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

	test("ends undelivered if every route is closed", async () => {
		const closed = { status: 403, code: 50_001 };
		const { deliver, routes } = await setup([closed, closed, NOTHING_POSTED, closed, OPENED, NOTHING_POSTED, closed]);
		expect(await deliver()).toStrictEqual({ kind: "undelivered" });
		expect(routes().at(-1)).toBe("directMessage");
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

	test("that is rejected by every route in every version ends undelivered", async () => {
		const rejection = { status: 400, code: 50_035 };
		const { deliver, calls } = await setup(Array.from({ length: 20 }, () => rejection));
		expect(await deliver()).toStrictEqual({ kind: "undelivered" });
		// Four routes, each with four versions: with the prompt and without, as a card and as a classic message. On the last two
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

describe("a notice", () => {
	test.each<[string, readonly Reaction[], number, boolean, readonly string[]]>([
		["is in the reply while its token is valid", [], 0, true, ["tokenEdit"]],
		["is not sent with an expired token, nor by another route", [], 15, false, []],
		["that the reply rejects is dropped", [{ status: 404, code: 10_015 }], 0, false, ["tokenEdit"]],
	])("%s", async (_what, reactions, ageMinutes, isSent, expected) => {
		const { notify, clock, calls, routes } = await setup(reactions);
		await clock.advance(ageMinutes * MINUTE_MS);
		expect(await notify()).toBe(isSent);
		expect(routes()).toStrictEqual(expected);
		for (const { body } of calls) expect(body).toContain('"content":"news"');
	});

	test("is postponed while Discord is unavailable", async () => {
		const { notify } = await setup([{ status: 503 }]);
		await expect(notify()).rejects.toBeInstanceOf(ReplyClientUnavailableError);
	});
});

describe("buttons", () => {
	const pressable: FinalReply = { ...answer, buttons: [{ action: "regenerate", label: "Regenerate" }] };
	const REGENERATE = `"custom_id":"1:regenerate:${answer.taskId}"`;

	test("of a result carry the task id, and replace the previous ones", async () => {
		const { deliver, calls } = await setup([]);
		await deliver(pressable);
		await deliver();
		expect(calls[0]?.body).toContain(REGENERATE);
		expect(calls[1]?.body).not.toContain(REGENERATE);
	});

	test("are omitted in a direct message, which belongs to no guild", async () => {
		const { deliver, calls } = await setup([], { isBotInGuild: false, tokenExpiresAtMs: 0 });
		expect(await deliver(pressable)).toMatchObject({ route: "directMessage" });
		expect(calls.at(-1)?.body).not.toContain(REGENERATE);
	});

	test("of a progress update stay below a notice that has no buttons", async () => {
		const { updateProgress, notify, calls } = await setup([]);
		expect(await updateProgress()).toBe(true);
		await notify();
		expect(calls[0]?.body).toContain(`"custom_id":"1:cancel:${answer.taskId}"`);
		expect(calls[1]?.body).not.toContain('"components"');
	});
});

const reply = (content: string, ...filenames: readonly string[]) => ({
	status: 200,
	body: { id: "1", content, author: { id: APPLICATION }, attachments: filenames.map((filename) => ({ filename })) },
});

describe("the visibility of a result", () => {
	test("is determined by its files", async () => {
		expect(await (await setup([reply("whatever", "a.png")])).isVisible()).toBe(true);
		expect(await (await setup([reply("**In progress**")])).isVisible()).toBe(false);
	});

	test("is assumed if Discord rejects the read, and is unknown while Discord is unavailable", async () => {
		expect(await (await setup([{ status: 404, code: 10_008 }])).isVisible()).toBe(true);
		const away = await setup([{ status: 503 }]);
		await expect(away.isVisible()).rejects.toThrow(ReplyClientUnavailableError);
	});

	test("is read as the bot after the token expired", async () => {
		const { isVisible, routes } = await setup([reply("whatever", "a.png")], { tokenExpiresAtMs: 0 });
		expect(await isVisible()).toBe(true);
		expect(routes()).toStrictEqual(["readHistory"]);
	});
});
