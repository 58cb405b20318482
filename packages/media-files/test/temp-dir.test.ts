import { mkdir, readdir, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { systemClock } from "@atelier/common/clock";
import { createTempDir } from "../src/temp-dir.ts";
import { createTempFolder } from "@atelier/common/testing/temp-folder";

test("a directory is removed with its content, also after an hour if its process was killed; others stay", async () => {
	const parentDir = await createTempFolder();
	const tempDir = createTempDir({ parentDir, clock: systemClock });
	const [old, young, finished] = [await tempDir.open(), await tempDir.open(), await tempDir.open()];
	for (const folder of [old, finished]) await writeFile(join(folder, "video.mp4"), "half of it");
	await tempDir.remove(finished);
	await mkdir(join(parentDir, "unrelated"));
	const twoHoursAgoS = systemClock.nowMs() / 1000 - 7200;
	await utimes(old, twoHoursAgoS, twoHoursAgoS);
	await utimes(join(parentDir, "unrelated"), twoHoursAgoS, twoHoursAgoS);
	await tempDir.prune();
	expect((await readdir(parentDir)).toSorted()).toStrictEqual(["unrelated", young.slice(parentDir.length + 1)]);
});
