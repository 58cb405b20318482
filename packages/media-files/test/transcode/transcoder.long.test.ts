import { readdir, writeFile, stat, readFile } from "node:fs/promises";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import { assert, asyncProperty, boolean, integer, record } from "fast-check";
import { pino } from "pino";
import sharp from "sharp";
import { describe, expect, onTestFinished, test } from "vitest";
import { systemClock } from "@atelier/common/clock";
import { createTranscodeWorkerPool } from "../../src/transcode/worker-pool.ts";
import { createTranscoder, type Transcoded } from "../../src/transcode/transcoder.ts";
import { openMedia } from "../../src/transcode/open-media.ts";
import { probeVideo } from "../../src/transcode/video/probe-video.ts";
import { detectType } from "../../src/detection/detect-type.ts";
import { createTempDir } from "../../src/temp-dir.ts";
import { UnusableFileError } from "../../src/unusable-file.ts";
import { createTempFolder } from "@atelier/common/testing/temp-folder";
import { encodeMedia } from "@atelier/common/testing/encode-media";

const KIB = 1024;
const MIB = 1024 * KIB;
const NOISE = "format=yuv420p,noise=alls=30:allf=t";
const TONE = {
	source: "sine=440:d=3:r=48000",
	filter: "aformat=sample_fmts=s16:channel_layouts=stereo",
	encoder: "libfdk_aac",
};
const SMALL = "testsrc2=s=160x120:r=15:d=1";
const VIDEO = {
	source: "testsrc2=s=320x180:r=30:d=3",
	filter: NOISE,
	encoder: "libx264",
	options: { qp: "14", preset: "ultrafast" },
};
const LONG_VIDEO = { ...VIDEO, source: "testsrc2=s=160x120:r=10:d=20" };

async function setup() {
	const folder = await createTempFolder();
	const tempDir = createTempDir({ parentDir: join(folder, "scratch"), clock: systemClock });
	const workerPool = createTranscodeWorkerPool({ workersMax: 2 });
	onTestFinished(() => workerPool.close());
	const transcoder = createTranscoder({ workerPool, tempDir, threads: 1 });
	const never = new AbortController().signal;
	const logger = pino({ level: "silent" });
	const path = join(folder, "source");
	return {
		path,
		transcode: async (bytesMax: number, expected?: "video"): Promise<Transcoded> => {
			const source = { path, sizeBytes: (await stat(path)).size, bytesMax, ...(expected && { expected }) };
			return await transcoder.transcode(source, logger, never);
		},
		remainingFiles: async (): Promise<string[]> => readdir(join(folder, "scratch")).catch(() => []),
	};
}

type Recipe = Parameters<typeof encodeMedia>[1];

/** Writes a file of these bytes, or encodes it by a recipe. */
async function make(path: string, source: Buffer | string | Recipe): Promise<void> {
	if (typeof source === "string" || Buffer.isBuffer(source)) await writeFile(path, source);
	else encodeMedia(path, source);
}

/** Resolves to the output, which is removed after the test. Throws if the file needs no transcode. */
async function transcoded(source: Buffer | Recipe, bytesMax: number) {
	const { path, transcode } = await setup();
	await make(path, source);
	const output = await transcode(bytesMax);
	onTestFinished(() => output[Symbol.asyncDispose]());
	if (!("path" in output)) throw new Error("nothing was transcoded");
	return output;
}

/** A gradient with noise; its transparency is a gradient as well. */
async function noiseImage(width: number, height: number, channels: 3 | 4 = 3, seed = 1): Promise<Buffer> {
	const pixels = Buffer.alloc(width * height * channels);
	let state = seed;
	for (let at = 0; at < pixels.length; at++) {
		state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
		const noise = at % 4 === 3 && channels === 4 ? 0 : (state >> 16) % 50;
		pixels[at] = ((at / channels / width) % 200) + noise;
	}
	return sharp(pixels, { raw: { width, height, channels } }).png().toBuffer();
}

function pixelsOf(source: Buffer | string): Promise<Buffer> {
	return sharp(source).removeAlpha().raw().toBuffer();
}

/** Resolves to the reason of a rejection, after which no output is left. */
async function rejectionOf(content: Buffer | string, bytesMax = MIB): Promise<string> {
	const { path, transcode, remainingFiles } = await setup();
	await make(path, content);
	const error: unknown = await transcode(bytesMax).then(
		() => new Error("it was accepted"),
		(rejected: unknown) => rejected,
	);
	expect(await remainingFiles()).toStrictEqual([]);
	return error instanceof UnusableFileError ? error.why.kind : String(error);
}

async function animatedGif(frames: number, side: number): Promise<Buffer> {
	const images = await Promise.all(Array.from({ length: frames }, (_, index) => noiseImage(side, side, 3, index + 1)));
	return sharp(images, { join: { animated: true } })
		.gif()
		.toBuffer();
}

test.each<[string, Promise<Buffer> | Recipe, string]>([
	["an image", noiseImage(64, 64), "image/png"],
	[
		"a video that plays everywhere",
		{ format: "mp4", video: VIDEO, audio: TONE, muxer: { movflags: "+faststart" } },
		"video/mp4",
	],
	["a FLAC", { format: "flac", audio: { ...TONE, encoder: "flac" } }, "audio/flac"],
])("%s within the limits is not transcoded", async (_what, source, contentType) => {
	const { path, transcode, remainingFiles } = await setup();
	await make(path, await source);
	{
		await using output = await transcode(100 * MIB);
		expect(output).toMatchObject({ kind: "unchanged", contentType });
	}
	expect(await remainingFiles()).toStrictEqual([]);
});

describe("images", () => {
	test("an image that is too large keeps its transparency, and uses the available bytes", async () => {
		const bytesMax = 15 * KIB;
		const { path, sizeBytes, contentType } = await transcoded(await noiseImage(450, 350, 4), bytesMax);
		expect(contentType).toBe("image/webp");
		expect(sizeBytes).toBe((await stat(path)).size);
		expect(sizeBytes).toBeLessThanOrEqual(bytesMax);
		expect(sizeBytes).toBeGreaterThan(bytesMax * 0.85);
		expect(await sharp(path).metadata()).toMatchObject({ hasAlpha: true });
	});

	test("a rotated photograph is stored upright", async () => {
		const photograph = sharp(await noiseImage(400, 200)).withMetadata({ orientation: 6 });
		const { path } = await transcoded(await photograph.jpeg().toBuffer(), 10 * KIB);
		const { width, height } = await sharp(path).metadata();
		expect(width).toBeLessThan(height);
	});

	test("formats that Discord does not display are transcoded, losslessly if they fit", async () => {
		const png = await noiseImage(120, 80);
		const { path, contentType, changes } = await transcoded(
			await sharp(png).tiff({ compression: "lzw" }).toBuffer(),
			MIB,
		);
		expect({ contentType, changes }).toStrictEqual({ contentType: "image/webp", changes: [] });
		expect((await pixelsOf(path)).equals(await pixelsOf(png))).toBe(true);
	});

	test("a BMP, which sharp cannot read, is transcoded", async () => {
		const video = { source: "testsrc2=s=64x48:r=1:d=1", filter: "format=bgr24", encoder: "bmp" };
		const { path } = await transcoded({ format: "image2", video }, MIB);
		expect(await sharp(path).metadata()).toMatchObject({ width: 64, height: 48, format: "webp" });
	});

	test("an animation stays animated if it fits, and becomes its first frame otherwise", async () => {
		const animation = await animatedGif(4, 120);
		const { path } = await transcoded(animation, 30 * KIB);
		expect((await sharp(path).metadata()).pages).toBe(4);
		expect((await transcoded(animation, 2 * KIB)).changes).toContainEqual({ kind: "still" });
	});

	test("an animated PNG becomes its first frame, with a note", async () => {
		const filter = "noise=alls=30:allf=t,format=rgb24";
		const video = { source: "testsrc2=s=160x120:r=10:d=1", filter, encoder: "apng" };
		expect((await transcoded({ format: "apng", video }, 20 * KIB)).changes).toContainEqual({ kind: "still" });
	});

	test("an animated PNG of one frame is not a video", async () => {
		const { path, transcode } = await setup();
		const png = await noiseImage(16, 16);
		// One frame, and endless repetitions.
		const control = Buffer.concat([Buffer.from("acTL"), Buffer.from([0, 0, 0, 1, 0, 0, 0, 0])]);
		const checksum = Buffer.alloc(4);
		checksum.writeUInt32BE(crc32(control));
		const chunk = Buffer.concat([Buffer.from([0, 0, 0, 8]), control, checksum]);
		const headerEnd = png.indexOf("IHDR") + 21;
		await writeFile(path, Buffer.concat([png.subarray(0, headerEnd), chunk, png.subarray(headerEnd)]));
		const { contentType } = await transcode(MIB);
		expect(contentType).toBe("image/apng");
		const why = { kind: "wrongMediaType", expected: "video", found: "image" };
		await expect(transcode(MIB, "video")).rejects.toMatchObject({ why });
	});
});

describe("videos", () => {
	test("a video that is too large uses 90 to 100 percent of the limit, and is playable", async () => {
		const bytesMax = 120 * KIB;
		const { path, sizeBytes } = await transcoded({ format: "mp4", video: VIDEO, audio: TONE }, bytesMax);
		expect(sizeBytes / bytesMax).toBeLessThanOrEqual(1);
		expect(sizeBytes / bytesMax).toBeGreaterThan(0.9);
		expect(await detectType(path, sizeBytes)).toMatchObject({ kind: "embeddable", contentType: "video/mp4" });
		expect(probeVideo(path)?.shape.durationS).toBeCloseTo(3, 1);
	});

	test.each([
		["mov", "pcm_s16le"],
		["matroska", "libfdk_aac"],
	] as const)("H.264 in a %s is remuxed without encoding", async (format, encoder) => {
		const recipe: Recipe = { format, video: VIDEO, audio: { ...TONE, encoder } };
		const { path, sizeBytes, changes } = await transcoded(recipe, 100 * MIB);
		expect(changes).toStrictEqual([]);
		expect(await detectType(path, sizeBytes)).toMatchObject({ kind: "embeddable", contentType: "video/mp4" });
	});

	test.for([
		["HEVC", "mp4", "libx265", "format=yuv420p"],
		[
			"10-bit HEVC in HDR",
			"mp4",
			"libx265",
			"format=yuv420p10le,setparams=color_primaries=bt2020:color_trc=smpte2084:colorspace=bt2020nc",
		],
		["VP9", "webm", "libvpx-vp9", "format=yuv420p"],
		["AV1", "mp4", "libsvtav1", "format=yuv420p10le"],
		["full-color H.264", "mp4", "libx264", "format=yuv444p"],
		["ProRes", "mov", "prores_ks", "format=yuv422p10le"],
		["MPEG-4 in an AVI", "avi", "mpeg4", "format=yuv420p"],
	] as const)("%s becomes a format that every client plays", async ([, format, encoder, filter]) => {
		const video = { source: SMALL, filter, encoder };
		const { path, sizeBytes } = await transcoded({ format, video }, 10 * MIB);
		expect(await detectType(path, sizeBytes)).toMatchObject({ kind: "embeddable", contentType: "video/mp4" });
		expect(probeVideo(path)?.shape).toMatchObject({ width: 160, height: 120 });
	});

	test.each(["mov", "matroska"] as const)("a video with longer audio, in a %s, is complete", async (format) => {
		const video = { source: SMALL, filter: "format=yuv422p10le", encoder: "prores_ks" };
		const audio = { ...TONE, source: "sine=440:d=6:r=48000" };
		const { path } = await transcoded({ format, video, audio }, 10 * MIB);
		expect(probeVideo(path)).toMatchObject({ longestTrackS: expect.closeTo(6, 1), shape: { height: 120 } });
	});

	test("a video without a declared duration is encoded", async () => {
		const audio = { ...TONE, source: "anoisesrc=d=20:c=pink:r=48000", encoder: "libopus" };
		const output = await transcoded({ format: "matroska", video: LONG_VIDEO, audio, muxer: { live: "1" } }, 300 * KIB);
		expect(output).toMatchObject({ kind: "transcoded", contentType: "video/mp4" });
	});

	test("a video with a rotation is stored upright, with even sides", async () => {
		const filter = "scale=161:121,format=yuv444p";
		const video = { source: SMALL, filter, encoder: "libx264", turnDegrees: 90 } as const;
		const { path } = await transcoded({ format: "mp4", video }, 10 * MIB);
		expect(probeVideo(path)).toMatchObject({ rotationDegrees: 0, shape: { width: 122, height: 162 } });
	});

	test("the duration of a video with variable frame intervals is preserved", async () => {
		// Ten frames of 0.1 s, and fifty of 0.02 s.
		const filter = "format=yuv420p,setpts='if(lt(N,10),N*0.1,1+(N-10)*0.02)/TB'";
		const video = { source: "testsrc2=s=160x120:r=30:d=2", filter, encoder: "libx265" };
		const { path } = await transcoded({ format: "matroska", video }, 10 * MIB);
		expect(probeVideo(path)?.shape.durationS).toBeCloseTo(2, 1);
	});

	test("a video that cannot fit becomes one frame", async () => {
		const output = await transcoded({ format: "mp4", video: VIDEO }, 5 * KIB);
		expect(output).toMatchObject({ kind: "preview", contentType: "image/webp", changes: [{ kind: "frame" }] });
		expect(output.sizeBytes).toBeLessThanOrEqual(5 * KIB);
	});
});

describe("audio files", () => {
	const music = { source: "anoisesrc=d=4:c=pink:r=48000", filter: "aformat=sample_fmts=s16:channel_layouts=stereo" };
	const live = (seconds: number) => ({
		format: "webm" as const,
		audio: { ...music, source: `anoisesrc=d=${seconds}:c=pink:r=48000`, encoder: "libopus", bitsPerSecond: 64_000 },
		muxer: { live: "1" },
	});

	test.each<[string, Recipe, number]>([
		["a WAV", { format: "wav", audio: { ...music, encoder: "pcm_s16le" } }, 80 * KIB],
		["audio in a video container without a declared duration", live(20), 90 * KIB],
	])("%s that is too large is encoded to the available bytes", async (_what, recipe, bytesMax) => {
		const { kind, path, sizeBytes } = await transcoded(recipe, bytesMax);
		expect(kind).toBe("transcoded");
		expect(sizeBytes / bytesMax).toBeLessThanOrEqual(1);
		expect(sizeBytes / bytesMax).toBeGreaterThan(0.85);
		expect(await detectType(path, sizeBytes)).toMatchObject({ kind: "embeddable", extension: "m4a" });
	});

	test("audio that cannot fit is cut to its beginning", async () => {
		const { kind, changes } = await transcoded(live(60), 40 * KIB);
		// 88 % of the limit hold 4.3 seconds at 64 kbit/s.
		expect({ kind, changes }).toStrictEqual({ kind: "preview", changes: [{ kind: "beginning", seconds: 4 }] });
	});

	test("a WAV that not every client plays is transcoded", async () => {
		const filter = "aformat=sample_fmts=s16p:channel_layouts=stereo";
		const output = await transcoded({ format: "wav", audio: { ...music, filter, encoder: "adpcm_ima_wav" } }, 10 * MIB);
		expect(output).toMatchObject({ contentType: "audio/mp4", changes: [] });
	});
});

describe("an unusable file", () => {
	test.each([
		["an empty file", "", "damaged"],
		["a web page", "<!doctype html><title>not found</title>", "unknownType"],
		["a playlist, which is not followed", "#EXTM3U\n#EXTINF:10,\nfile:///etc/passwd\n", "unknownType"],
		["the head of an MP4", Buffer.from("\0\0\0\x18ftypisom\0\0\0\0isomavc1", "latin1"), "damaged"],
		["the head of a Matroska", Buffer.from("\x1aE\xdf\xa3\x93B\x82\x88matroska", "latin1"), "damaged"],
	])("%s is rejected", async (_what, content, key) => {
		expect(await rejectionOf(content)).toBe(key);
	});

	test("a truncated image is damaged", async () => {
		const png = await noiseImage(300, 300);
		expect(await rejectionOf(png.subarray(0, png.length / 2))).toBe("damaged");
	});

	test("an image of 900 megapixels in a small file is rejected before it is decoded", async () => {
		const png = await noiseImage(8, 8);
		png.writeUInt32BE(30_000, 16);
		png.writeUInt32BE(30_000, 20);
		expect(await rejectionOf(png)).toBe("tooManyPixels");
		expect(await rejectionOf(png, 100)).toBe("tooManyPixels");
	});

	test("a FLAC is damaged if it is truncated or contains garbage", async () => {
		const { path, transcode } = await setup();
		const audio = { ...TONE, source: "anoisesrc=d=8:c=pink:r=48000", encoder: "flac" };
		encodeMedia(path, { format: "flac", audio });
		const flac = await readFile(path);
		for (const share of [0.5, 0.9]) {
			const part = flac.subarray(0, Math.floor(flac.byteLength * share));
			expect(await rejectionOf(part, 10 * MIB)).toBe("damaged");
			expect(await rejectionOf(part, 10 * KIB)).toBe("damaged");
		}
		expect(await rejectionOf(Buffer.concat([flac.subarray(0, 3000), Buffer.alloc(300_000, "x")]), MIB)).toBe("damaged");
		// An excerpt that ends with a frame is intact, although its header declares the original duration.
		using demuxer = openMedia(path);
		const frames = [...demuxer.packetsSync()].flatMap((packet) => packet ?? []);
		await writeFile(path, flac.subarray(0, Number(frames[frames.length >> 1]?.pos)));
		await using excerpt = await transcode(10 * MIB);
		expect(excerpt.kind).toBe("unchanged");
	});

	test.each<[string, Recipe]>([
		["with its index at the start", { format: "mp4", video: VIDEO, muxer: { movflags: "+faststart" } }],
		["with its index at the end", { format: "mp4", video: VIDEO }],
		// Its frames would play.
		[
			"without an index",
			{ format: "matroska", video: LONG_VIDEO, audio: { ...TONE, source: "sine=440:d=20:r=48000" } },
		],
	])("a truncated video %s is damaged", async (_what, recipe) => {
		const { path } = await setup();
		encodeMedia(path, recipe);
		const bytes = await readFile(path);
		expect(await rejectionOf(bytes.subarray(0, bytes.byteLength / 2), 10 * MIB)).toBe("damaged");
	});
});

test("for any size and limit, no output exceeds the limit", async () => {
	const { path, transcode, remainingFiles } = await setup();
	const bytes = integer({ min: 600, max: 60 * KIB });
	const size = record({ width: integer({ min: 1, max: 400 }), height: integer({ min: 1, max: 400 }) });
	await assert(
		asyncProperty(bytes, size, boolean(), async (bytesMax, { width, height }, video) => {
			const filter = `scale=${width}:${height},noise=alls=40:allf=t,format=yuv444p`;
			const moving = { ...VIDEO, source: "testsrc2=s=400x300:r=10:d=1", filter };
			await make(path, video ? { format: "matroska", video: moving } : await noiseImage(width, height));
			await using output = await transcode(bytesMax).catch((error: unknown) => {
				if (error instanceof UnusableFileError) return undefined;
				throw error;
			});
			if (output === undefined) return;
			const where = "path" in output ? output.path : path;
			expect((await stat(where)).size).toBeLessThanOrEqual(bytesMax);
		}),
		{ numRuns: 12 },
	);
	expect(await remainingFiles()).toStrictEqual([]);
});
