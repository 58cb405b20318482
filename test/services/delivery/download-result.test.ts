import { randomBytes } from "node:crypto";
import { createReadStream } from "node:fs";
import { readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pino } from "pino";
import sharp from "sharp";
import { expect, onTestFinished, test } from "vitest";
import { systemClock } from "@atelier/common/clock";
import { createFairSemaphore } from "../../../src/services/delivery/fair-semaphore.ts";
import { downloadAndStoreResult, TranscodeQueueFullError } from "../../../src/services/delivery/download-result.ts";
import { DownloadFailedError, DownloadRejectedError, type Download } from "@atelier/common/download";
import { createTranscodeWorkerPool } from "@atelier/media-files/worker-pool";
import { createTranscoder } from "@atelier/media-files/transcoder";
import { createResultStore } from "../../../src/services/delivery/result-store.ts";
import type { MediaType } from "@atelier/media-protocol/model";
import { createTempDir } from "@atelier/media-files/temp-dir";
import { bytesOf } from "../../fakes/file-content.ts";
import { wav } from "@atelier/common/testing/wav-and-mp4-head";
import { createTempFolder } from "@atelier/common/testing/temp-folder";

const TASK = "1430000000000000000";
const KIB = 1024;
const MIB = 1024 * KIB;

const HTML = Buffer.from("<html>");

/** `downloadFiles` serves files and downloads them as one result. */
async function setup() {
	const folder = await createTempFolder();
	const clock = systemClock;
	const pool = createTranscodeWorkerPool({ workersMax: 1 });
	onTestFinished(() => pool.close());
	/** A test may replace `isQueueFull`. */
	const workerPool = { ...pool };
	const results = createResultStore({
		folder: join(folder, "results"),
		bytesMax: 1024 * MIB,
		async *openTaskIds() {},
		clock,
	});
	const tempDir = createTempDir({ parentDir: join(folder, "scratch"), clock });
	const transcoder = createTranscoder({ workerPool, tempDir, threads: 1 });
	/** Thrown by the download of the output at that position. */
	const downloadFailures = new Map<number, Error>();
	/** The addresses of outputs are paths. */
	const download: Download = async function* (path) {
		const failure = downloadFailures.get(Number(path.split("-").at(-1)));
		if (failure) throw failure;
		yield* createReadStream(path);
	};
	const deps = { results, download, downloadSemaphore: createFairSemaphore(1), transcoder };
	const attempt = { isLast: false };

	async function downloadResult(files: readonly Uint8Array[], bytesMax: number, mediaType: MediaType = "image") {
		const outputs = files.map((_, index) => ({ url: join(folder, `output-${index}`), seed: index }));
		await Promise.all(files.map((bytes, index) => writeFile(join(folder, `output-${index}`), bytes)));
		const context = { logger: pino({ level: "silent" }), signal: new AbortController().signal };
		const result = { taskId: TASK, guildId: "1", mediaType, outputs, bytesMax, mark: undefined };
		const perAttempt = { startUpload: () => undefined, mayLeaveOut: () => attempt.isLast };
		return await downloadAndStoreResult(deps, { ...result, ...perAttempt }, context);
	}
	const downloadFiles = async (...args: Parameters<typeof downloadResult>) => (await downloadResult(...args)).files;
	const storedNames = async (): Promise<string[]> => (await readdir(join(folder, "results"))).toSorted();
	const stored = async (index: number): Promise<Buffer> => await bytesOf(await results.open(TASK, index));
	return { folder, workerPool, downloadFailures, attempt, downloadResult, downloadFiles, storedNames, stored };
}

/** A PNG of noise, which is hard to compress: about three bytes a pixel. */
async function image(side: number): Promise<Buffer> {
	const raw = { width: side, height: side, channels: 3 } as const;
	return await sharp(randomBytes(side * side * 3), { raw })
		.png()
		.toBuffer();
}

test("a transcoded file has a note and its new type", async () => {
	const { downloadFiles, stored, folder } = await setup();
	const [result] = await downloadFiles([await image(500)], 100 * KIB);
	expect(result).toMatchObject({
		name: "atelier-1430000000000000000.webp",
		contentType: "image/webp",
		note: { kind: "fitted" },
	});
	expect((await stored(0)).byteLength).toBe(result?.sizeBytes);
	expect(await readdir(join(folder, "scratch"))).toStrictEqual([]);
});

test("of several files the small ones stay unchanged, and all together fit into one message", async () => {
	const { downloadFiles } = await setup();
	// Two of these exceed one message, and are quick to encode.
	const large = wav(900);
	const files = [large, wav(60), large];
	const result = await downloadFiles(files, 20 * MIB, "music");
	expect(result[0]).toMatchObject({ note: { kind: "fitted" } });
	expect(result[1]?.sizeBytes).toBe(files[1]?.byteLength);
	const total = result.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
	expect(total).toBeLessThanOrEqual(24 * MIB);
});

test("only the first ten files, Discord's maximum, are used", async () => {
	const { downloadFiles } = await setup();
	const small = await image(8);
	const files = Array.from({ length: 12 }, () => small);
	expect(await downloadFiles(files, MIB)).toHaveLength(10);
});

test("a failed attempt removes nothing that another process has stored", async () => {
	const { downloadFiles, stored, storedNames } = await setup();
	const small = await image(20);
	await downloadFiles([small, small], MIB);
	await expect(downloadFiles([HTML, HTML], MIB)).rejects.toThrow("service.resultUnknownType");
	expect((await stored(0)).equals(small)).toBe(true);
	expect(await storedNames()).toStrictEqual([`${TASK}-0`, `${TASK}-1`]);
});

test("unusable files and rejected downloads are left out if another file is usable", async () => {
	const { downloadResult, downloadFiles, downloadFailures, stored } = await setup();
	const small = await image(20);
	downloadFailures.set(2, new DownloadRejectedError("not on the public internet"));
	const { files, seed, unusableCount } = await downloadResult([HTML, small, small], MIB);
	expect(files.map(({ name }) => name)).toStrictEqual([`atelier-${TASK}.png`]);
	expect({ seed, unusableCount }).toStrictEqual({ seed: 1, unusableCount: 2 });
	expect((await stored(0)).equals(small)).toBe(true);
	await expect(downloadFiles([HTML, HTML, small], MIB)).rejects.toThrow("service.resultUnknownType");
});

test("a failed download is tried again, and its file is left out at the last attempt", async () => {
	const { downloadFiles, downloadFailures, attempt } = await setup();
	const small = await image(20);
	downloadFailures.set(0, new DownloadFailedError("404"));
	await expect(downloadFiles([small, small], MIB)).rejects.toThrow(DownloadFailedError);
	attempt.isLast = true;
	expect(await downloadFiles([small, small], MIB)).toHaveLength(1);
	for (const files of [[small], [small, HTML]])
		await expect(downloadFiles(files, MIB)).rejects.toThrow(DownloadFailedError);
});

test("covers in a music result are omitted, and the songs take their places", async () => {
	const { downloadResult, stored, storedNames } = await setup();
	const [cover, first, second] = [await image(20), Buffer.from(wav(1)), Buffer.from(wav(2))];
	const { files, unusableCount } = await downloadResult([cover, first, cover, second], MIB, "music");
	expect(unusableCount).toBe(0);
	expect(files.map(({ name }) => name)).toStrictEqual([
		"atelier-1430000000000000000-1.wav",
		"atelier-1430000000000000000-2.wav",
	]);
	expect([(await stored(0)).equals(first), (await stored(1)).equals(second)]).toStrictEqual([true, true]);
	expect(await storedNames()).toStrictEqual([`${TASK}-0`, `${TASK}-1`]);
});

test("covers alone are rejected as music, and no file stays on the disk", async () => {
	const { downloadFiles, storedNames } = await setup();
	const cover = await image(20);
	await expect(downloadFiles([cover, cover], MIB, "music")).rejects.toMatchObject({
		messageDescriptor: { key: "service.resultWrongMediaType", params: { mediaType: "music" } },
		cause: { why: { found: "image", contentType: "image/png" } },
	});
	expect(await storedNames()).toStrictEqual([]);
});

test("a full queue postpones a result at its first large file, and leaves no file", async () => {
	const { downloadFiles, workerPool, storedNames } = await setup();
	const files = [await image(20), await image(300)];
	workerPool.isQueueFull = () => true;
	await expect(downloadFiles(files, 100 * KIB)).rejects.toBeInstanceOf(TranscodeQueueFullError);
	expect(await storedNames()).toStrictEqual([]);
	workerPool.isQueueFull = () => false;
	expect(await downloadFiles(files, 100 * KIB)).toMatchObject([{}, { note: { kind: "fitted" } }]);
	expect(await storedNames()).toStrictEqual([`${TASK}-0`, `${TASK}-1`]);
});
