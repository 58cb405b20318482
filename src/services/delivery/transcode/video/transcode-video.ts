import { rename, stat } from "node:fs/promises";
import { join } from "node:path";
import {
	UnsupportedMediaError,
	type TranscodeChange,
	type TranscodeJob,
	type TranscodeReply,
} from "../transcode-job.ts";
import { encodeAac, type EncodedAudio } from "../audio/encode-aac.ts";
import { encodeVideo, type Pass } from "./encode-video.ts";
import { openVideoFile } from "./video-file.ts";
import { mapsBrightness } from "./video-filter.ts";
import {
	nextBitrate,
	type BitrateAttempt,
	planVideo,
	SHORT_SIDE_MAX_BY_MEMORY,
	type VideoPlan,
	type VideoShape,
} from "./plan-video.ts";
import { probeVideo, type VideoFacts } from "./probe-video.ts";
import { remuxVideo } from "./remux.ts";

/** The target sizes of consecutive attempts, as shares of the limit; the encoder misses them slightly. */
const AIMS = [0.975, 0.965, 0.95, 0.9, 0.8] as const;
/** Close enough; below it another pass helps, unless more bits change nothing. */
const ENOUGH = 0.91;
const STUCK_FACTOR = 1.03;
/** Visually lossless. If it fits, a higher bit rate is useless. */
const GOOD_CRF = 20;
const GOOD_BITS_PER_SECOND_MIN = 1_000_000;
/** A video much shorter than its header declares was truncated. */
const COMPLETE_SHARE = 0.9;
const COMPLETE_TOLERANCE_S = 1.5;
/** A larger difference invalidates the first pass. */
const DURATION_TOLERANCE = 0.02;

/** The container's overhead. */
const MP4_BYTES_MIN = 3000;
const MP4_BYTES_PER_FRAME = 18;
const MP4_BYTES_PER_AUDIO_PACKET = 9;

export async function transcodeVideo(job: TranscodeJob, sourceBytes: number): Promise<TranscodeReply> {
	const facts = probeVideo(job.path);
	if (facts === undefined) throw new UnsupportedMediaError({ kind: "unknownType" });
	const mustShrink = sourceBytes > job.bytesMax;
	if (!mustShrink && facts.isPlayable) {
		const path = join(job.folder, "remuxed.mp4");
		const { sizeBytes, videoS, audioS } = await remuxVideo(job.path, facts, path);
		rejectTruncated(facts, videoS, audioS);
		if (sizeBytes <= job.bytesMax) return transcoded({ path, sizeBytes }, []);
	}
	using audio = await audioOf(facts, job);
	const video = mustShrink ? undefined : await encodeByQuality(job, facts, audio);
	const { plan, ...file } = video ?? (await encodeBySize(job, facts, audio));
	return transcoded(file, changesOf(facts, plan, video === undefined));
}

interface Encoded {
	readonly plan: VideoPlan;
	readonly path: string;
	readonly sizeBytes: number;
}

/** For files that only need another format: they need not fill the limit. */
async function encodeByQuality(
	job: TranscodeJob,
	facts: VideoFacts,
	audio: EncodedAudio | undefined,
): Promise<Encoded | undefined> {
	const budget = planOrThrow(job, facts.shape, videoBytesLeft(job.bytesMax, facts.shape, audio));
	const plan = { ...budget, videoBitsPerSecond: Math.max(budget.videoBitsPerSecond, GOOD_BITS_PER_SECOND_MIN) };
	const path = join(job.folder, "by-quality.mp4");
	const { durationS, sizeBytes } = await encode(job, facts, plan, { kind: "quality", crf: GOOD_CRF }, { path, audio });
	rejectTruncated(facts, durationS, audio?.durationS);
	return sizeBytes <= job.bytesMax ? { plan, path, sizeBytes } : undefined;
}

/** Encodes in two passes for a size, and again if the encoder missed it. */
async function encodeBySize(job: TranscodeJob, facts: VideoFacts, audio: EncodedAudio | undefined): Promise<Encoded> {
	const { plan: firstPlan, shape } = await measure(job, facts, audio);
	const otherBytes = job.bytesMax - videoBytesLeft(job.bytesMax, shape, audio);
	let plan = firstPlan;
	let best: (Encoded & { readonly attempt: BitrateAttempt }) | undefined;
	let tooLarge: BitrateAttempt | undefined;
	for (const aim of AIMS) {
		const path = join(job.folder, "by-size.mp4");
		const { sizeBytes } = await encode(job, facts, plan, { kind: "size" }, { path, audio });
		const attempt = { bitsPerSecond: plan.videoBitsPerSecond, videoBytes: sizeBytes - otherBytes };
		if (sizeBytes > job.bytesMax) {
			tooLarge = attempt;
		} else {
			const isStuck = best !== undefined && sizeBytes < best.sizeBytes * STUCK_FACTOR;
			if (best === undefined || sizeBytes > best.sizeBytes) {
				const bestPath = join(job.folder, "best.mp4");
				await rename(path, bestPath);
				best = { plan, path: bestPath, sizeBytes, attempt };
			}
			if (isStuck || sizeBytes >= job.bytesMax * ENOUGH) return best;
		}
		const videoBitsPerSecond = nextBitrate(best?.attempt, tooLarge, job.bytesMax * aim - otherBytes);
		if (videoBitsPerSecond !== undefined) plan = { ...plan, videoBitsPerSecond };
	}
	if (best === undefined) throw new UnsupportedMediaError({ kind: "tooLarge" });
	return best;
}

/** Runs the first pass; again if the actual duration asks for another size. */
async function measure(
	job: TranscodeJob,
	facts: VideoFacts,
	audio: EncodedAudio | undefined,
): Promise<{ readonly plan: VideoPlan; readonly shape: VideoShape }> {
	const planFor = (shape: VideoShape): VideoPlan =>
		planOrThrow(job, shape, videoBytesLeft(job.bytesMax, shape, audio) * AIMS[0]);
	const firstPlan = planFor(facts.shape);
	const { durationS } = await encode(job, facts, firstPlan, { kind: "measure" });
	rejectTruncated(facts, durationS, audio?.durationS);
	const differs = Math.abs(durationS / facts.shape.durationS - 1) > DURATION_TOLERANCE && durationS > 0;
	if (!differs) return { plan: firstPlan, shape: facts.shape };

	const shape = { ...facts.shape, durationS };
	const plan = planFor(shape);
	const samePixels = plan.width === firstPlan.width && plan.framesPerSecondMax === firstPlan.framesPerSecondMax;
	if (!samePixels) await encode(job, facts, plan, { kind: "measure" });
	return { plan, shape };
}

async function encode(
	{ path, threads, memory }: TranscodeJob,
	facts: VideoFacts,
	plan: VideoPlan,
	pass: Pass,
	output?: { readonly path: string; readonly audio: EncodedAudio | undefined },
) {
	using file = output && openVideoFile(output.path, { encoded: output.audio });
	const decoded = await encodeVideo({ path, facts, plan, pass, threads, memory }, (packet, encoder) =>
		file?.add(packet, encoder),
	);
	file?.finish();
	return { ...decoded, sizeBytes: output ? (await stat(output.path)).size : 0 };
}

async function audioOf(facts: VideoFacts, { path, bytesMax }: TranscodeJob): Promise<EncodedAudio | undefined> {
	if (facts.audio === undefined) return undefined;
	const allBitsPerSecond = (bytesMax * 8) / facts.longestTrackS;
	const share = Math.floor(allBitsPerSecond * 0.12);
	const bitsPerSecond = share >= 128_000 ? 128_000 : share >= 96_000 ? 96_000 : share >= 48_000 ? 64_000 : 32_000;
	const channels = bitsPerSecond > 32_000 && facts.audio.channels > 1 ? 2 : 1;
	const sampleRate = bitsPerSecond > 32_000 ? 48_000 : 24_000;
	return encodeAac(path, { startS: facts.startS, bitsPerSecond, channels, sampleRate });
}

/** The bytes left for the video track. */
function videoBytesLeft(bytesMax: number, shape: VideoShape, audio: EncodedAudio | undefined): number {
	const frames = shape.durationS * Math.min(shape.framesPerSecond, 60);
	const audioBytes = audio ? audio.sizeBytes + audio.packets.length * MP4_BYTES_PER_AUDIO_PACKET : 0;
	return bytesMax - audioBytes - MP4_BYTES_MIN - frames * MP4_BYTES_PER_FRAME;
}

function planOrThrow({ memory }: TranscodeJob, shape: VideoShape, videoBytes: number): VideoPlan {
	const plan = planVideo(shape, videoBytes, SHORT_SIDE_MAX_BY_MEMORY[memory]);
	if (plan === undefined) throw new UnsupportedMediaError({ kind: "tooLarge" });
	return plan;
}

/** Without a declared video duration, the audio may be the longer track. */
function rejectTruncated(facts: VideoFacts, videoS: number, audioS = 0): void {
	const actualS = facts.declaresVideoDuration ? videoS : Math.max(videoS, audioS);
	if (actualS < facts.shape.durationS * COMPLETE_SHARE - COMPLETE_TOLERANCE_S)
		throw new UnsupportedMediaError({ kind: "damaged" });
}

function changesOf({ shape, colors }: VideoFacts, plan: VideoPlan, compressed: boolean): TranscodeChange[] {
	const changes: TranscodeChange[] = compressed ? [{ kind: "compressed" }] : [];
	const { width, height, framesPerSecondMax } = plan;
	if (height < shape.height - 1) changes.push({ kind: "smaller", width, height });
	if (framesPerSecondMax < shape.framesPerSecond - 1) {
		changes.push({ kind: "fewerFrames", framesPerSecond: Math.round(framesPerSecondMax) });
	}
	if (colors.highDynamicRange) changes.push({ kind: "standardColors", faithful: mapsBrightness() });
	return changes;
}

function transcoded(file: { path: string; sizeBytes: number }, changes: readonly TranscodeChange[]): TranscodeReply {
	const { path, sizeBytes } = file;
	return { kind: "transcoded", file: { path, sizeBytes, contentType: "video/mp4", extension: "mp4", changes } };
}
