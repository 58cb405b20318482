import { readdir, readFile, stat, truncate, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { BackupExistsError, checkBackup, readBackup, writeBackup } from "../../../src/services/backup/backup-file.ts";
import type { KvEntry } from "@atelier/store/kv-adapter";
import { createTempFolder } from "@atelier/common/testing/temp-folder";

const BACKUP_HEADER = { madeAtMs: 1_700_000_000_000, epoch: 3 };
const ENTRIES: readonly KvEntry[] = [
	{ key: "task:1", text: '{"value":"two\\nlines \u2028 and \u{1F680}"}' },
	{ key: "line:\n\u2028", text: '{"value":0}' },
	...Array.from({ length: 3000 }, (_, n) => ({ key: `open:${n}`, text: `{"value":"${"x".repeat(n % 97)}"}` })),
];

/** Yields the documents, and then runs `atEnd`. */
async function* entries(atEnd = async () => {}): AsyncGenerator<KvEntry> {
	yield* ENTRIES;
	await atEnd();
}

async function newBackup(): Promise<string> {
	const path = join(await createTempFolder(), "one.backup");
	expect(await writeBackup(path, BACKUP_HEADER, entries())).toBe(ENTRIES.length);
	return path;
}

test("a backup contains every document, and only its owner can read it", async () => {
	const path = await newBackup();
	expect(await checkBackup(path)).toStrictEqual({ ...BACKUP_HEADER, entries: ENTRIES.length });
	expect(await Array.fromAsync(readBackup(path))).toStrictEqual(ENTRIES);
	expect((await stat(path)).mode & 0o777).toBe(0o600);
});

test("a backup never overwrites another file, and leaves no partial one", async () => {
	const path = await newBackup();
	const before = await readFile(path);
	await expect(writeBackup(path, BACKUP_HEADER, entries())).rejects.toThrow("already exists. Choose another name");
	expect(await readFile(path)).toStrictEqual(before);
	const other = `${path}.other`;
	// Another program creates the file while the documents are read.
	const withNewFile = entries(() => writeFile(other, "another file"));
	await expect(writeBackup(other, BACKUP_HEADER, withNewFile)).rejects.toBeInstanceOf(BackupExistsError);
	expect(await readFile(other, "utf8")).toBe("another file");
	expect((await readdir(dirname(path))).toSorted()).toStrictEqual(["one.backup", "one.backup.other"]);
});

test("a truncated backup is rejected", async () => {
	const path = await newBackup();
	const { size } = await stat(path);
	for (const length of [size - 1, Math.floor(size / 2), 5, 0]) {
		await truncate(path, length);
		await expect(checkBackup(path)).rejects.toThrow(/incomplete|empty/);
	}
});

test.each([
	["a changed document", (text: string) => text.replace('"open:7"', '"open:8"')],
	["a missing document", (text: string) => text.replace(/\["open:7".*\n/, "")],
	["a line twice", (text: string) => text.replace(/(\["open:7".*\n)/, "$1$1")],
	["another time", (text: string) => text.replace("1700000000000", "1700000000001")],
])("a backup with %s is rejected", async (_what, change) => {
	const path = await newBackup();
	await writeFile(path, gzipSync(change(gunzipSync(await readFile(path)).toString())));
	await expect(checkBackup(path)).rejects.toThrow("its content has changed");
});

const NEWER = '{"format":"atelier-backup","version":2,"madeAtMs":0,"epoch":0}\n{}\n';

test.each([
	["another file", "hello", "not a backup"],
	["another format", gzipSync('{"format":"something"}\n{}\n'), "not a backup"],
	["a newer version", gzipSync(NEWER), "newer version"],
])("%s is rejected with the reason", async (_what, content, reason) => {
	const path = join(await createTempFolder(), "other");
	await writeFile(path, content);
	await expect(checkBackup(path)).rejects.toThrow(reason);
});
