import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pino } from "pino";
import { expect, test } from "vitest";
import { systemClock } from "@atelier/common/clock";
import { smallMediaFile } from "@atelier/common/testing/small-media-file";
import type { ProvenanceMark } from "@atelier/media-files/mark-file";
import type { Transcoder } from "@atelier/media-files/transcoder";
import type { MediaFile } from "../../../src/services/delivery/media-file.ts";
import { createResultStore } from "../../../src/services/delivery/result-store.ts";
import { shrinkStoredFiles } from "../../../src/services/delivery/shrink-stored-files.ts";
import { UnusableFileError } from "@atelier/media-files/unusable-file";
import { readContent, storeFile } from "../../fakes/file-content.ts";
import { createTempFolder } from "@atelier/common/testing/temp-folder";

const TASK = "1430000000000000000";
const song = { name: "atelier-1430000000000000000.wav", contentType: "audio/wav", sizeBytes: 9 };

/** A result store, and a transcoder that returns the first `bytesMax` letters of its input, and rejects `unusableContent`. */
async function setup(unusableContent = "", mark?: ProvenanceMark, kind: "preview" | "transcoded" = "preview") {
	const folder = await createTempFolder();
	const results = createResultStore({
		folder: join(folder, "results"),
		bytesMax: 1_000_000,
		async *openTaskIds() {},
		clock: systemClock,
	});
	const transcoder: Transcoder = {
		isQueueFull: () => false,
		async transcode({ path, bytesMax }) {
			const whole = await readFile(path);
			if (whole.equals(Buffer.from(unusableContent))) throw new UnusableFileError({ kind: "damaged" });
			const outputPath = join(folder, "output");
			await writeFile(outputPath, whole.subarray(0, bytesMax));
			return {
				kind,
				path: outputPath,
				sizeBytes: bytesMax,
				contentType: "audio/x-m4a",
				extension: "m4a",
				changes: [{ kind: "beginning", seconds: bytesMax }],
				[Symbol.asyncDispose]: async () => {},
			};
		},
	};
	const context = { logger: pino({ level: "silent" }), signal: new AbortController().signal };
	const shrink = (files: readonly MediaFile[], bytesMax: number) =>
		shrinkStoredFiles({ results, transcoder }, { taskId: TASK, files, bytesMax, mark }, context);
	/** Returns the contents of the preview and of the full-size file. */
	const stored = async (index: number) => {
		const content = await readContent(await results.open(TASK, index));
		const found = await results.locateFullSize(TASK, index);
		return [content, found?.hasPreview ? await readFile(found.path, "latin1") : undefined];
	};
	return { results, shrink, stored };
}

test("a result that is transcoded twice starts from the full-size file each time, which is kept", async () => {
	const { results, shrink, stored } = await setup();
	await storeFile(results, TASK, 0, Buffer.from("long song"));
	const once = await shrink([song], 6);
	expect(once).toMatchObject([{ name: "atelier-1430000000000000000.m4a", sizeBytes: 6, note: { kind: "preview" } }]);
	const twice = await shrink(once ?? [], 3);
	expect(twice).toMatchObject([{ sizeBytes: 3, note: { kind: "preview" } }]);
	expect(await stored(0)).toStrictEqual(["lon", "long song"]);
});

test.each(["preview", "transcoded"] as const)("a repetition after a crash has the same %s as before", async (kind) => {
	const { results, shrink, stored } = await setup("", undefined, kind);
	await storeFile(results, TASK, 0, Buffer.from("long song"));
	const lost = await shrink([song], 6);
	expect(await shrink([song], 6)).toStrictEqual(lost);
	expect(await stored(0)).toStrictEqual(["long s", "long song"]);
});

test("if one of several files cannot be reduced, all stay unchanged", async () => {
	const { results, shrink, stored } = await setup("the other");
	await storeFile(results, TASK, 0, Buffer.from("long song"));
	await storeFile(results, TASK, 1, Buffer.from("the other"));
	expect(await shrink([song, song], 6)).toBeUndefined();
	expect(await stored(0)).toStrictEqual(["long song", undefined]);
	expect(await stored(1)).toStrictEqual(["the other", undefined]);
});

test("the full-size file of a preview has its mark, whatever the type of the preview", async () => {
	const mark = { sourceType: "trainedAlgorithmicMedia", modelName: "Model", botName: "Atelier" } as const;
	const { results, shrink, stored } = await setup("", mark);
	await storeFile(results, TASK, 0, smallMediaFile("a.png"));
	expect(await shrink([{ ...song, name: "atelier-1430000000000000000.png" }], 6)).toMatchObject([
		{ provenance: "none" },
	]);
	expect((await stored(0))[1]).toContain("trainedAlgorithmicMedia");
});
