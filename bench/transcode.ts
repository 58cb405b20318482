/**
 * How good is the transcoder? Twelve files, each transcoded to 10 MiB and 1 MiB by the bot's worker: the used share of the
 * limit, seconds of work per second of media, and for SDR videos the similarity to the source (SSIM at the source's
 * size). For comparison, each SDR video by a two-pass `ffmpeg` with its defaults (libx264, preset medium, AAC at 128 kbit/s) for
 * the same size at the source's resolution, if ffmpeg is installed. Audio stays below 10 MiB if 320 kbit/s need less, and
 * images if the loss is invisible: more bytes would be useless. docs/performance.md contains the latest results.
 *
 * Run: node tools/node24.mjs bench/transcode.ts [NAME ...]   (some of the files; default: all)
 */
import { execFile, spawnSync } from "node:child_process";
import { mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import * as av from "node-av";
import { pino } from "pino";
import sharp from "sharp";
import { systemClock } from "@atelier/common/clock";
import { createTranscodeWorkerPool } from "@atelier/media-files/worker-pool";
import { createTranscoder } from "@atelier/media-files/transcoder";
import { createTempDir } from "@atelier/media-files/temp-dir";
import { encodeMedia } from "@atelier/common/testing/encode-media";
import { describeMachine } from "./lib/statistics.ts";

const MIB = 1024 * 1024;
const LIMITS_MIB = [10, 1] as const;
/** The comparison with ffmpeg: the share of a file that is not container, and its bit rates. */
const MEDIA_SHARE = 0.98;
const AUDIO_BITS_PER_SECOND = 128_000;
const VIDEO_BITS_PER_SECOND_MIN = 20_000;

interface TestFile {
	readonly name: string;
	readonly kind: "video" | "audio" | "image";
	readonly seconds: number;
	readonly make: (path: string) => void | Promise<void>;
}

/** A libavfilter source with motion and detail. */
const testPattern = (width: number, height: number, seconds: number): string =>
	`testsrc2=s=${width}x${height}:r=30:d=${seconds}`;
const GRAIN = "gblur=sigma=0.8,noise=alls=4:allf=t";
const music = (seconds: number): string => `anoisesrc=d=${seconds}:c=brown:r=48000:a=0.4`;
const STEREO = "aformat=sample_fmts=s16:channel_layouts=stereo";
const AAC = { filter: STEREO, encoder: "libfdk_aac", bitsPerSecond: 192_000 };
const HDR = "setparams=color_primaries=bt2020:color_trc=smpte2084:colorspace=bt2020nc";
const LARGE_H264 = { qp: "10", preset: "ultrafast" };

const TEST_FILES: readonly TestFile[] = [
	video("H.264 1080p 3 s", 3, {
		format: "mp4",
		video: {
			source: testPattern(1920, 1080, 3),
			filter: `${GRAIN},format=yuv420p`,
			encoder: "libx264",
			options: LARGE_H264,
		},
		audio: { ...AAC, source: music(3) },
	}),
	video("upright 720 x 1280 6 s, silent audio", 6, {
		format: "mp4",
		video: {
			source: testPattern(720, 1280, 6),
			filter: `${GRAIN},format=yuv420p`,
			encoder: "libx264",
			options: LARGE_H264,
		},
		audio: { ...AAC, source: "anullsrc=d=6:r=48000" },
	}),
	video("odd 853 x 481 15 s, no audio", 15, {
		format: "mp4",
		video: {
			source: testPattern(854, 482, 15),
			filter: `scale=853:481,${GRAIN},format=yuv444p`,
			encoder: "libx264",
			options: LARGE_H264,
		},
	}),
	video("uneven frames, Matroska 6 s", 6, {
		format: "matroska",
		video: {
			source: testPattern(1280, 720, 6),
			filter: `select='not(mod(n,3))+gt(mod(n,60),30)',${GRAIN},format=yuv420p`,
			encoder: "libx264",
			options: LARGE_H264,
		},
		audio: { source: music(6), filter: STEREO, encoder: "flac" },
	}),
	video("HEVC 10 bit HDR 1080p 2 s", 2, {
		format: "mp4",
		video: {
			source: testPattern(1920, 1080, 2),
			filter: `${GRAIN},format=yuv420p10le,${HDR}`,
			encoder: "libx265",
			options: { preset: "ultrafast", crf: "4", "x265-params": "log-level=error" },
		},
	}),
	video("AV1 720p 4 s", 4, {
		format: "mp4",
		video: {
			source: testPattern(1280, 720, 4),
			// This encoder removes grain, so the source needs more of it to be too large.
			filter: "gblur=sigma=0.8,noise=alls=8:allf=t,format=yuv420p10le",
			encoder: "libsvtav1",
			options: { preset: "10", crf: "6" },
		},
		audio: { ...AAC, source: music(4) },
	}),
	video("MOV with ProRes 1080p 2 s", 2, {
		format: "mov",
		video: { source: testPattern(1920, 1080, 2), filter: `${GRAIN},format=yuv422p10le`, encoder: "prores_ks" },
		// The audio is longer than the video.
		audio: { source: music(4), filter: STEREO, encoder: "pcm_s16le" },
	}),
	{
		name: "WAV 3 min",
		kind: "audio",
		seconds: 180,
		make: (path) =>
			encodeMedia(path, { format: "wav", audio: { source: music(180), filter: STEREO, encoder: "pcm_s16le" } }),
	},
	{
		name: "FLAC 4 min",
		kind: "audio",
		seconds: 240,
		make: (path) =>
			encodeMedia(path, { format: "flac", audio: { source: music(240), filter: STEREO, encoder: "flac" } }),
	},
	{ name: "PNG with alpha 3000 x 2000", kind: "image", seconds: 0, make: (path) => writeImage(path, 3000, 2000) },
	{ name: "TIFF 4000 x 4000", kind: "image", seconds: 0, make: (path) => writeImage(path, 4000, 4000, "tiff") },
	{
		name: "animated WebP 480 x 480, 40 frames",
		kind: "image",
		seconds: 0,
		make: (path) => writeAnimation(path, 480, 40),
	},
];

function video(name: string, seconds: number, recipe: Parameters<typeof encodeMedia>[1]): TestFile {
	return { name, kind: "video", seconds, make: (path) => encodeMedia(path, recipe) };
}

/** Gradients, grain, and a transparent hole in the middle. */
function pixelsOf(width: number, height: number, phase: number): Buffer {
	const pixels = Buffer.alloc(width * height * 4);
	let state = 1 + phase;
	for (let y = 0; y < height; y++) {
		for (let x = 0; x < width; x++) {
			state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
			const grain = (state >> 16) % 24;
			const wave = Math.sin((x + phase * 9) / 37) * Math.cos(y / 53) * 90 + 120;
			const at = (y * width + x) * 4;
			pixels[at] = wave + grain;
			pixels[at + 1] = ((x * 200) / width + grain) & 255;
			pixels[at + 2] = ((y * 200) / height + grain) & 255;
			pixels[at + 3] = Math.min(255, Math.hypot(x - width / 2, y - height / 2) / 2);
		}
	}
	return pixels;
}

async function writeImage(path: string, width: number, height: number, format: "png" | "tiff" = "png"): Promise<void> {
	const image = sharp(pixelsOf(width, height, 0), { raw: { width, height, channels: 4 } });
	await writeFile(path, await (format === "png" ? image.png() : image.tiff({ compression: "lzw" })).toBuffer());
}

async function writeAnimation(path: string, side: number, frames: number): Promise<void> {
	const raw = { width: side, height: side, channels: 4 } as const;
	const stills = Array.from({ length: frames }, (_, index) =>
		sharp(pixelsOf(side, side, index), { raw })
			.png()
			.toBuffer(),
	);
	await writeFile(
		path,
		await sharp(await Promise.all(stills), { join: { animated: true } })
			.webp({ lossless: true, effort: 0 })
			.toBuffer(),
	);
}

const execute = promisify(execFile);
/** Such as "ffmpeg version 7.1.5-0+deb13u1"; `undefined` without the program. */
const ffmpegVersion = /^ffmpeg version \S+/.exec(
	spawnSync("ffmpeg", ["-version"], { encoding: "utf8" }).stdout ?? "",
)?.[0];
const hasFfmpeg = ffmpegVersion !== undefined;

/** Returns the mean SSIM of all frames, from 0 to 1; `undefined` without ffmpeg, and for HDR, whose tone mapping changes each frame. */
async function ssim(transcodedPath: string, source: string, isHdr: boolean): Promise<number | undefined> {
	if (!hasFfmpeg || isHdr) return undefined;
	const graph =
		"[0:v]settb=1/1000,setpts=PTS-STARTPTS,format=yuv420p[a];[1:v]settb=1/1000,setpts=PTS-STARTPTS,format=yuv420p[b];[a][b]scale2ref=flags=bicubic[c][d];[c][d]ssim";
	const { stderr } = await execute(
		"ffmpeg",
		["-hide_banner", "-i", transcodedPath, "-i", source, "-lavfi", graph, "-f", "null", "-"],
		{ maxBuffer: 64 * MIB },
	);
	const found = /All:([\d.]+)/.exec(stderr)?.[1];
	return found === undefined ? undefined : Number(found);
}

/** Runs at the priority of the bot's own worker processes. */
async function runNiced(ffmpegArguments: readonly string[]): Promise<void> {
	await execute("nice", ["-n", "10", "ffmpeg", ...ffmpegArguments]);
}

/** Transcodes to about the same size with a plain command line of ffmpeg. */
async function encodeInTwoPasses(
	source: string,
	folder: string,
	sizeBytes: number,
	seconds: number,
): Promise<{ path: string; tookS: number }> {
	const path = join(folder, "two-passes.mp4");
	const videoBitsPerSecond = Math.floor((sizeBytes * MEDIA_SHARE * 8) / seconds - AUDIO_BITS_PER_SECOND);
	const common = [
		"-v",
		"error",
		"-y",
		"-i",
		source,
		"-c:v",
		"libx264",
		"-b:v",
		String(Math.max(VIDEO_BITS_PER_SECOND_MIN, videoBitsPerSecond)),
		"-pix_fmt",
		"yuv420p",
		"-vf",
		"scale=trunc(iw/2)*2:trunc(ih/2)*2",
		"-vsync",
		"vfr",
		"-passlogfile",
		join(folder, "log"),
	];
	const startMs = performance.now();
	await runNiced([...common, "-pass", "1", "-an", "-f", "null", "-"]);
	await runNiced([
		...common,
		"-pass",
		"2",
		"-c:a",
		"aac",
		"-b:a",
		String(AUDIO_BITS_PER_SECOND),
		"-movflags",
		"+faststart",
		path,
	]);
	return { path, tookS: (performance.now() - startMs) / 1000 };
}

async function measure(testFile: TestFile, folder: string): Promise<void> {
	const source = join(folder, "source");
	await testFile.make(source);
	const { size: sourceBytes } = await stat(source);
	const tempDir = createTempDir({ parentDir: join(folder, "scratch"), clock: systemClock });
	const workerPool = createTranscodeWorkerPool({ workersMax: availableParallelism() });
	const transcoder = createTranscoder({ workerPool, tempDir, threads: availableParallelism() });
	for (const limitMiB of LIMITS_MIB) {
		const bytesMax = limitMiB * MIB;
		const startMs = performance.now();
		await using transcoded = await transcoder.transcode(
			{ path: source, sizeBytes: sourceBytes, bytesMax },
			pino({ level: "silent" }),
			new AbortController().signal,
		);
		const tookS = (performance.now() - startMs) / 1000;
		const prefix = `${testFile.name.padEnd(38)} ${(sourceBytes / MIB).toFixed(1).padStart(6)} -> ${String(limitMiB).padStart(2)} MiB  `;
		if (!("path" in transcoded)) {
			process.stdout.write(`${prefix}unchanged\n`);
			continue;
		}
		if (transcoded.sizeBytes > bytesMax) throw new Error("larger than the limit");
		const share = `${((transcoded.sizeBytes / bytesMax) * 100).toFixed(1).padStart(5)} %`;
		const speed = testFile.seconds > 0 ? `${(tookS / testFile.seconds).toFixed(2)} s/s` : `${tookS.toFixed(1)} s`;
		const isHdr = testFile.name.includes("HDR");
		const ours = testFile.kind === "video" ? await ssim(transcoded.path, source, isHdr) : undefined;
		let comparison = "";
		if (testFile.kind === "video" && hasFfmpeg && !isHdr) {
			const baseline = await encodeInTwoPasses(source, folder, transcoded.sizeBytes, testFile.seconds);
			const similarity = await ssim(baseline.path, source, isHdr);
			const { size } = await stat(baseline.path);
			comparison = `  two passes of ffmpeg: ${similarity?.toFixed(4)} with ${((size / transcoded.sizeBytes) * 100).toFixed(0)} % of these bytes, ${(baseline.tookS / testFile.seconds).toFixed(2)} s/s`;
		}
		const changes = transcoded.changes
			.map((change) => ("width" in change ? `${change.width}x${change.height}` : change.kind))
			.join(" ");
		process.stdout.write(
			`${prefix}${share}  ${speed.padStart(9)}  ${ours ? `SSIM ${ours.toFixed(4)}` : ""}${comparison}  [${changes}]\n`,
		);
	}
	await workerPool.close();
}

const selectedNames = process.argv.slice(2);
process.stdout.write(
	`${describeMachine()}, libavcodec ${av.getFFmpegInfo().libraries.avcodec}, sharp ${sharp.versions.sharp}, ${ffmpegVersion ?? "no ffmpeg on this machine: no comparison, and no SSIM"}\n`,
);
for (const testFile of TEST_FILES) {
	if (selectedNames.length > 0 && !selectedNames.some((part) => testFile.name.includes(part))) continue;
	const folder = await mkdtemp(join(tmpdir(), "atelier-bench-transcode-"));
	try {
		await measure(testFile, folder);
	} finally {
		await rm(folder, { recursive: true, force: true });
	}
}
// The native objects of node-av are freed by the exit, not one by one.
process.exit(0);
