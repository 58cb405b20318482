/** Settings that are changed on the dashboard and used by commands: files, channel defaults and styles. */
import { expect, test } from "vitest";
import { textOf } from "@atelier/playground/user-client/message-contents";
import { t } from "../../src/i18n/messages.ts";
import type { ServerSettings } from "@atelier/dashboard/server-settings";
import { openDashboards } from "./dashboard-setup.ts";
import { channelIdOf } from "./start-atelier.ts";
import { plainText, answerTo, messagesIn } from "./replies.ts";

async function setup(options: Parameters<typeof openDashboards>[0] = {}) {
	const opened = await openDashboards(options);
	const { call, browser, params } = opened;
	const read = async () => (await call("settings", { params })).body;
	const save = async (change: Partial<ServerSettings>) => {
		const { revision, settings } = await read();
		return await call("saveSettings", { params, body: { revision, settings: { ...settings, ...change } } });
	};
	const exported = async (): Promise<string> =>
		await (await browser.request(`/dashboard/api/servers/${params.server}/settings/file`)).text();
	return { ...opened, read, save, exported };
}

test("a file of settings shows what it would change, and then changes it in one revision, which every audit lists", async () => {
	const { call, params, exported, save, read, ada, owner, ownerId } = await setup();
	await answerTo(owner, "/settings general", { confirm_above: 20 });
	const text = (await exported()).replace('"confirmAbove": 20', '"confirmAbove": 30');
	await save({ access: { ...(await read()).settings.access, paused: { message: "Back soon" } } });
	const { body: preview } = await call("previewImport", { params, body: { text } });
	expect(preview.changes).toHaveLength(2);
	expect(preview.changes.join("\n")).toContain("Back soon");
	expect(await answerTo(ada, "/image", { prompt: "a boat" })).toContain("Back soon");
	const imported = await call("importSettings", { params, body: { text, revision: preview.revision } });
	expect(imported).toMatchObject({ status: 200, body: { revision: 3, settings: { confirmAbove: 30 } } });
	expect(await answerTo(ada, "/image", { prompt: "a boat" })).toContain("left");
	const { items: changes } = (await call("settingsChanges", { params })).body;
	expect(changes[0]).toMatchObject({ revision: 3, userId: ownerId, via: "dashboard" });
	expect(changes[0]?.fields).toContain("**Confirmation**: above 20 credits → above 30 credits");
	expect(changes.at(-1)).toMatchObject({ revision: 1, userId: ownerId, via: "discord" });
	const audit = plainText(await answerTo(owner, "/settings audit"));
	expect(audit).toContain(`<@${ownerId}> · dashboard · **Pause**`);
	expect(audit).toContain(`<@${ownerId}> · Discord · **Confirmation**`);
});

test("a file of settings does not replace what another admin saved after the preview", async () => {
	const { call, params, exported, save, read } = await setup();
	const text = await exported();
	const { revision } = (await call("previewImport", { params, body: { text } })).body;
	await save({ pings: "never" });
	const conflict = { status: 409, body: { error: { code: "conflict" } } };
	expect(await call("importSettings", { params, body: { text, revision } })).toMatchObject(conflict);
	const { settings } = await read();
	const late = { revision, settings: { ...settings, pings: "always" as const } };
	expect(await call("saveSettings", { params, body: late })).toMatchObject(conflict);
	expect((await read()).settings.pings).toBe("never");
});

test("a channel where the bot cannot post is denied at its setting, and a new one is greeted", async () => {
	const { owner, save, read, exported, call, params } = await setup();
	const [gallery, notices] = [await channelIdOf(owner, "gallery"), await channelIdOf(owner, "notices")];
	const message = expect.stringContaining(`The bot can't post in <#${notices}>`);
	const denied = { status: 422, body: { error: { code: "denied", message, settings: ["reportChannelId"] } } };
	expect(await save({ reportChannelId: notices })).toMatchObject(denied);
	const text = (await exported()).replace('"reportChannelId": null', `"reportChannelId": "${notices}"`);
	const { revision } = await read();
	expect(await call("importSettings", { params, body: { text, revision } })).toMatchObject(denied);
	expect((await save({ reportChannelId: gallery })).body.settings.reportChannelId).toBe(gallery);
	expect((await messagesIn(owner, gallery)).map(textOf)).toStrictEqual([
		t("en-US", { key: "settings.reportChannelHello" }),
	]);
});

test("settings of a channel are those of the command, apply to the next command, and are removed when they are empty", async () => {
	const { owner, ada, save, read } = await setup();
	const NO_DEFAULTS = { models: {}, style: null, private: null, mediaOff: [], threads: false };
	const channelId = await channelIdOf(owner, "general");
	await answerTo(owner, "/settings defaults", { channel: channelId, private: true });
	expect((await read()).settings.channelDefaults).toEqual({ [channelId]: { ...NO_DEFAULTS, private: true } });
	await save({ channelDefaults: { [channelId]: { ...NO_DEFAULTS, mediaOff: ["image"] } } });
	expect(await answerTo(ada, "/image", { prompt: "a boat" })).not.toContain("left");
	await save({ channelDefaults: { [channelId]: NO_DEFAULTS } });
	expect((await read()).settings.channelDefaults).toEqual({});
	expect(await answerTo(ada, "/image", { prompt: "a boat" })).toContain("left");
});

test("styles that are added on the page are offered by the command, with the models and options that the directory offers", async () => {
	const { ada, save, read, call, params } = await setup({ env: { MODERATION_URL: "http://127.0.0.1:9/judge" } });
	const ink = { text: "black ink, loose lines", mediaType: null, model: null, options: {} };
	const { models, ...provided } = (await call("directory", { params })).body;
	expect(provided).toMatchObject({ hasModeration: true, hasImprover: false });
	const model = models.find(({ mediaType }) => mediaType === "image");
	const ratio = model?.styleOptions?.find(({ name }) => name === "aspect_ratio")?.choices.at(-1);
	if (!model || ratio === undefined) throw new Error("no image model offers aspect ratios");
	const wide = { text: "", mediaType: "image" as const, model: model.id, options: { aspect_ratio: ratio } };
	expect((await save({ styles: { Ink: ink, Wide: wide } })).status).toBe(200);
	const listed = plainText(await answerTo(ada, "/style list"));
	expect(listed).toContain("black ink, loose lines");
	expect(listed).toContain(ratio);
	const denied = { status: 422, body: { error: { code: "denied" } } };
	for (const styles of [
		{ Wide: { ...wide, options: { aspect_ratio: "7:1" } } },
		{ Wide: { ...wide, model: "no-such-model" } },
		{ "*Ink*": ink },
	])
		expect(await save({ styles })).toMatchObject(denied);
	await save({ styles: { Wide: wide } });
	expect((await read()).settings.styles).toEqual({ Wide: wide });
	expect(plainText(await answerTo(ada, "/style list"))).not.toContain("black ink");
});
