import { randomBytes } from "node:crypto";
import { describe, expect, test } from "vitest";
import { createKeyvStore } from "../src/keyv-store.ts";
import { createMemoryAdapter } from "../src/memory-adapter.ts";
import { createEncryption } from "../src/encryption.ts";
import { verifyEncryptionKeys, encryptStore } from "../src/encrypted-store.ts";

const TASK = { state: "reserved", request: { prompt: ":a secret שלום \u{1F680}", list: [], none: null } };
const oldKey = randomBytes(32);
const newKey = randomBytes(32);

function setup() {
	const storage = createMemoryAdapter();
	const base = createKeyvStore(storage);
	const withKeys = (...keys: readonly Buffer[]) => {
		const [first, ...rest] = keys;
		return encryptStore(base, first && createEncryption([first, ...rest]));
	};
	const textOf = async (key: string): Promise<string> => (await storage.get(key)) ?? "";
	return { storage, base, withKeys, textOf };
}

describe("an encrypted store", () => {
	test("stores prompts encrypted and returns them unchanged", async () => {
		const { withKeys, textOf } = setup();
		const store = withKeys(newKey);
		await store.set("task:1", TASK);
		expect(await textOf("task:1")).not.toContain("secret");
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

	test("reads unencrypted documents, and documents of an older key", async () => {
		const { base, withKeys } = setup();
		await base.set("task:1", TASK);
		await withKeys(oldKey).set("task:2", TASK);
		const store = withKeys(newKey, oldKey);
		expect((await store.get("task:1"))?.value).toStrictEqual(TASK);
		expect((await store.get("task:2"))?.value).toStrictEqual(TASK);
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

	test("rejects a changed document, and one that was copied to another key", async () => {
		const { storage, withKeys, textOf } = setup();
		const store = withKeys(newKey);
		await store.set("task:1", TASK);
		const text = await textOf("task:1");
		await storage.set("task:2", text);
		await expect(store.get("task:2")).rejects.toThrow("cannot be read");
		const at = text.length - 20;
		await storage.set("task:1", text.slice(0, at) + (text[at] === "A" ? "B" : "A") + text.slice(at + 1));
		await expect(store.get("task:1")).rejects.toThrow("cannot be read");
	});
});

test("the keys of an encrypted store are required at the start; a new key is accepted only before the old one", async () => {
	const { base } = setup();
	await verifyEncryptionKeys(base, undefined);
	await verifyEncryptionKeys(base, createEncryption([oldKey]));
	await expect(verifyEncryptionKeys(base, undefined)).rejects.toThrow("Set PROMPT_KEYS to its previous value");
	await expect(verifyEncryptionKeys(base, createEncryption([newKey]))).rejects.toThrow("after the new one");
	await verifyEncryptionKeys(base, createEncryption([newKey, oldKey]));
	await verifyEncryptionKeys(base, createEncryption([newKey]));
});
