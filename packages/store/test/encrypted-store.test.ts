import { randomBytes } from "node:crypto";
import { describe, expect, test } from "vitest";
import { createKeyvStore } from "../src/keyv-store.ts";
import { createMemoryAdapter } from "../src/memory-adapter.ts";
import { createEncryption } from "../src/encryption.ts";
import { checkProofs, encryptStore, PROOF_KEY, reencryptStore } from "../src/encrypted-store.ts";
import type { Store } from "../src/store.ts";

const TASK = { state: "reserved", request: { prompt: ":a secret שלום \u{1F680}", list: [], none: null } };
const oldKey = randomBytes(32);
const newKey = randomBytes(32);

const encryptionOf = ([first, ...rest]: readonly Buffer[]) => first && createEncryption([first, ...rest]);

function setup() {
	const storage = createMemoryAdapter();
	const base = createKeyvStore(storage);
	const withKeys = (...keys: readonly Buffer[]) => encryptStore(base, encryptionOf(keys));
	/** Checks the keys as the start does. */
	const checkKeys = async (...keys: readonly Buffer[]) => {
		checkProofs((await base.get(PROOF_KEY))?.value, encryptionOf(keys));
	};
	const textOf = async (key: string): Promise<string> => (await storage.get(key)) ?? "";
	return { storage, base, withKeys, checkKeys, textOf };
}

describe("an encrypted store", () => {
	test("stores prompts encrypted and returns them unchanged", async () => {
		const { withKeys, textOf } = setup();
		const store = withKeys(newKey);
		await store.set("task:1", TASK);
		await store.set("account:1", TASK);
		expect(await textOf("task:1")).not.toContain("secret");
		expect(await textOf("account:1")).toContain("secret");
		expect((await store.get("task:1"))?.value).toStrictEqual(TASK);
		expect((await Array.fromAsync(store.scan("task:"))).map(({ value }) => value)).toStrictEqual([TASK]);
	});

	test("compares with the stored text in compare-and-set", async () => {
		const { withKeys } = setup();
		const store = withKeys(newKey);
		const [raw] = (await store.compareAndSetAll([{ key: "task:1", expectedRaw: undefined, next: TASK }])) ?? [];
		expect((await store.get("task:1"))?.raw).toBe(raw);
		expect(await store.compareAndSet("task:1", raw, { ...TASK, state: "reserved" })).toBeTypeOf("string");
		expect(await store.compareAndSet("task:1", raw, TASK)).toBeUndefined();
	});

	test("encrypts the changes and writes of a transaction, and removes documents", async () => {
		const { storage, withKeys, textOf } = setup();
		const store = withKeys(newKey);
		await store.set("task:3", TASK);
		const writes = [
			{ key: "task:2", value: TASK },
			{ key: "task:3", value: undefined },
		];
		await store.compareAndSetAll([{ key: "task:1", expectedRaw: undefined, next: TASK }], writes);
		const texts = await Promise.all(["task:1", "task:2"].map(textOf));
		expect(texts.join()).not.toContain("secret");
		const values = (await Array.fromAsync(store.scan("task:"))).map(({ key, value }) => [key, value]);
		expect(values).toStrictEqual([
			["task:1", TASK],
			["task:2", TASK],
		]);
		expect(await storage.get("task:3")).toBeUndefined();
	});

	test.each([null, "text", { ciphertext: 1 }, TASK])("reads the unencrypted value %j", async (value) => {
		const { base, withKeys } = setup();
		await base.set("task:1", value);
		expect((await withKeys(newKey).get("task:1"))?.value).toStrictEqual(value);
	});

	test("reads documents of an older key", async () => {
		const { withKeys } = setup();
		await withKeys(oldKey).set("task:1", TASK);
		expect((await withKeys(newKey, oldKey).get("task:1"))?.value).toStrictEqual(TASK);
	});

	test.each([
		["without a key", [], "PROMPT_KEYS is not set"],
		["with another key", [oldKey], "not among PROMPT_KEYS"],
	])("reports a damaged document, not a missing one, %s", async (_case, keys, reason) => {
		const { withKeys } = setup();
		await withKeys(newKey).set("task:1", TASK);
		const store = withKeys(...keys);
		await expect(store.get("task:1")).rejects.toMatchObject({
			name: "CorruptDocumentError",
			cause: { message: expect.stringContaining(reason) },
		});
		const damaged: string[] = [];
		const onCorrupt = (key: string): void => void damaged.push(key);
		expect(await Array.fromAsync(store.scan("task:", { onCorrupt }))).toStrictEqual([]);
		expect(damaged).toStrictEqual(["task:1"]);
	});

	test("rejects a changed document, a truncated one, and one that was copied to another key", async () => {
		const { storage, base, withKeys, textOf } = setup();
		const store = withKeys(newKey);
		await store.set("task:1", TASK);
		const text = await textOf("task:1");
		await storage.set("task:2", text);
		await expect(store.get("task:2")).rejects.toThrow("cannot be read");
		const at = text.length - 20;
		await storage.set("task:1", text.slice(0, at) + (text[at] === "A" ? "B" : "A") + text.slice(at + 1));
		await expect(store.get("task:1")).rejects.toThrow("cannot be read");
		const { ciphertext } = createEncryption([newKey]).encrypt("task:1", TASK);
		for (const charCount of [0, 8, 9, 20, 40, ciphertext.length - 4]) {
			await base.set("task:1", { ciphertext: ciphertext.slice(0, charCount) });
			await expect(store.get("task:1")).rejects.toThrow("cannot be read");
		}
	});
});

test("documents are encrypted with a new key or decrypted, also one that changes meanwhile", async () => {
	const { base, withKeys, textOf, checkKeys } = setup();
	const keys = createEncryption([newKey, oldKey]);
	await base.set("task:1", TASK);
	await withKeys(oldKey).set("task:2", TASK);
	await withKeys(newKey).set("task:3", TASK);
	const changing: Store = {
		...base,
		async compareAndSet(key, expectedRaw, next) {
			if ((await base.get(key))?.raw === expectedRaw) await onChange();
			return await base.compareAndSet(key, expectedRaw, next);
		},
	};
	let onChange = async (): Promise<void> => {
		onChange = async () => {};
		await base.set("task:1", "changed");
	};
	expect(await reencryptStore(changing, keys, "firstKey")).toStrictEqual({ changedCount: 2, corruptKeys: [] });
	const current = withKeys(newKey);
	expect((await Array.fromAsync(current.scan("task:"))).map(({ value }) => value)).toStrictEqual([
		"changed",
		TASK,
		TASK,
	]);
	expect(await textOf("task:1")).toContain("ciphertext");
	await expect(checkKeys()).rejects.toThrow("Set PROMPT_KEYS");

	onChange = () => base.delete("task:3");
	expect(await reencryptStore(changing, keys, "plain")).toStrictEqual({ changedCount: 2, corruptKeys: [] });
	expect((await Array.fromAsync(base.scan("task:"))).map(({ value }) => value)).toStrictEqual(["changed", TASK]);
	await checkKeys();
});

test.each(["firstKey", "plain"] as const)(
	"unreadable documents stay as they are, and all others change: %s",
	async (to) => {
		const { storage, base, withKeys } = setup();
		await withKeys(oldKey).set("task:1", TASK);
		await withKeys(randomBytes(32)).set("task:2", TASK);
		await storage.set("task:3", "{");
		const keys = createEncryption([newKey, oldKey]);
		expect(await reencryptStore(base, keys, to)).toStrictEqual({ changedCount: 1, corruptKeys: ["task:2", "task:3"] });
		expect((await withKeys(newKey).get("task:1"))?.value).toStrictEqual(TASK);
		expect(await storage.get("task:3")).toBe("{");
	},
);

test("a store without encrypted documents needs no keys, also after an opening with keys", async () => {
	const { withKeys, checkKeys } = setup();
	await withKeys(oldKey).set("account:1", TASK);
	await expect(checkKeys()).resolves.toBeUndefined();
});

test("the keys of an encrypted store are required, an old one until all documents have the new one", async () => {
	const { base, withKeys, textOf, checkKeys } = setup();
	await withKeys(oldKey).set("task:1", TASK);
	const proofs = await textOf(PROOF_KEY);
	await withKeys(oldKey).set("task:2", TASK);
	expect(await textOf(PROOF_KEY)).toBe(proofs);
	await checkKeys(oldKey);
	await expect(checkKeys()).rejects.toThrow("Set PROMPT_KEYS to its previous value");
	await expect(checkKeys(newKey)).rejects.toThrow("after the new one");

	await withKeys(newKey, oldKey).set("task:2", TASK);
	await expect(checkKeys(newKey)).rejects.toThrow("after the new one");
	await expect(checkKeys(oldKey)).rejects.toThrow("not in PROMPT_KEYS");
	await reencryptStore(base, createEncryption([newKey, oldKey]), "firstKey");
	await checkKeys(newKey);
});
