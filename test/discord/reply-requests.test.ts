import { inspect } from "node:util";
import { describe, expect, test } from "vitest";
import { ReplyClientUnavailableError } from "../../src/services/delivery/reply-client.ts";
import { contentOf } from "../fakes/file-content.ts";
import {
	answer,
	APPLICATION,
	BOT_TOKEN,
	IMAGE,
	messageOf,
	MINUTE_MS,
	NOTHING_POSTED,
	openScriptedReplyClient as setup,
	OPENED,
} from "./reply-client-setup.ts";

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
		const { deliver, routes } = await setup([unknownWebhook, { status: 200, body: {} }], { isBotInGuild: false });
		expect(await deliver()).toStrictEqual({ kind: "undelivered" });
		expect(routes()).toStrictEqual(["tokenEdit", "openDirectMessage"]);
	});

	test("to reading the history postpones the post", async () => {
		const { deliver, routes } = await setup([unknownWebhook, unknownWebhook, { status: 200, body: {} }]);
		await expect(deliver()).rejects.toBeInstanceOf(ReplyClientUnavailableError);
		expect(routes()).not.toContain("botPost");
	});

	test("is neither a notice, nor a progress update, nor files that were sent again", async () => {
		const garbled = { status: 200, body: [] };
		const { notify, updateProgress, resend } = await setup([garbled, garbled, garbled]);
		expect([await notify(), await updateProgress()]).toStrictEqual([false, false]);
		expect(await resend()).toStrictEqual({ kind: "gone" });
	});
});

describe("a request that fails", () => {
	test("because of a rate limit is reported with its delay, after one request", async () => {
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

	test("because Discord rejects the token ends the process", async () => {
		const { deliver, lost } = await setup([{ status: 404, code: 10_015 }, { status: 401 }]);
		await expect(deliver()).rejects.toBeInstanceOf(ReplyClientUnavailableError);
		expect(lost).toStrictEqual([expect.stringContaining("Discord rejects DISCORD_TOKEN")]);
	});

	test.each([{ status: 500 }, { status: 502 }, { status: 503 }, "hangUp"] as const)(
		"is not repeated, and its error has no secrets, if Discord is unavailable: %j",
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
