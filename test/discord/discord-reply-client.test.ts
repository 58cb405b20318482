import { describe, expect, test } from "vitest";
import type { FinalReply } from "../../src/services/delivery/final-reply.ts";
import { ReplyClientUnavailableError, type ProgressUpdateResult } from "../../src/services/delivery/reply-client.ts";
import { contentOf } from "../fakes/file-content.ts";
import {
	answer,
	APPLICATION,
	IMAGE,
	MINUTE_MS,
	openScriptedReplyClient as setup,
	type Reaction,
} from "./reply-client-setup.ts";

test.each<[string, readonly Reaction[], number, ProgressUpdateResult, readonly string[]]>([
	["is in the reply while its token is valid", [], 0, "shown", ["tokenEdit"]],
	["is not sent with an expired token, nor by another route", [], 15, "rejected", []],
	["that the reply rejects is dropped", [{ status: 404, code: 10_015 }], 0, "rejected", ["tokenEdit"]],
])("a progress update %s", async (_what, reactions, ageMinutes, result, expected) => {
	const { updateProgress, clock, calls, routes } = await setup(reactions);
	await clock.advance(ageMinutes * MINUTE_MS);
	expect(await updateProgress()).toBe(result);
	expect(routes()).toStrictEqual(expected);
	for (const { body } of calls) expect(body).toContain("half of it");
});

describe("buttons", () => {
	const pressable: FinalReply = { ...answer, buttons: [{ action: "regenerate", label: "Regenerate" }] };
	const REGENERATE = `"custom_id":"1:regenerate:${answer.taskId}"`;

	test("are omitted in a direct message, which belongs to no guild", async () => {
		const { deliver, calls } = await setup([], { isBotInGuild: false, tokenExpiresAtMs: 0 });
		expect(await deliver(pressable)).toMatchObject({ route: "directMessage" });
		expect(calls.at(-1)?.body).not.toContain(REGENERATE);
	});

	test("are below a progress update", async () => {
		const { updateProgress, calls } = await setup([]);
		expect(await updateProgress()).toBe("shown");
		expect(calls[0]?.body).toContain(`"custom_id":"1:cancel:${answer.taskId}"`);
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
});
