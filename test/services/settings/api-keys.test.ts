import { randomBytes } from "node:crypto";
import { assert, describe, expect, test } from "vitest";
import { createManualClock } from "@atelier/common/testing/manual-clock";
import { openMemoryStore } from "@atelier/store/testing/memory-store";
import { memberAuthor } from "../../../src/services/access/change-author.ts";
import { createApiKeys } from "../../../src/services/settings/api-keys.ts";
import { createSettingsStore } from "../../../src/services/settings/settings-store.ts";

const GUILD = "1";
const AUTHOR = memberAuthor("7", "dashboard");

function setup() {
	const store = openMemoryStore();
	const clock = createManualClock(Date.UTC(2026, 10, 20));
	const settings = createSettingsStore(store, { clock });
	let joinedAt = "2026-11-01T00:00:00Z";
	const directory = { readBotJoin: async () => joinedAt };
	/** The bot leaves the server and comes back. */
	const rejoin = (): void => void (joinedAt = "2026-11-20T00:00:00Z");
	const keys = createApiKeys({ store, settings, directory, clock, randomBytes });
	const create = (name: string) => keys.create(GUILD, { name, byUserId: "7" }, AUTHOR);
	return { store, clock, settings, keys, create, rejoin };
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
		const { settings, keys, create } = setup();
		await Promise.all([
			...["one", "two", "three"].map((name) => create(name)),
			settings.change(GUILD, (before) => ({ ...before, language: "de" }), memberAuthor("8", "discord")),
		]);
		expect((await keys.list(GUILD)).map(({ name }) => name).toSorted()).toEqual(["one", "three", "two"]);
		const changes = (await Array.fromAsync(settings.changes(GUILD))).flatMap((record) => record.changes);
		expect(changes.map(({ after }) => String(after)).toSorted()).toEqual(["de", "one", "three", "two"]);
		expect((await settings.read(GUILD)).language).toBe("de");
	});

	test("have different names, and are at most 20", async () => {
		const { keys, create } = setup();
		const results = await Promise.allSettled([create("one"), create("one")]);
		expect(results.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
		for (let count = 2; count <= 20; count++) await create(`key ${count}`);
		await expect(create("one more")).rejects.toThrow("web.apiKeysFull");
		expect(await keys.list(GUILD)).toHaveLength(20);
	});

	test("of an earlier stay of the bot are removed by the next key, with their last use", async () => {
		const { store, keys, create, rejoin } = setup();
		const { key } = await create("one");
		await keys.use(GUILD, (await keys.match(GUILD, key)) ?? assert.fail("the key is not found"));
		rejoin();
		await create("two");
		expect(await keys.match(GUILD, key)).toBeUndefined();
		expect(await Array.fromAsync(store.scan("api-key-use:"))).toEqual([]);
	});

	test("record their last use once a minute, until they are revoked", async () => {
		const { clock, store, keys, create } = setup();
		const { key } = await create("one");
		const read = async () => (await keys.list(GUILD))[0];
		expect((await read())?.lastUsedAtMs).toBeNull();
		const firstAtMs = clock.nowMs();
		for (const expectedAtMs of [firstAtMs, firstAtMs, firstAtMs + 60_000]) {
			await keys.use(GUILD, (await keys.match(GUILD, key)) ?? assert.fail("the key is not found"));
			expect((await read())?.lastUsedAtMs).toBe(expectedAtMs);
			await clock.advance(30_000);
		}
		await keys.revoke(GUILD, (await read())?.id ?? "", AUTHOR);
		expect(await Array.fromAsync(store.scan("api-key-use:"))).toEqual([]);
	});
});
