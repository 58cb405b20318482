import { inspect } from "node:util";
import { describe, expect, test } from "vitest";
import type { FinalReply } from "../../src/services/delivery/final-reply.ts";
import {
	ReplyClientUnavailableError,
	UnusableResponseError,
	type ProgressUpdateResult,
} from "../../src/services/delivery/reply-client.ts";
import { contentOf } from "../fakes/file-content.ts";
import {
	answer,
	BOT_TOKEN,
	IMAGE,
	messageOf,
	MINUTE_MS,
	openScriptedReplyClient as setup,
	type Reaction,
} from "./reply-client-setup.ts";

describe("a request that fails", () => {
	test("because of a rate limit is reported with its delay, after one request", async () => {
		const limit = { message: "", retry_after: 30, global: false };
		const { deliver, calls } = await setup([{ status: 429, headers: { "retry-after": "30" }, body: limit }]);
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

	test.each([{ status: 500 }, "hangUp"] as const)(
		"is not repeated, and its error has no secrets, if Discord is unavailable: %j",
		async (reaction) => {
			const { deliver, calls } = await setup([reaction, reaction]);
			const error: unknown = await deliver().catch((thrown: unknown) => thrown);
			expect(error).toBeInstanceOf(ReplyClientUnavailableError);
			expect(calls).toHaveLength(1);
			const inspected = inspect(error, { depth: null, showHidden: true });
			for (const secret of ["secret-token", BOT_TOKEN, IMAGE, "the whole answer"])
				expect(inspected).not.toContain(secret);
		},
	);
});

test.each<[string, readonly Reaction[], number, ProgressUpdateResult, readonly string[]]>([
	["is in the reply while its token is valid", [], 0, "shown", ["tokenEdit"]],
	["is not sent with an expired token, nor by another route", [], 15, "rejected", []],
	["that the reply rejects is dropped", [{ status: 404, code: 10_015 }], 0, "rejected", ["tokenEdit"]],
])("a progress update %s", async (_what, reactions, ageMinutes, result, expected) => {
	const { updateProgress, clock, calls, routes } = await setup(reactions);
	await clock.advance(ageMinutes * MINUTE_MS);
	expect(await updateProgress()).toBe(result);
	expect(routes()).toStrictEqual(expected);
	for (const { body } of calls) {
		expect(body).toContain("half of it");
		expect(body).toContain(`"custom_id":"1:cancel:${answer.taskId}"`);
	}
});

test("a direct message, which belongs to no guild, has no buttons", async () => {
	const pressable: FinalReply = { ...answer, buttons: [{ action: "regenerate", label: "Regenerate" }] };
	const { deliver, calls } = await setup([], { isBotInGuild: false, tokenExpiresAtMs: 0 });
	expect(await deliver(pressable)).toMatchObject({ route: "directMessage" });
	expect(calls.at(-1)?.body).not.toContain("custom_id");
});

describe("the visibility of a result", () => {
	const withImage = { status: 200, body: messageOf('; filename="a.png"') };

	test.each<[string, Reaction, boolean]>([
		["seen by its files", withImage, true],
		["denied without its files", { status: 200, body: { ...messageOf(""), content: "**In progress**" } }, false],
		["assumed if Discord rejects the read", { status: 404, code: 10_008 }, true],
		["assumed if the response is unusable", { status: 200, body: "not an object" }, true],
	])("is %s", async (_what, reaction, expected) => {
		const { isVisible, routes } = await setup([reaction]);
		expect(await isVisible()).toBe(expected);
		expect(routes()).toStrictEqual(["tokenEdit"]);
	});

	test("is unknown while Discord is unavailable", async () => {
		const { isVisible } = await setup([{ status: 503 }]);
		await expect(isVisible()).rejects.toThrow(ReplyClientUnavailableError);
	});

	test("is read as the bot after the token expired", async () => {
		const { isVisible, routes } = await setup([withImage], { tokenExpiresAtMs: 0 });
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

	const tooLarge = { kind: "filesRejected", isForSize: true, largestBytes: IMAGE.length };
	test.each<[string, Reaction, object]>([
		["too large in total", { status: 413, code: 40_005 }, tooLarge],
		["rejected by the server", { status: 400, code: 400_001 }, { kind: "filesRejected", isForSize: false }],
		["for a deleted reply", { status: 404, code: 10_008 }, { kind: "gone" }],
		["missing in the response", { status: 200, body: messageOf("") }, { kind: "filesRejected", isForSize: false }],
	])("that are %s are tried once", async (_, reaction, expected) => {
		const { resend, routes } = await setup([reaction]);
		expect(await resend()).toMatchObject(expected);
		expect(routes()).toStrictEqual(["tokenEdit"]);
	});

	test("are sent without the prompt if AutoMod rejects it", async () => {
		const { resend, calls } = await setup([{ status: 400, code: 200_000 }]);
		expect(await resend()).toStrictEqual({ kind: "sent" });
		expect(calls.map(({ body }) => /"content":"([^"]*)"/.exec(body)?.[1])).toStrictEqual(["again", "no prompt"]);
	});

	test("are reported as rejected if Discord rejects both texts", async () => {
		const { resend } = await setup([
			{ status: 400, code: 200_000 },
			{ status: 400, code: 200_000 },
		]);
		expect(await resend()).toMatchObject({ kind: "filesRejected", isForSize: false });
	});

	test("may have arrived if the response is unusable", async () => {
		const { resend } = await setup([{ status: 200, body: [] }]);
		await expect(resend()).rejects.toThrow(UnusableResponseError);
	});
});
