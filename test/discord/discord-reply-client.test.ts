import type { IncomingMessage, ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { inspect } from "node:util";
import { describe, expect, test } from "vitest";
import {
	ReplyClientUnavailableError,
	type FinalReply,
	type ReplyTarget,
} from "../../src/services/delivery/reply-client.ts";
import { contentOf } from "../fakes/file-content.ts";
import { answer, APPLICATION, BOT_TOKEN, IMAGE, MINUTE_MS, openReplyClient } from "./reply-client-setup.ts";

interface Reaction {
	readonly status: number;
	readonly code?: number;
	readonly body?: unknown;
	readonly headers?: Readonly<Record<string, string>>;
}
interface Call {
	readonly route: string;
	readonly body: string;
}

const OPENED = { status: 200, body: { id: "1000000000000000006" } };
const NOTHING_POSTED = { status: 200, body: [] };

/** Responds to each call with the next of `reactions`, then with success. */
async function setup(reactions: readonly (Reaction | "hangUp")[], change: Partial<ReplyTarget> = {}) {
	const calls: Call[] = [];
	const remainingReactions = [...reactions];
	function answerNext(call: Call, response: ServerResponse): void {
		calls.push(call);
		const next = remainingReactions.shift();
		response.setHeader("content-type", "application/json");
		if (next === "hangUp") return void response.destroy();
		const { status, code = 0, body, headers = {} } = next ?? defaultReaction(call);
		response.writeHead(status, headers).end(JSON.stringify(body ?? { code, message: "refused" }));
	}
	const opened = await openReplyClient((request, response) => {
		void text(request).then((body) => answerNext({ route: routeUsed(request), body }, response));
	}, change);
	const { replyClient, target } = opened;
	const signal = AbortSignal.timeout(5_000);
	return {
		...opened,
		isVisible: () => replyClient.mayBeVisible(target, answer, signal),
		resend: (files = answer.files) => replyClient.resend(target, "again", files, signal),
		calls,
		routes: () => calls.map(({ route }) => route),
	};
}

function defaultReaction({ route, body }: Call): Reaction {
	if (route === "readHistory") return NOTHING_POSTED;
	return route === "openDirectMessage" ? OPENED : { status: 200, body: messageOf(body) };
}

/** The message that Discord creates from a request, with its files. */
function messageOf(body: string) {
	const attachments = [...body.matchAll(/; filename="([^"]+)"/g)].map(([, filename]) => ({ filename }));
	return { id: "1000000000000000005", content: "", author: { id: APPLICATION }, attachments };
}

function routeUsed({ method, url = "" }: IncomingMessage): string {
	if (url.includes("/webhooks/")) return "tokenEdit";
	if (url.endsWith("/users/@me/channels")) return "openDirectMessage";
	if (method === "GET") return "readHistory";
	if (url.includes(`/channels/${OPENED.body.id}/`)) return "directMessage";
	return method === "PATCH" ? "botEdit" : "botPost";
}

describe("a delivery", () => {
	const UNKNOWN_WEBHOOK = { status: 404, code: 10_015 };

	interface Situation {
		readonly reactions?: readonly Reaction[];
		readonly change?: Partial<ReplyTarget>;
		readonly ageMinutes?: number;
	}

	test.each<[string, Situation, readonly string[]]>([
		["a valid token", {}, ["tokenEdit"]],
		["a token that is about to expire", { ageMinutes: 14.6 }, ["botEdit"]],
		["an unknown webhook", { reactions: [UNKNOWN_WEBHOOK] }, ["tokenEdit", "botEdit"]],
		["an expired token", { reactions: [{ status: 401, code: 50_027 }] }, ["tokenEdit", "botEdit"]],
		["an unknown message", { reactions: [{ status: 404, code: 10_008 }] }, ["tokenEdit", "botEdit"]],
		[
			"an ephemeral reply, which never becomes public",
			{ reactions: [UNKNOWN_WEBHOOK], change: { ephemeral: true } },
			["tokenEdit", "openDirectMessage", "readHistory", "directMessage"],
		],
		[
			"a guild without the bot",
			{ reactions: [UNKNOWN_WEBHOOK], change: { botInGuild: false } },
			["tokenEdit", "openDirectMessage", "readHistory", "directMessage"],
		],
	])("with %s takes the first available route", async (_what, { reactions = [], change, ageMinutes = 0 }, expected) => {
		const { deliver, clock, lost, routes } = await setup(reactions, change);
		await clock.advance(ageMinutes * MINUTE_MS);
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

	test("ends undelivered if every route is closed", async () => {
		const closed = { status: 403, code: 50_001 };
		const { deliver, routes } = await setup([closed, closed, NOTHING_POSTED, closed, OPENED, NOTHING_POSTED, closed]);
		expect(await deliver()).toStrictEqual({ kind: "undelivered" });
		expect(routes().at(-1)).toBe("directMessage");
	});

	test.each([
		["a request that is too large", { status: 413, code: 40_005 }, { isForSize: true, isPerFile: false }],
		["a request that is too large, with another server's page", { status: 413 }, { isForSize: true, isPerFile: false }],
		["a file that is too large", { status: 400, code: 50_045 }, { isForSize: true, isPerFile: true }],
		["any file", { status: 400, code: 400_001 }, { isForSize: false, isPerFile: false }],
	])("with files that are rejected because of %s is left to the caller", async (_what, refusal, why) => {
		const { deliver, routes } = await setup([refusal]);
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

	test("of audio is classic, for the sake of the player", async () => {
		const { deliver, calls } = await setup([]);
		await deliver({ ...answer, files: answer.files.map((file) => ({ ...file, contentType: "audio/mpeg" })) });
		expect(calls[0]?.body).toContain('"content":"the whole answer"');
		await deliver();
		expect(calls[1]?.body).toContain('"content":null');
	});

	test.each([50_035, 0])(
		"is classic at once, and from then on, if Discord rejects the card with code %i",
		async (code) => {
			const { deliver, calls } = await setup([{ status: 400, code }]);
			expect(await deliver()).toMatchObject({ route: "tokenEdit", withFiles: true });
			expect(calls[1]?.body).toContain('"content":"the whole answer"');
			expect(calls[1]?.body).toContain('filename="a.png"');
			await deliver();
			expect(calls[2]?.body).toContain('"content":"the whole answer"');
		},
	);

	test("is still a card after Discord rejected another text in both forms", async () => {
		const refusal = { status: 400, code: 50_035 };
		const { deliver, calls } = await setup([refusal, refusal]);
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

	test("that is rejected in every version ends", async () => {
		const refusal = { status: 400, code: 50_035 };
		const { deliver, calls } = await setup(Array.from({ length: 20 }, () => refusal));
		expect(await deliver()).toStrictEqual({ kind: "undelivered" });
		expect(calls).toHaveLength(16);
	});

	test("mentions no member, and replaces the previous content", async () => {
		const { deliver, calls } = await setup([]);
		await deliver();
		expect(calls[0]?.body).toContain('"allowed_mentions":{"parse":[]}');
		expect(calls[0]?.body).toContain('"attachments":[{"id":"0","filename":"a.png","description":"a boat"}]');
	});

	test.each([{ status: 500 }, { status: 502 }, { status: 503 }, "hangUp"] as const)(
		"fails after one request, without secrets in the error, if Discord is unavailable: %j",
		async (reaction) => {
			const { deliver, calls } = await setup([reaction, reaction, reaction, reaction]);
			const error: unknown = await deliver().catch((thrown: unknown) => thrown);
			expect(error).toBeInstanceOf(ReplyClientUnavailableError);
			expect(calls).toHaveLength(1);
			const inspected = inspect(error, { depth: null, showHidden: true });
			for (const secret of ["secret-token", BOT_TOKEN, IMAGE, "the whole answer"]) {
				expect(inspected).not.toContain(secret);
			}
		},
	);
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
		const { deliver, routes } = await setup(
			[{ status: 404, code: 10_015 }, OPENED, { status: 200, body: [textMessage] }],
			{
				ephemeral: true,
			},
		);
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

describe("a success response without the message", () => {
	const NOT_MESSAGES = [
		["a page of a proxy", { status: 200, headers: { "content-type": "text/html" }, body: "<html></html>" }],
		["an empty list", { status: 200, body: [] }],
		["an empty object", { status: 200, body: {} }],
		["nothing", { status: 204 }],
		["a message without the file", { status: 200, body: messageOf("") }],
	] as const;
	const shown = { status: 200, body: messageOf('; filename="a.png"') };
	const thinking = { status: 200, body: messageOf("") };
	const unknownWebhook = { status: 404, code: 10_015 };

	test.each(NOT_MESSAGES)("is not a delivery, and the next route is used: %s", async (_what, garbled) => {
		const { deliver, routes } = await setup([garbled, thinking, garbled, thinking]);
		expect(await deliver()).toMatchObject({ kind: "delivered", route: "botPost" });
		expect(routes()).toStrictEqual(["tokenEdit", "tokenEdit", "botEdit", "readHistory", "readHistory", "botPost"]);
	});

	test.each(NOT_MESSAGES)("is a delivery if the reply has the content nevertheless: %s", async (_what, garbled) => {
		const { deliver, routes } = await setup([garbled, shown]);
		expect(await deliver()).toMatchObject({ kind: "delivered", route: "tokenEdit" });
		expect(routes()).toStrictEqual(["tokenEdit", "tokenEdit"]);
	});

	test.each(NOT_MESSAGES)("to a new message causes a search in the channel: %s", async (_what, garbled) => {
		const posted = { ...messageOf('; filename="a.png"'), id: "1000000000000000099" };
		const arrived = await setup([
			unknownWebhook,
			unknownWebhook,
			NOTHING_POSTED,
			garbled,
			{ status: 200, body: [posted] },
		]);
		expect(await arrived.deliver()).toMatchObject({ route: "botPost", messageId: posted.id });
		const lost = await setup([unknownWebhook, unknownWebhook, NOTHING_POSTED, garbled, NOTHING_POSTED]);
		expect(await lost.deliver()).toMatchObject({ route: "directMessage" });
	});

	test("to opening a direct message leaves the result undelivered", async () => {
		const { deliver, routes } = await setup([unknownWebhook, { status: 200, body: {} }], { botInGuild: false });
		expect(await deliver()).toStrictEqual({ kind: "undelivered" });
		expect(routes()).toStrictEqual(["tokenEdit", "openDirectMessage"]);
	});

	test("to reading the history posts nothing for now", async () => {
		const { deliver, routes } = await setup([unknownWebhook, unknownWebhook, { status: 200, body: {} }]);
		await expect(deliver()).rejects.toBeInstanceOf(ReplyClientUnavailableError);
		expect(routes()).not.toContain("botPost");
	});

	test("is neither a sent notice nor a fetched file", async () => {
		const garbled = { status: 200, body: [] };
		const { notify, updateProgress, resend } = await setup([garbled, garbled, garbled]);
		expect([await notify(), await updateProgress()]).toStrictEqual([false, false]);
		expect(await resend()).toStrictEqual({ kind: "gone" });
	});
});

describe("a rejection of the bot's requests", () => {
	test("by a rate limit is reported with its delay, after one request", async () => {
		const limited = {
			status: 429,
			headers: { "retry-after": "30" },
			body: { message: "", retry_after: 30, global: false },
		};
		const { deliver, calls } = await setup([limited]);
		const error = await deliver().catch((thrown: unknown) => thrown);
		expect(error).toBeInstanceOf(ReplyClientUnavailableError);
		expect((error as ReplyClientUnavailableError).retryAfterMs).toBeGreaterThanOrEqual(30_000);
		expect(calls).toHaveLength(1);
	});

	test("of its token is permanent", async () => {
		const { deliver, lost } = await setup([{ status: 404, code: 10_015 }, { status: 401 }]);
		await expect(deliver()).rejects.toBeInstanceOf(ReplyClientUnavailableError);
		expect(lost).toStrictEqual([expect.stringContaining("Discord refuses DISCORD_TOKEN")]);
	});
});

describe("a notice", () => {
	test("is in the reply while its token is valid", async () => {
		const { notify, calls } = await setup([]);
		expect(await notify()).toBe(true);
		expect(calls.map(({ route }) => route)).toStrictEqual(["tokenEdit"]);
		expect(calls[0]?.body).toContain('"content":"news"');
	});

	test("is not sent with an expired token, nor by another route", async () => {
		const { notify, clock, calls } = await setup([]);
		await clock.advance(15 * MINUTE_MS);
		expect(await notify()).toBe(false);
		expect(calls).toStrictEqual([]);
	});

	test("that the reply rejects is dropped", async () => {
		const { notify, routes } = await setup([{ status: 404, code: 10_015 }]);
		expect(await notify()).toBe(false);
		expect(routes()).toStrictEqual(["tokenEdit"]);
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
		const { deliver, calls } = await setup([], { botInGuild: false, tokenExpiresAtMs: 0 });
		expect(await deliver(pressable)).toMatchObject({ route: "directMessage" });
		expect(calls.at(-1)?.body).not.toContain(REGENERATE);
	});

	test("of a progress update stay below notices without their own", async () => {
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

describe("whether a result is visible", () => {
	test("is determined by its files", async () => {
		expect(await (await setup([reply("whatever", "a.png")])).isVisible()).toBe(true);
		expect(await (await setup([reply("**Generating**")])).isVisible()).toBe(false);
	});

	test("is assumed if it cannot be read, and asked again if Discord is unavailable", async () => {
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

describe("files that are fetched again", () => {
	test("wait for their upload slot, and use no memory before", async () => {
		const { resend, takeUploads, calls, routes } = await setup([]);
		const release = await takeUploads();
		let reads = 0;
		const content = contentOf(IMAGE);
		const counted = {
			...content,
			async readInto(target: Uint8Array) {
				reads++;
				await content.readInto(target);
			},
		};
		const resending = resend(answer.files.map((file) => ({ ...file, content: counted })));
		await new Promise((resolve) => setImmediate(resolve));
		expect(reads).toBe(0);
		release();
		expect(await resending).toStrictEqual({ kind: "sent" });
		expect(reads).toBe(1);
		expect(routes()).toStrictEqual(["tokenEdit"]);
		expect(calls[0]?.body).toContain(IMAGE);
		expect(calls[0]?.body).toContain('"allowed_mentions":{"parse":[]}');
		// Released bytes are available for the next upload.
		(await takeUploads())();
	});

	test("are never sent with a token that is about to expire", async () => {
		const { resend, clock, calls } = await setup([]);
		await clock.advance(14.6 * MINUTE_MS);
		expect(await resend()).toStrictEqual({ kind: "gone" });
		expect(calls).toStrictEqual([]);
	});

	test.each([
		[
			"too large in total",
			{ status: 413, code: 40_005 },
			{ kind: "filesRejected", isForSize: true, largestBytes: IMAGE.length },
		],
		["rejected by the server", { status: 400, code: 400_001 }, { kind: "filesRejected", isForSize: false }],
		["for a deleted reply", { status: 404, code: 10_008 }, { kind: "gone" }],
	])("that are %s are tried once", async (_, reaction, expected) => {
		const { resend, routes } = await setup([reaction]);
		expect(await resend()).toMatchObject(expected);
		expect(routes()).toStrictEqual(["tokenEdit"]);
	});

	test("can be fetched later if Discord is unavailable", async () => {
		const { resend } = await setup(["hangUp"]);
		await expect(resend()).rejects.toBeInstanceOf(ReplyClientUnavailableError);
	});
});
