import { text as readText } from "node:stream/consumers";
import { AttachmentFlags, MessageFlags } from "discord-api-types/v10";
import { describe, expect, test } from "vitest";
import { isFinalReply } from "../../src/discord/find-posted-reply.ts";
import { openAdminClient } from "@atelier/playground/admin/admin-client";
import type { UserClient } from "@atelier/playground/user-client";
import { createFakeEngine, fakeImageModel } from "@atelier/studio/testing/fake-engine";
import { openHttpServer } from "../fakes/http-server.ts";
import { openAtelier } from "./start-atelier.ts";
import { answerTo, image, openServer, plain, isPrivate, channelId } from "./server.ts";

const POST = "POST /channels/:channel/messages";

/** Waits until a channel says something with these words. */
async function told(userClient: UserClient, channel: string, words: string): Promise<string> {
	const found = async (): Promise<string | undefined> =>
		(await userClient.messages()).find(({ channel_id: id, content }) => id === channel && content.includes(words))
			?.content;
	await expect.poll(found).toBeDefined();
	return (await found()) ?? "";
}

test("a guild can hide its results behind spoilers", async () => {
	const { userClient } = await openAtelier();
	const picture = async () =>
		(await (await userClient.type("/image", { prompt: "a boat" })).until(isFinalReply)).attachments[0];
	expect((await picture())?.flags ?? 0).toBe(0);

	const changed = await (await userClient.type("/settings media", { spoiler: true })).until(isFinalReply);
	expect(changed.content).toContain("hidden until somebody clicks");
	expect((changed.flags ?? 0) & MessageFlags.Ephemeral).not.toBe(0);
	const hidden = await picture();
	expect(hidden?.flags).toBe(AttachmentFlags.IsSpoiler);
	expect(hidden?.description).toBe("a boat");

	expect(await answerTo(userClient, "/settings show")).toContain("hidden until somebody clicks");
});

describe("a private result", () => {
	test("can be requested by an option, and is ephemeral", async () => {
		const { ada, grace } = await openServer();
		const answer = await (await ada.type("/image", { prompt: "a secret boat", private: true })).until(isFinalReply);
		expect(isPrivate(answer)).toBe(true);
		expect(answer.attachments).toHaveLength(1);
		expect((await ada.messages()).some(({ id }) => id === answer.id)).toBe(true);
		expect((await grace.messages()).some(({ id }) => id === answer.id)).toBe(false);
	});

	test("can be the default of a server, which a member's option overrides", async () => {
		const { admin, ada } = await openServer();
		const completed = async (options = {}) =>
			isPrivate(await (await ada.type("/video", { prompt: "a boat", ...options })).until(isFinalReply));
		expect(await completed()).toBe(false);
		await answerTo(admin, "/settings media", { private: true });
		expect(await completed()).toBe(true);
		expect(await completed({ private: false })).toBe(false);
	});
});

describe("settings apply to the next command of every member, before anything is spent", () => {
	test("disabled media types and models are denied, and another model becomes the default", async () => {
		const other = { ...fakeImageModel, id: "other-image", name: "Other image" };
		const { admin, ada } = await openServer({ engine: createFakeEngine({ models: [fakeImageModel, other] }) });
		expect(await image(ada)).toContain("Fake image");
		expect(await admin.autocomplete("/settings model", { model: "fake" }, "model")).toStrictEqual([
			{ name: "Fake image", value: "fake-image" },
		]);
		await answerTo(admin, "/settings model", { model: "fake-image", on: false });
		expect(await image(ada)).toContain("Other image");
		expect(await answerTo(ada, "/image", { prompt: "a boat", model: "fake-image" })).toContain(
			"switched Fake image off",
		);
		await answerTo(admin, "/settings media", { image: false });
		expect(await image(ada)).toContain("switched pictures off");
		await answerTo(admin, "/settings media", { image: true });
		await answerTo(admin, "/settings model", { model: "Fake image", on: true });
		expect(await image(ada)).toContain("Fake image");
	});
});

test("an age-restricted model is offered, accepted and the default in age-restricted channels only", async () => {
	const adult = { ...fakeImageModel, id: "adult-image", name: "Adult image", ageRestricted: true };
	const { ada } = await openServer({ engine: createFakeEngine({ models: [adult, fakeImageModel] }) });
	const there = { channel: "after-dark" };
	const offered = async (where = {}) =>
		(await ada.autocomplete("/image", { prompt: "a boat", model: "" }, "model", where)).map(({ value }) => value);
	expect(await offered()).toStrictEqual(["fake-image"]);
	expect(await offered(there)).toStrictEqual(["adult-image", "fake-image"]);
	expect(await image(ada)).toContain("Fake image");
	expect(await answerTo(ada, "/image", { prompt: "a boat", model: "Adult image" })).toBe(
		"Adult image works in age-restricted channels only. Use one of those, or choose another model.",
	);
	const completed = await (await ada.type("/image", { prompt: "a boat" }, there)).until(isFinalReply);
	expect(completed.content).toContain("Adult image");
});

test("the operator's moderation service is called before credits are reserved", async () => {
	const url = await openHttpServer((request, response) => {
		void readText(request).then((asked) =>
			response.end(JSON.stringify({ allow: !asked.includes("storm"), reason: "no weather" })),
		);
	});
	const { ada } = await openServer({ env: { MODERATION_URL: `${url}/` } });
	expect(plain(await answerTo(ada, "/image", { prompt: "a storm" }))).toBe(
		"The moderation service of this bot does not accept that: no weather",
	);
	expect(await answerTo(ada, "/credits history")).toBe("There is nothing to show.");
	expect(await image(ada)).toContain("496 left");
});

test("every change is posted to the log channel, and kept in pages", async () => {
	const { admin } = await openServer();
	const gallery = await channelId(admin, "gallery");
	await answerTo(admin, "/settings general", { log_channel: gallery, confirm_above: 20, language: "de" });
	expect(await told(admin, gallery, "from now on")).toBe(
		"Every change of this server's settings is announced here from now on.",
	);
	// From here on in the language that was chosen with it; what the admin reads alone stays in theirs.
	await answerTo(admin, "/quota member", { credits: 12 });
	const line = plain(await told(admin, gallery, "allowance"));
	expect(line).toContain(`<@${admin.me.user.id}> · **allowance.everyone** nichts → 12`);
	for (let n = 0; n < 10; n++) await answerTo(admin, "/settings general", { confirm_above: n });
	const newest = plain(await answerTo(admin, "/settings audit"));
	expect(newest.split("\n")).toHaveLength(12);
	expect(newest).toContain("**confirmAbove** 8 → 9");
	const before = Number(/before: (\d+)/.exec(newest)?.[1]);
	const older = plain(await answerTo(admin, "/settings audit", { before }));
	expect(older.split("\n")).toHaveLength(3);
	expect(older).toContain("**confirmAbove** nothing → 20");
	await answerTo(admin, "/settings general", { unset: "logChannelId" });
	expect(plain(await told(admin, gallery, "→ nichts"))).toContain(`**logChannelId** ${gallery} → nichts`);
});

test("a channel message without a response is repeated, and shown once", async () => {
	const { atelier, userClient: admin } = await openAtelier();
	const adminClient = openAdminClient(atelier.origin);
	const gallery = await channelId(admin, "gallery");
	const lost = { acts: true, times: 1, answer: { kind: "error", status: 503, code: 0 } } as const;
	const shown = async (): Promise<number> =>
		(await admin.messages()).filter(({ channel_id: id }) => id === gallery).length;
	const sent = async (): Promise<number> =>
		(await adminClient.requests()).requests.filter(
			({ method, path }) => method === "POST" && path.endsWith("/messages"),
		).length;

	await adminClient.inject({ route: POST, ...lost });
	await answerTo(admin, "/settings general", { log_channel: gallery });
	// The greeting, and again after its answer was lost; then the change itself.
	await expect.poll(sent).toBe(3);
	await expect.poll(shown).toBe(2);

	await adminClient.inject({ route: POST, ...lost });
	await answerTo(admin, "/settings general", { confirm_above: 7 });
	await expect.poll(sent).toBe(5);
	expect(await shown()).toBe(3);
	// The same change once more is another one.
	await answerTo(admin, "/settings general", { confirm_above: 8 });
	await answerTo(admin, "/settings general", { confirm_above: 7 });
	await expect.poll(shown).toBe(5);
});

test("a channel in which the bot may not write is denied when it is selected", async () => {
	const { admin } = await openServer();
	const notices = await channelId(admin, "notices");
	expect(await answerTo(admin, "/settings general", { log_channel: notices })).toContain(
		`I may not write in <#${notices}>.`,
	);
	expect(await answerTo(admin, "/settings general", { report_channel: notices })).toContain(
		`I may not write in <#${notices}>.`,
	);
	expect(await answerTo(admin, "/settings audit")).toBe("Nothing has been changed yet.");
});

describe("a settings file", () => {
	test("is imported unchanged, into another guild too", async () => {
		const { admin, ada } = await openServer();
		await answerTo(admin, "/settings pause", { on: true, sentence: "back soon" });
		const exported = await (await admin.type("/settings export")).until(isFinalReply);
		const [file] = exported.attachments;
		expect(file?.filename).toBe("settings.json");
		const bytes = file ? await admin.download(file) : Buffer.alloc(0);
		const other = await openServer();
		const upload = await other.admin.upload({ name: "settings.json", bytes, contentType: "application/json" });
		expect(await answerTo(other.admin, "/settings import", { file: upload })).toContain("“\u2068back soon\u2069”");
		expect(await image(other.ada)).toContain("back soon");
		expect(await image(ada)).toContain("back soon");
	});

	test.each([
		["garbage", "\u0000\u0001 garbage", "is not JSON"],
		[
			"one wrong field among good ones",
			'{"format":"atelier-settings","version":1,"settings":{"confirmAbove":3,"media":{"spoiler":1}}}',
			"settings.media.spoiler",
		],
		[
			"a channel that is not this server's",
			'{"format":"atelier-settings","version":1,"settings":{"reportChannelId":"1000000000000000999"}}',
			"settings.reportChannelId: there is no channel 1000000000000000999 in this server",
		],
		["more than there can be", " ".repeat(1024 * 1024 + 1), "larger than 1,024 KiB"],
	])("that is %s is rejected as a whole", async (_what, text, words) => {
		const { admin } = await openServer();
		const file = await admin.upload({
			name: "settings.json",
			bytes: Buffer.from(text),
			contentType: "application/json",
		});
		expect(plain(await answerTo(admin, "/settings import", { file }))).toContain(words);
		expect(await answerTo(admin, "/settings show")).toContain("**Confirmation** is never asked for.");
		expect(await answerTo(admin, "/settings audit")).toBe("Nothing has been changed yet.");
	});
});
