import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { writeSyncedFile } from "../../../src/services/delivery/durable-file.ts";
import { createTempFolder } from "@atelier/common/testing/temp-folder";

async function* pieces(count: number, bytes: number): AsyncGenerator<Uint8Array> {
	for (let index = 0; index < count; index++) yield Buffer.alloc(bytes, index);
}

async function* broken(): AsyncGenerator<Uint8Array> {
	yield* pieces(5, 1_000_000);
	throw new Error("connection closed");
}

test.each([
	["nothing", 0, 0],
	["one small piece", 1, 10],
	["many pieces of an odd size", 77, 65_521],
	["pieces larger than the buffer", 3, 3_000_000],
])("a stream of %s is written completely and in order", async (_what, count, bytes) => {
	const path = join(await createTempFolder(), "file");
	const expected = Buffer.concat(await Array.fromAsync(pieces(count, bytes)));
	const { sizeBytes, synced } = await writeSyncedFile(path, pieces(count, bytes));
	expect(sizeBytes).toBe(expected.byteLength);
	// The file is readable before its sync has ended.
	expect((await readFile(path)).equals(expected)).toBe(true);
	await synced;
});

test("an interrupted stream rejects with its error", async () => {
	const path = join(await createTempFolder(), "file");
	await expect(writeSyncedFile(path, broken())).rejects.toThrow("connection closed");
});
