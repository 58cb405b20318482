import { mkdir, readdir, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { systemClock } from "@atelier/common/clock";
import { createTempDir } from "../../../src/services/delivery/temp-dir.ts";
import { createTempFolder } from "../../e2e/start-atelier.ts";

test("a temporary directory is removed with its content, and may be removed twice", async () => {
	const place = await createTempFolder();
	const scratch = createTempDir({ parentDir: place, clock: systemClock });
	const folder = await scratch.open();
	await writeFile(join(folder, "video.mp4"), "half of it");
	await scratch.remove(folder);
	await scratch.remove(folder);
	expect(await readdir(place)).toStrictEqual([]);
});

test("directories of a killed process are removed after an hour; other directories stay", async () => {
	const place = await createTempFolder();
	const scratch = createTempDir({ parentDir: place, clock: systemClock });
	const [old, young] = [await scratch.open(), await scratch.open()];
	await mkdir(join(place, "holiday"));
	const twoHoursAgoS = systemClock.nowMs() / 1000 - 7200;
	await utimes(old, twoHoursAgoS, twoHoursAgoS);
	await utimes(join(place, "holiday"), twoHoursAgoS, twoHoursAgoS);
	await scratch.prune();
	expect((await readdir(place)).toSorted()).toStrictEqual(["holiday", young.slice(place.length + 1)]);
});
