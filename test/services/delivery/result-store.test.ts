import fs from "node:fs";
import { readFile, readdir, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, onTestFinished, test, vi } from "vitest";
import { createResultStore } from "../../../src/services/delivery/result-store.ts";
import { readContent, storeFile } from "../../fakes/file-content.ts";
import { createTempFolder } from "@atelier/common/testing/temp-folder";
import { createManualClock } from "@atelier/common/testing/manual-clock";

const DISK_MS = 50;
const DAY_MS = 24 * 60 * 60 * 1000;

async function setup({ bytesMax = 1000, open = [] as string[] } = {}) {
	const folder = await createTempFolder();
	// File times come from the machine's clock.
	const clock = createManualClock(Date.now());
	const openTaskIds = async function* (): AsyncGenerator<string> {
		yield* open;
	};
	const results = createResultStore({ folder, bytesMax, openTaskIds, clock });
	const names = async (): Promise<string[]> => (await readdir(folder)).toSorted();
	/** Sets the age of a file, so that the order does not depend on the speed of the test. */
	const age = async (name: string, days: number): Promise<void> => {
		const atS = (clock.nowMs() - days * DAY_MS) / 1000;
		await utimes(join(folder, name), atS, atS);
	};
	return { folder, clock, results, names, age };
}

async function* chunks(...parts: string[]): AsyncGenerator<Uint8Array> {
	for (const part of parts) yield Buffer.from(part);
}

async function* broken(): AsyncGenerator<Uint8Array> {
	yield Buffer.from("half");
	throw new Error("connection closed");
}

test("a staged file can be read before it is stored, and then replaces the file of its name", async () => {
	const { folder, results, names } = await setup();
	await writeFile(join(folder, "7-0"), "an earlier try");
	const staged = await results.stage("7", chunks("an ", "image"));
	expect(staged.sizeBytes).toBe(8);
	expect(await readFile(staged.path, "utf8")).toBe("an image");
	expect(await readFile(join(folder, "7-0"), "utf8")).toBe("an earlier try");
	await staged.store(0);
	expect(await names()).toStrictEqual(["7-0"]);
	expect(await readContent(await results.open("7", 0))).toBe("an image");
});

test("a failed or disposed staged file leaves nothing behind", async () => {
	const { results, names } = await setup();
	await expect(results.stage("7", broken())).rejects.toThrow("connection closed");
	await (await results.stage("7", chunks("unwanted")))[Symbol.asyncDispose]();
	expect(await names()).toStrictEqual([]);
});

test("a stage that fails before the disk has created its file leaves nothing behind", async () => {
	const { results, names } = await setup();
	const openFile = fs.open as (...args: readonly unknown[]) => void;
	const opening = vi.spyOn(fs, "open").mockImplementationOnce((...args: readonly unknown[]) => {
		setTimeout(() => openFile(...args), DISK_MS);
	});
	onTestFinished(() => opening.mockRestore());
	await expect(results.stage("7", broken())).rejects.toThrow("connection closed");
	await sleep(2 * DISK_MS);
	expect(await names()).toStrictEqual([]);
});

test("a full-size file is stored beside its preview", async () => {
	const { results, names } = await setup();
	await storeFile(results, "7", 0, Buffer.from("half"));
	expect(await results.locateFullSize("7", 0)).toMatchObject({ sizeBytes: 4, hasPreview: false });
	await (await results.stage("7", chunks("an image"))).storeFullSize(0);
	expect(await names()).toStrictEqual(["7-0", "7-0.full"]);
	expect(await results.locateFullSize("7", 0)).toMatchObject({ sizeBytes: 8, hasPreview: true });
	expect(await readContent(await results.open("7", 0))).toBe("half");
});

test("reading a result fails when the file was removed or replaced by a larger one", async () => {
	const { results } = await setup();
	await storeFile(results, "7", 0, Buffer.from("an image"));
	const content = await results.open("7", 0);
	await storeFile(results, "7", 0, Buffer.from("a larger image"));
	await expect(readContent(content)).rejects.toThrow("has grown");
	await results.remove("7");
	await expect(readContent(content)).rejects.toThrow("ENOENT");
});

test("removing the files of a task leaves those of others", async () => {
	const { results, names } = await setup();
	for (const index of [0, 9]) await storeFile(results, "7", index, Buffer.from("x"));
	await storeFile(results, "77", 0, Buffer.from("x"));
	await (await results.stage("7", chunks("x"))).storeFullSize(9);
	await results.remove("7");
	expect(await names()).toStrictEqual(["77-0"]);
});

test("files older than a week are removed, except those of open tasks", async () => {
	const { results, names, age } = await setup({ open: ["2"] });
	for (const id of ["1", "2", "3"]) await storeFile(results, id, 0, Buffer.from("x"));
	await age("1-0", 8);
	await age("2-0", 8);
	await age("3-0", 6);
	await results.prune();
	expect(await names()).toStrictEqual(["2-0", "3-0"]);
});

test("the oldest files are removed beyond the maximum size, but no file of an open task", async () => {
	const { results, names, age } = await setup({ bytesMax: 10, open: ["1"] });
	for (const [index, id] of ["1", "3", "2"].entries()) {
		await storeFile(results, id, 0, Buffer.from("xxx"));
		await age(`${id}-0`, 3 - index);
	}
	await storeFile(results, "4", 0, Buffer.from("xxx"));
	expect(await names()).toStrictEqual(["1-0", "2-0", "4-0"]);
});

test("staged files of other processes are removed after an hour; own ones stay at any age", async () => {
	const { folder, results, names, age } = await setup();
	const mine = await results.stage("1", chunks("x"));
	const [mineName = ""] = await names();
	await age(mineName, 1);
	await writeFile(join(folder, "2.aaaaaaaaaaaa-0.part"), "a download of another container");
	await writeFile(join(folder, "3.bbbbbbbbbbbb-0.part"), "a staged file of a killed process");
	await age("3.bbbbbbbbbbbb-0.part", 0.05);
	await writeFile(join(folder, "notes.txt"), "another user's");
	await results.prune();
	expect(await names()).toStrictEqual([mineName, "2.aaaaaaaaaaaa-0.part", "notes.txt"].toSorted());
	await mine.store(0);
	expect(await readContent(await results.open("1", 0))).toBe("x");
});

test.each(["../../etc/passwd", "", "7/8", "seven"])("%j is not a task id", async (id) => {
	const { results } = await setup();
	await expect(storeFile(results, id, 0, Buffer.from("x"))).rejects.toThrow("task id of a result file is invalid");
	await expect(results.remove(id)).rejects.toThrow("task id of a result file is invalid");
});
