/** Settings that are changed on the dashboard and used by commands: files and channel defaults. */
import { expect, test } from "vitest";
import type { ServerSettings } from "@atelier/dashboard/server-settings";
import { openDashboards } from "./dashboard-setup.ts";
import { channelIdOf } from "./start-atelier.ts";
import { plainText, answerTo } from "./replies.ts";

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

test("the directory says what the operator has set up", async () => {
	const { call, params } = await setup({ env: { MODERATION_URL: "http://127.0.0.1:9/judge" } });
	expect((await call("directory", { params })).body).toMatchObject({ hasModeration: true, hasImprover: false });
});
