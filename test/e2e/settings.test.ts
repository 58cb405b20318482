import { filesOf, textOf } from "@atelier/playground/user-client/message-contents";
import { t } from "../../src/i18n/messages.ts";
import type { APIMessage } from "discord-api-types/v10";
import { assert, expect, test } from "vitest";
import { openAdminClient } from "@atelier/playground/admin/admin-client";
import { labelsOf, type UserClient } from "@atelier/playground/user-client";
import { createFakeEngine, fakeImageModel } from "@atelier/studio/testing/fake-engine";
import { openAtelier, openAtelierWithMembers, channelIdOf } from "./start-atelier.ts";
import {
	answerTo,
	answerToImage,
	isMessagePresent,
	isPrivate,
	finalReply,
	openForm,
	replyWithText,
	plainText,
	pressSetting,
	messagesIn,
} from "./replies.ts";

/** Waits for a message with this text in a channel. */
async function messageIn(userClient: UserClient, channel: string, text: string): Promise<string> {
	const find = async () => (await messagesIn(userClient, channel)).map(textOf).find((each) => each.includes(text));
	await expect.poll(find).toBeDefined();
	return (await find()) ?? assert.fail("the message was deleted");
}

/** Opens the panel of `/settings`, and turns to another page of it. */
async function settingsPage(owner: UserClient, label: "Results" | "Server"): Promise<APIMessage> {
	const panel = await finalReply(owner.type("/settings show"));
	expect(plainText(textOf(panel))).toMatch(/`\/filter list` · `\/blocks` · `\/style list` · Limits: `\/quota show`$/);
	return await (await owner.press(panel, { label })).until((shown) => !textOf(shown).includes("**Status**"));
}

test("a server can hide its results behind spoilers, and make them ephemeral unless the member chooses otherwise", async () => {
	const { owner, ada, grace } = await openAtelierWithMembers();
	const generate = async (options = {}) =>
		await finalReply(ada.type("/image", { prompt: "a secret boat", ...options }));
	const ephemeral = await generate({ private: true });
	expect(filesOf(ephemeral)).toMatchObject([{ isSpoiler: false }]);
	expect(await isMessagePresent(ada, ephemeral)).toBe(true);
	expect(await isMessagePresent(grace, ephemeral)).toBe(false);
	expect(isPrivate(await generate())).toBe(false);
	const changed = await finalReply(owner.type("/settings media", { spoiler: true, private: true }));
	expect(textOf(changed)).toContain("**Spoilers**: on");
	expect(isPrivate(changed)).toBe(true);
	const hidden = await generate();
	expect(isPrivate(hidden)).toBe(true);
	expect(filesOf(hidden)).toMatchObject([{ isSpoiler: true, description: "a secret boat" }]);
	expect(isPrivate(await generate({ private: false }))).toBe(false);
});

test("after a model or a media type is disabled, the next command uses another model or is denied", async () => {
	const other = { ...fakeImageModel, id: "other-image", name: "Other image" };
	const { owner, ada } = await openAtelierWithMembers({
		engine: createFakeEngine({ models: [fakeImageModel, other] }),
	});
	expect(await answerToImage(ada)).toContain("Fake image");
	expect(await owner.autocomplete("/settings model", { model: "fake" }, "model")).toStrictEqual([
		{ name: "Fake image (4 credits)", value: "fake-image" },
	]);
	await answerTo(owner, "/settings model", { model: "fake-image", on: false });
	expect(await answerToImage(ada)).toContain("Other image");
	const denied = await answerTo(ada, "/image", { prompt: "a boat", model: "fake-image" });
	expect(denied).toContain("Fake image is turned off");
	await answerTo(owner, "/settings media", { image: false });
	expect(await answerToImage(ada)).toContain("Images are turned off");
	await answerTo(owner, "/settings media", { image: true });
	await answerTo(owner, "/settings model", { model: "Fake image", on: true });
	expect(await answerToImage(ada)).toContain("Fake image");
});

test("an age-restricted model is available in age-restricted channels only, and is the default there", async () => {
	const adult = { ...fakeImageModel, id: "adult-image", name: "Adult image", ageRestricted: true };
	const { ada, owner } = await openAtelierWithMembers({
		engine: createFakeEngine({ models: [adult, fakeImageModel] }),
	});
	const there = { channel: "after-dark" };
	const offered = async (where = {}) =>
		(await ada.autocomplete("/image", { prompt: "a boat", model: "" }, "model", where)).map(({ value }) => value);
	expect(await offered()).toStrictEqual(["fake-image"]);
	expect(await offered(there)).toStrictEqual(["adult-image", "fake-image"]);
	expect(await answerToImage(ada)).toContain("Fake image");
	expect(await answerTo(ada, "/image", { prompt: "a boat", model: "Adult image" })).toBe(
		"Adult image only works in age-restricted channels. Use one, or choose another model.",
	);
	const result = await finalReply(ada.type("/image", { prompt: "a boat" }, there));
	expect(textOf(result)).toContain("Adult image");
	await answerTo(owner, "/settings defaults", { channel: await channelIdOf(owner, "after-dark"), threads: true });
	const done = await (
		await ada.type("/image", { prompt: "a boat" }, there)
	).until((reply) => /Done/.test(textOf(reply)));
	const inThread = { channel: done.id };
	expect(await offered(inThread)).toStrictEqual(["fake-image", "adult-image"]);
	expect(textOf(await finalReply(ada.type("/image", { prompt: "a boat" }, inThread)))).toContain("Adult image");
});

test("every change is posted in the log channel, and listed", async () => {
	const { owner } = await openAtelierWithMembers();
	const galleryId = await channelIdOf(owner, "gallery");
	await answerTo(owner, "/settings general", { log_channel: galleryId, confirm_above: 20, language: "de" });
	expect(await messageIn(owner, galleryId, "logged here")).toBe(
		"Changes to this server's settings will be logged here.",
	);
	// The channel uses the language of the server from now on; ephemeral replies keep that of the admin.
	await answerTo(owner, "/quota member", { credits: 12 });
	const field = t("de", { key: "field.memberLimit" });
	const line = plainText(await messageIn(owner, galleryId, field));
	expect(line).toContain(
		`<@${owner.me.user.id}> · Discord · **${field}**: ${t("de", { key: "audit.none" })} → 12 Credits`,
	);
	expect(plainText(await answerTo(owner, "/settings audit"))).toContain("**Confirmation**: never → above 20 credits");
	await answerTo(owner, "/settings general", { reset: "logChannelId" });
	expect(plainText(await messageIn(owner, galleryId, `<#${galleryId}> →`))).toContain(
		t("de", { key: "field.logChannel" }),
	);
});

test("a channel message whose response is lost is sent again, and is visible once", async () => {
	const { atelier, userClient: owner } = await openAtelier();
	const playground = openAdminClient(atelier.origin);
	const gallery = await channelIdOf(owner, "gallery");
	const lost = { executes: true, times: 1, answer: { kind: "error", status: 503, code: 0 } } as const;
	const visible = async () => (await messagesIn(owner, gallery)).length;
	const sent = async () =>
		(await playground.requests()).requests.filter(({ path }) => path.endsWith("/messages")).length;
	await playground.inject({ route: "POST /channels/:channel/messages", ...lost });
	await answerTo(owner, "/settings general", { log_channel: gallery });
	// The greeting, its retry, and the change.
	await expect.poll(sent).toBe(3);
	await expect.poll(visible).toBe(2);
	// The same change again is a message of its own.
	for (const confirmAbove of [7, 8, 7]) await answerTo(owner, "/settings general", { confirm_above: confirmAbove });
	await expect.poll(visible).toBe(5);
});

test("a settings file restores the settings in another server, and an invalid one changes nothing", async () => {
	const { owner } = await openAtelierWithMembers();
	await answerTo(owner, "/settings pause", { on: true, message: "back soon" });
	const [file] = filesOf(await finalReply(owner.type("/settings export")));
	expect(file?.filename).toBe("settings.json");
	const bytes = file ? await owner.download(file) : Buffer.alloc(0);
	const other = await openAtelierWithMembers();
	const importFile = async (content: Buffer): Promise<string> => {
		const upload = { name: "settings.json", bytes: content, contentType: "application/json" };
		return plainText(await answerTo(other.owner, "/settings import", { file: await other.owner.upload(upload) }));
	};
	const invalid = bytes.toString().replace('"spoiler": false', '"spoiler": 1');
	expect(await importFile(Buffer.from(invalid))).toContain("settings.media.spoiler");
	expect(await importFile(Buffer.alloc(1024 * 1024 + 1, " "))).toContain("larger than 1,024 KiB");
	expect(await answerTo(other.owner, "/settings audit")).toBe("No settings have been changed yet.");
	expect(await importFile(bytes)).toContain("**Pause message**: back soon");
	expect(await answerToImage(other.ada)).toContain("back soon");
});

test("the panel of /settings changes a switch at once and other settings with a form, and shows the new value in place", async () => {
	const { owner } = await openAtelierWithMembers();
	const results = await settingsPage(owner, "Results");
	expect(textOf(results)).toContain("**Spoilers**: off");
	// The operator has set up no text model.
	expect(textOf(results)).not.toContain("Improve prompts");
	const switched = await replyWithText(pressSetting(owner, results, "1:setting:media.spoiler"), "**Spoilers**: on");
	expect(textOf(switched)).toContain("Saved. **Spoilers**: off → on");
	expect(labelsOf(results)).toContain("Turn on");
	expect(labelsOf(switched)).toContain("Turn off");
	const panel = await replyWithText(owner.press(switched, { label: "Access" }), "**Status**");

	const [gallery, notices] = [await channelIdOf(owner, "gallery"), await channelIdOf(owner, "notices")];
	const [server, other] = [await settingsPage(owner, "Server"), await settingsPage(owner, "Results")];
	for (const [page, field, input, shown] of [
		[panel, "channels", { allowed: [gallery], denied: [] }, `**Channels**: only <#${gallery}>`],
		[panel, "media", { off: ["image"] }, "**Media types**: images"],
		[server, "language", { value: ["de"] }, "**Public language**: Deutsch"],
		[server, "logChannelId", { value: [notices] }, `The bot can't post in <#${notices}>.`],
		[server, "logChannelId", { value: [gallery] }, `**Log channel**: <#${gallery}>`],
		[other, "showcase", { channel: [gallery], stars: "5" }, `**Showcase**: <#${gallery}>, 5 ⭐ or more`],
	] as const) {
		const form = await openForm(pressSetting(owner, page, `1:setting:${field}`));
		await replyWithText(owner.submit(form, input), shown);
	}
	expect(await messageIn(owner, gallery, t("de", { key: "settings.logChannelHello" }))).not.toBe("");

	expect(textOf(panel)).not.toContain("Flagged content");
	const pause = await openForm(pressSetting(owner, panel, "1:setting:paused"));
	expect([pause.title, labelsOf(panel).includes("Pause")]).toStrictEqual(["Pause", true]);
	const paused = await replyWithText(owner.submit(pause, { message: "Back at noon" }), "Back at noon");
	expect(labelsOf(paused)).toContain("Resume");
	await replyWithText(pressSetting(owner, paused, "1:setting:paused"), "**Status**: running");
});

test("the panel of /settings changes nothing if another member changed the setting in the meantime, and shows the new value", async () => {
	const { owner } = await openAtelierWithMembers();
	const [gallery, afterDark] = [await channelIdOf(owner, "gallery"), await channelIdOf(owner, "after-dark")];
	const results = await settingsPage(owner, "Results");
	const access = await finalReply(owner.type("/settings show"));
	const channels = await openForm(pressSetting(owner, access, "1:setting:channels"));
	const pause = await openForm(pressSetting(owner, access, "1:setting:paused"));
	await answerTo(owner, "/settings media", { spoiler: true });
	await answerTo(owner, "/settings channel", { channel: gallery, rule: "allow" });
	await answerTo(owner, "/settings pause", { on: true, message: "back soon" });

	const unchanged = await replyWithText(pressSetting(owner, results, "1:setting:media.spoiler"), "in the meantime");
	expect(textOf(unchanged)).toContain("**Spoilers**: on");
	const stillPaused = await replyWithText(pressSetting(owner, access, "1:setting:paused"), "in the meantime");
	expect(textOf(stillPaused)).toContain("back soon");
	const submitted = owner.submit(channels, { allowed: [afterDark], denied: [] });
	expect(textOf(await replyWithText(submitted, "in the meantime"))).toContain(`**Channels**: only <#${gallery}>`);
	await replyWithText(owner.submit(pause, { message: "Back at noon" }), "in the meantime");
	const returned = async () => (await owner.messages()).filter((message) => textOf(message).includes("Back at noon"));
	await expect.poll(async () => (await returned()).map(isPrivate)).toStrictEqual([true]);
});

test("the panel of /settings shows why a value was denied beside its setting, and keeps what was typed", async () => {
	const { owner } = await openAtelierWithMembers();
	const panel = await settingsPage(owner, "Results");
	const form = await openForm(pressSetting(owner, panel, "1:setting:confirmAbove"));
	const denied = await replyWithText(owner.submit(form, { value: "lots" }), "⚠️");
	expect(textOf(denied)).toMatch(/\*\*Confirmation\*\*: never\n⚠️ .*must be a whole number/);
	const again = await openForm(pressSetting(owner, denied, "1:setting:confirmAbove"));
	expect(JSON.stringify(again.components)).toContain('"value":"lots"');
	await answerTo(owner, "/settings general", { confirm_above: 20 });
	const current = await openForm(pressSetting(owner, denied, "1:setting:confirmAbove"));
	expect(JSON.stringify(current.components)).toContain('"value":"20"');
	const saved = await replyWithText(owner.submit(current, { value: "30" }), "**Confirmation**: above 30 credits");
	expect(textOf(saved)).not.toContain("⚠️");

	const access = await replyWithText(owner.press(saved, { label: "Access" }), "**Roles**");
	const roles = await openForm(pressSetting(owner, access, "1:setting:roles"));
	const { guild } = await owner.state();
	await replyWithText(owner.submit(roles, { allowed: [guild.id], denied: [] }), "@everyone includes every member");
});
