import { randomBytes } from "node:crypto";
import { describe, expect, test } from "vitest";
import { createManualClock } from "@atelier/common/testing/manual-clock";
import { openMemoryStore } from "@atelier/store/testing/memory-store";
import { memberAuthor } from "../../../src/services/access/change-author.ts";
import { createApiKeys } from "../../../src/services/access/api-keys.ts";
import { createGuildSettings } from "../../../src/services/settings/guild-settings.ts";

const GUILD = "1";
const AUTHOR = memberAuthor("7", "dashboard");

function setup() {
	const store = openMemoryStore();
	const clock = createManualClock(Date.UTC(2026, 10, 20));
	const settings = createGuildSettings(store, { clock });
	const keys = createApiKeys({
		store,
		settings,
		directory: { readBotJoin: async () => "2026-11-01T00:00:00Z" },
		clock,
		randomBytes,
	});
	const create = (name: string) => keys.create(GUILD, { name, byUserId: "7" }, AUTHOR);
	const names = async (): Promise<readonly string[]> => (await keys.list(GUILD)).map(({ name }) => name);
	const changes = async () => Array.fromAsync(settings.changes(GUILD));
	return { store, clock, settings, keys, create, names, changes };
}

describe("the API keys of a server", () => {
	test("are stored without their secret", async () => {
		const { store, create } = setup();
		const { key } = await create("one");
		const documents = await Array.fromAsync(store.scan(""));
		expect(documents.length).toBeGreaterThan(0);
		const secret = key.slice("atelier_".length + 6);
		expect(documents.filter(({ raw }) => raw.includes(secret))).toEqual([]);
	});

	test("are recorded in the audit of the settings, also if several admins write at once", async () => {
		const { settings, create, names, changes } = setup();
		await Promise.all([
			...["one", "two", "three"].map((name) => create(name)),
			settings.change(GUILD, (before) => ({ ...before, language: "de" }), memberAuthor("8", "discord")),
		]);
		expect((await names()).toSorted()).toEqual(["one", "three", "two"]);
		const audited = (await changes()).flatMap((change) => change.changes.map(({ after }) => String(after))).toSorted();
		expect(audited).toEqual(["de", "one", "three", "two"]);
		expect((await settings.read(GUILD)).language).toBe("de");
	});

	test("have different names, and are at most 20", async () => {
		const { create, names } = setup();
		const results = await Promise.allSettled([create("one"), create("one")]);
		expect(results.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
		for (let count = 2; count <= 20; count++) await create(`key ${count}`);
		await expect(create("one more")).rejects.toThrow("web.apiKeysFull");
		expect(await names()).toHaveLength(20);
	});

	test("record their last use once a minute, until they are revoked", async () => {
		const { clock, store, keys, create } = setup();
		const { key } = await create("one");
		const lastUse = async () => (await keys.list(GUILD))[0]?.lastUsedAtMs;
		expect(await lastUse()).toBeNull();
		const firstAtMs = clock.nowMs();
		await keys.use(GUILD, key);
		await clock.advance(30_000);
		await keys.use(GUILD, key);
		expect(await lastUse()).toBe(firstAtMs);
		await clock.advance(30_000);
		await keys.use(GUILD, key);
		expect(await lastUse()).toBe(firstAtMs + 60_000);
		await keys.revoke(GUILD, (await keys.list(GUILD))[0]?.id ?? "", AUTHOR);
		expect(await Array.fromAsync(store.scan("api-key-use:"))).toEqual([]);
	});
});
