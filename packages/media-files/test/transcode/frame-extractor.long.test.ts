import { readdir, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createCanvas } from "@napi-rs/canvas";
import sharp from "sharp";
import { expect, onTestFinished, test } from "vitest";
import { systemClock } from "@atelier/common/clock";
import { encodeMedia } from "@atelier/common/testing/encode-media";
import { createFrameExtractor } from "../../src/transcode/frame-extractor.ts";
import { createTranscodeWorkerPool } from "../../src/transcode/worker-pool.ts";
import { createTempDir } from "../../src/temp-dir.ts";
import { createTempFolder } from "@atelier/common/testing/temp-folder";

async function setup() {
	const folder = await createTempFolder();
	const workerPool = createTranscodeWorkerPool({ workersMax: 1 });
	onTestFinished(() => workerPool.close());
	const tempDir = createTempDir({ parentDir: join(folder, "scratch"), clock: systemClock });
	const extractor = createFrameExtractor({ workerPool, tempDir, threads: 2 });
	const signal = new AbortController().signal;
	const extract = async (path: string) => await extractor.extract(path, (await stat(path)).size, signal);
	return {
		path: (name: string): string => join(folder, name),
		remainingFiles: () => readdir(join(folder, "scratch")),
		extract,
		sizesOf: async (path: string) => {
			const heads = await Promise.all((await extract(path)).map((frame) => sharp(frame).metadata()));
			return heads.map(({ format, width, height }) => ({ format, width, height }));
		},
	};
}

test("an image becomes one small JPEG", async () => {
	const { path, sizesOf, remainingFiles } = await setup();
	await writeFile(path("image.png"), createCanvas(1600, 800).toBuffer("image/png"));
	expect(await sizesOf(path("image.png"))).toEqual([{ format: "jpeg", width: 512, height: 256 }]);
	await writeFile(path("small.png"), createCanvas(8, 8).toBuffer("image/png"));
	expect(await sizesOf(path("small.png"))).toEqual([{ format: "jpeg", width: 8, height: 8 }]);
	expect(await remainingFiles()).toEqual([]);
});

test("a video becomes four frames over its whole length", async () => {
	const { path, extract, sizesOf } = await setup();
	// Fades from white to black.
	const filter = "fade=t=in:st=0:d=4:color=white,format=yuv420p";
	const video = { source: "color=c=black:s=1280x720:r=10:d=4", filter, encoder: "libx264" };
	encodeMedia(path("video.mp4"), { format: "mp4", video });
	const size = { format: "jpeg", width: 512, height: 288 };
	expect(await sizesOf(path("video.mp4"))).toEqual([size, size, size, size]);
	const frames = await extract(path("video.mp4"));
	const brightness = await Promise.all(
		frames.map(async (frame) => (await sharp(frame).stats()).channels[0]?.mean ?? 0),
	);
	expect(brightness).toStrictEqual(brightness.toSorted((one, other) => other - one));
	expect(brightness[0]).toBeGreaterThan((brightness[3] ?? 0) + 50);
});

test("an animation becomes several of its frames", async () => {
	const { path, extract } = await setup();
	const rgb = Buffer.concat(Array.from({ length: 6 }, (_, index) => Buffer.alloc(16 * 16 * 3, index * 40)));
	const raw = { width: 16, height: 96, channels: 3, pageHeight: 16 } as const;
	await sharp(rgb, { raw }).gif().toFile(path("moving.gif"));
	expect(await extract(path("moving.gif"))).toHaveLength(4);
});

test("music has no frames, and a damaged file rejects", async () => {
	const { path, extract, remainingFiles } = await setup();
	const audio = { source: "sine=d=1", filter: "aformat=sample_fmts=s16", encoder: "pcm_s16le" };
	encodeMedia(path("song.wav"), { format: "wav", audio });
	expect(await extract(path("song.wav"))).toEqual([]);
	const png = createCanvas(64, 64).toBuffer("image/png");
	await writeFile(path("damaged.png"), png.subarray(0, png.byteLength / 2));
	await expect(extract(path("damaged.png"))).rejects.toThrow("the file has no frames");
	expect(await remainingFiles()).toEqual([]);
});
