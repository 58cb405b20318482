import { describe, expect, test } from "vitest";
import { isSame } from "../../src/setting-paths.ts";
import type { ServerSettings } from "../../src/server-settings.ts";
import { ApiError } from "../../web/src/api-error.ts";
import type { Call } from "../../web/src/api.ts";
import { createSettingsStore } from "../../web/src/settings-store.ts";
import { settings } from "./settings-fixture.ts";

interface Stored {
	revision: number;
	settings: ServerSettings;
}

/** A bot that stores settings, and refuses old revisions, or every save for the reason in `denial`. */
async function setup() {
	const bot: {
		stored: Stored;
		denial?: ApiError | undefined;
		normalize?: (sent: ServerSettings) => ServerSettings;
	} = { stored: { revision: 1, settings } };
	const call = (async (name: string, { body }: { body?: Stored }) => {
		if (name === "settings" || !body) return bot.stored;
		if (bot.denial) throw bot.denial;
		if (body.revision !== bot.stored.revision) throw new ApiError(409, "conflict", "");
		const normalized = bot.normalize?.(body.settings) ?? body.settings;
		if (!isSame(normalized, bot.stored.settings)) bot.stored = { revision: body.revision + 1, settings: normalized };
		return bot.stored;
	}) as unknown as Call;
	const store = createSettingsStore(call, "42");
	await store.load();
	const edit = (change: Partial<ServerSettings>): void => store.update((before) => ({ ...before, ...change }));
	const someoneElseSaves = (change: Partial<ServerSettings>): void => {
		bot.stored = { revision: bot.stored.revision + 1, settings: { ...bot.stored.settings, ...change } };
	};
	return { bot, store, edit, someoneElseSaves };
}

test("the reason of a denied value is at its setting until the value changes or is saved", async () => {
	const { bot, store, edit } = await setup();
	bot.denial = new ApiError(422, "denied", "I can't post there.", { settings: ["showcase.channelId"] });
	edit({ showcase: { channelId: "50", stars: 5 } });
	await expect(store.save()).rejects.toThrow(ApiError);
	expect(store.denialOf("showcase.channelId")).toBe("I can't post there.");
	expect(store.denialOf("logChannelId")).toBeUndefined();
	edit({ showcase: { channelId: "51", stars: 5 } });
	expect(store.denialOf("showcase.channelId")).toBeUndefined();
	edit({ showcase: { channelId: "50", stars: 5 } });
	bot.denial = undefined;
	await store.save();
	expect(store.denialOf("showcase.channelId")).toBeUndefined();
});

describe("unsaved settings", () => {
	test("do not return to an older revision when the response to a save comes late", async () => {
		const { bot, store, edit, someoneElseSaves } = await setup();
		edit({ pings: "never" });
		const saving = store.save();
		someoneElseSaves({ language: "de" });
		store.adopt(bot.stored);
		await saving;
		expect(store.saved.value).toMatchObject({ revision: 3, settings: { pings: "never", language: "de" } });
		expect(store.changes.value).toStrictEqual([]);
	});

	test("that the bot normalizes to the stored ones are saved, although the revision stays", async () => {
		const { bot, edit, store } = await setup();
		bot.normalize = (sent) => ({ ...sent, filter: settings.filter });
		edit({ filter: { patterns: ["dragon*", "DRAGON*"] } });
		expect(await store.save()).toBe(true);
		expect(store.saved.value?.revision).toBe(1);
		expect(store.changes.value).toStrictEqual([]);
	});

	test("that are typed during a save are not sent when it is repeated, because a new block changed the revision", async () => {
		const { bot, store, edit, someoneElseSaves } = await setup();
		edit({ pings: "never" });
		someoneElseSaves({});
		const saving = store.save();
		edit({ pings: "always" });
		expect(await saving).toBe(true);
		expect(bot.stored).toMatchObject({ revision: 3, settings: { pings: "never" } });
		expect(store.changes.value).toStrictEqual([["pings"]]);
		expect(store.hasConflict.value).toBe(false);
	});

	test("survive a conflict, and are saved on top of the new settings when the reader repeats the save", async () => {
		const { bot, store, edit, someoneElseSaves } = await setup();
		edit({ pings: "never" });
		someoneElseSaves({ language: "de" });
		expect(await store.save()).toBe(false);
		expect(store.changes.value).toStrictEqual([["pings"]]);
		expect(await store.save()).toBe(true);
		expect(bot.stored.settings).toMatchObject({ pings: "never", language: "de" });
	});

	test("are not reported as saved when newer settings replaced them all", async () => {
		const { store, edit, someoneElseSaves } = await setup();
		edit({ timeZone: "Europe/Paris" });
		someoneElseSaves({ timeZone: "Asia/Tokyo" });
		expect(await store.save()).toBe(false);
		expect(store.changes.value).toStrictEqual([]);
		expect(store.hasConflict.value).toBe(true);
	});

	test("are replaced by newer settings of the same value when a page reads again, and the reader is told", async () => {
		const { store, edit, someoneElseSaves } = await setup();
		edit({ pings: "never", timeZone: "Europe/Paris" });
		someoneElseSaves({ pings: "never" });
		await store.load();
		expect(store.hasConflict.value).toBe(false);
		someoneElseSaves({ timeZone: "Asia/Tokyo" });
		await store.load();
		expect(store.hasConflict.value).toBe(true);
	});

	test("are saved when an earlier save has stored them, whose response was lost", async () => {
		const { bot, store, edit } = await setup();
		edit({ pings: "never" });
		bot.stored = { revision: 2, settings: { ...settings, pings: "never" } };
		expect(await store.save()).toBe(true);
		expect(store.changes.value).toStrictEqual([]);
	});
});

test("a change that is saved at once leaves the others unsaved, and is repeated after a conflict", async () => {
	const { bot, store, edit, someoneElseSaves } = await setup();
	edit({ pings: "never" });
	someoneElseSaves({ language: "de" });
	await store.saveOnly((saved) => ({ ...saved, access: { ...saved.access, paused: { message: null } } }));
	expect(bot.stored.settings).toMatchObject({ pings: "ask", language: "de", access: { paused: { message: null } } });
	expect(store.changes.value).toStrictEqual([["pings"]]);
});
