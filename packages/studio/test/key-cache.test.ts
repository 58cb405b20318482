import { expect, test } from "vitest";
import { createKeyCache, KEY_KNOWN_FOR_MS } from "../src/key-cache.ts";
import type { KeyHolder } from "../src/keys.ts";
import { createManualClock } from "@atelier/common/testing/manual-clock";

const HOLDER: KeyHolder = {
	id: "0123456789abcdef",
	account: "acme",
	name: "web",
	scopes: ["read"],
	models: null,
	addresses: null,
	expiresAtMs: null,
	cap: null,
	createdAtMs: 0,
	revokedAtMs: null,
};

function setup() {
	const stored = new Map<string, KeyHolder>();
	const reads: string[] = [];
	const clock = createManualClock();
	const keys = createKeyCache({ holderOf: async (key) => (reads.push(key), stored.get(key)) }, clock);
	return { keys, stored, reads, clock };
}

test("a valid key is read from the store once per period, not per request", async () => {
	const { keys, stored, reads, clock } = setup();
	stored.set("sk-a", HOLDER);
	for (let n = 0; n < 3; n++) expect(await keys.holderOf("sk-a")).toBe(HOLDER);
	expect(reads).toStrictEqual(["sk-a"]);
	await clock.advance(KEY_KNOWN_FOR_MS + 1);
	await keys.holderOf("sk-a");
	expect(reads).toStrictEqual(["sk-a", "sk-a"]);
});

test("a revoked key is rejected after that time, even if it is in constant use", async () => {
	const { keys, stored, clock } = setup();
	stored.set("sk-a", HOLDER);
	await keys.holderOf("sk-a");
	const revoked = { ...HOLDER, revokedAtMs: clock.nowMs() };
	stored.set("sk-a", revoked);
	await clock.advance(KEY_KNOWN_FOR_MS);
	expect(await keys.holderOf("sk-a")).toBe(HOLDER);
	await clock.advance(1);
	expect(await keys.holderOf("sk-a")).toBe(revoked);
});

test("an unknown key is not cached: it works once it is created", async () => {
	const { keys, stored } = setup();
	expect(await keys.holderOf("sk-a")).toBeUndefined();
	stored.set("sk-a", HOLDER);
	expect(await keys.holderOf("sk-a")).toBe(HOLDER);
});

test("a failed read is not cached", async () => {
	const clock = createManualClock();
	const keys = createKeyCache({ holderOf: () => Promise.reject(new Error("the store is away")) }, clock);
	await expect(keys.holderOf("sk-a")).rejects.toThrow("the store is away");
});
