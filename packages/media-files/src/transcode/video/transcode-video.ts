import { rename, stat } from "node:fs/promises";
import { join } from "node:path";
import { UnusableFileError } from "../../unusable-file.ts";
import type { TranscodeChange, TranscodeJob, TranscodeReply } from "../worker-messages.ts";
import { encodeAac, type EncodedAudio } from "../audio/encode-aac.ts";
import { encodeVideo, type EncodingPass } from "./encode-video.ts";
import { openMp4File } from "../mp4-file.ts";
import {
	FRAMES_PER_SECOND_MAX,
	nextBitrate,
	type BitrateAttempt,
	planVideo,
	SHORT_SIDE_MAX_BY_MEMORY,
	type VideoPlan,
	type VideoShape,
} from "./plan-video.ts";
import { probeVideo, type VideoFacts } from "./probe-video.ts";
import { remuxVideo } from "./remux.ts";

/** The target sizes of consecutive attempts, as shares of the limit: the encoder misses its target slightly. */
const TARGET_SHARES = [0.975, 0.965, 0.95, 0.9, 0.8] as const;
/** A result of this share of the limit is not worth another attempt. */
const ENOUGH_SHARE = 0.91;
/** A higher bit rate that enlarges the file by less is useless: the video needs no more bits. */
const STUCK_FACTOR = 1.03;
/** Visually lossless. If it fits, a higher bit rate is useless. */
const GOOD_CRF = 20;
const GOOD_BITS_PER_SECOND_MIN = 1_000_000;
/** A video that is shorter than this share of its declared duration, minus the tolerance, was truncated. */
const COMPLETE_SHARE = 0.9;
const COMPLETE_TOLERANCE_S = 1.5;
/** A larger difference between declared and actual duration changes the plan, and may invalidate the first pass. */
const DURATION_TOLERANCE = 0.02;

/** The share of all bits that the audio may take. */
const AUDIO_SHARE = 0.12;
/** Mono with fewer high frequencies. */
const AUDIO_BITS_PER_SECOND_MIN = 32_000;

/** The container's overhead. */
const MP4_BYTES_MIN = 3000;
const MP4_BYTES_PER_FRAME = 18;
const MP4_BYTES_PER_AUDIO_PACKET = 9;

/** Converts a video to an MP4 that every client plays, within the limit. Throws `UnusableFileError`. */
export async function transcodeVideo(job: TranscodeJob, sourceBytes: number): Promise<TranscodeReply> {
	const facts = probeVideo(job.path);
	if (facts === undefined) throw new UnusableFileError({ kind: "unknownType" });
	const mustShrink = sourceBytes > job.bytesMax;
	if (!mustShrink && facts.isPlayable) {
		const path = join(job.folder, "remuxed.mp4");
		const { sizeBytes, videoS, audioS } = await remuxVideo(job.path, facts, path);
		rejectTruncated(facts, videoS, audioS);
		if (sizeBytes <= job.bytesMax) return transcoded({ path, sizeBytes }, []);
	}
	using audio = await encodeAudio(facts, job);
	const goodVideo = mustShrink ? undefined : await encodeByQuality(job, facts, audio);
	const { plan, ...file } = goodVideo ?? (await encodeBySize(job, facts, audio));
	return transcoded(file, changesOf(facts, plan, goodVideo === undefined));
}

interface EncodedVideo {
	readonly plan: VideoPlan;
	readonly path: string;
	readonly sizeBytes: number;
}

/** Encodes a file that only needs another format, and need not fill the limit. Resolves to `undefined` if the result is too large. */
async function encodeByQuality(
	job: TranscodeJob,
	facts: VideoFacts,
	audio: EncodedAudio | undefined,
): Promise<EncodedVideo | undefined> {
	const budget = planOrThrow(job, facts.shape, videoBytesLeft(job.bytesMax, facts.shape, audio));
	const plan = { ...budget, videoBitsPerSecond: Math.max(budget.videoBitsPerSecond, GOOD_BITS_PER_SECOND_MIN) };
	const path = join(job.folder, "by-quality.mp4");
	const { durationS, sizeBytes } = await encode(job, facts, plan, { kind: "quality", crf: GOOD_CRF }, { path, audio });
	rejectTruncated(facts, durationS, audio?.durationS);
	return sizeBytes <= job.bytesMax ? { plan, path, sizeBytes } : undefined;
}

/** Encodes in two passes for a size, and again if the encoder missed it. */
async function encodeBySize(
	job: TranscodeJob,
	facts: VideoFacts,
	audio: EncodedAudio | undefined,
): Promise<EncodedVideo> {
	const { plan: firstPlan, shape } = await runFirstPass(job, facts, audio);
	const otherBytes = job.bytesMax - videoBytesLeft(job.bytesMax, shape, audio);
	let plan = firstPlan;
	let best: (EncodedVideo & { readonly attempt: BitrateAttempt }) | undefined;
	let tooLarge: BitrateAttempt | undefined;
	for (const share of TARGET_SHARES) {
		const path = join(job.folder, "by-size.mp4");
		const { sizeBytes } = await encode(job, facts, plan, { kind: "secondOfTwo" }, { path, audio });
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
			if (isStuck || sizeBytes >= job.bytesMax * ENOUGH_SHARE) return best;
		}
		const videoBitsPerSecond = nextBitrate(best?.attempt, tooLarge, job.bytesMax * share - otherBytes);
		if (videoBitsPerSecond !== undefined) plan = { ...plan, videoBitsPerSecond };
	}
	if (best === undefined) throw new UnusableFileError({ kind: "tooLarge" });
	return best;
}

/** Runs the first pass, and repeats it if the actual duration leads to another size or frame rate. */
async function runFirstPass(
	job: TranscodeJob,
	facts: VideoFacts,
	audio: EncodedAudio | undefined,
): Promise<{ readonly plan: VideoPlan; readonly shape: VideoShape }> {
	const planFor = (shape: VideoShape): VideoPlan =>
		planOrThrow(job, shape, videoBytesLeft(job.bytesMax, shape, audio) * TARGET_SHARES[0]);
	const firstPlan = planFor(facts.shape);
	const { durationS } = await encode(job, facts, firstPlan, { kind: "firstOfTwo" });
	rejectTruncated(facts, durationS, audio?.durationS);
	const isAsDeclared = Math.abs(durationS / facts.shape.durationS - 1) <= DURATION_TOLERANCE;
	if (isAsDeclared || durationS <= 0) return { plan: firstPlan, shape: facts.shape };

	const shape = { ...facts.shape, durationS };
	const plan = planFor(shape);
	const isFirstPassValid = plan.width === firstPlan.width && plan.framesPerSecondMax === firstPlan.framesPerSecondMax;
	if (!isFirstPassValid) await encode(job, facts, plan, { kind: "firstOfTwo" });
	return { plan, shape };
}

/** Runs one pass. The first of two passes has no output, and its size is 0. */
async function encode(
	{ path, threads, memory }: TranscodeJob,
	facts: VideoFacts,
	plan: VideoPlan,
	pass: EncodingPass,
	output?: { readonly path: string; readonly audio: EncodedAudio | undefined },
) {
	using file = output && openMp4File(output.path);
	let videoTrack: number | undefined;
	const decoded = await encodeVideo({ path, facts, plan, pass, threads, memory }, (packet, encoder) => {
		if (!file) return;
		if (videoTrack === undefined) {
			videoTrack = file.addTrack(encoder);
			if (output.audio) file.addEncodedTrack(output.audio);
		}
		file.write(packet, videoTrack);
	});
	file?.finish();
	return { ...decoded, sizeBytes: output ? (await stat(output.path)).size : 0 };
}

/** Encodes the audio with a share of the available bits. Resolves to `undefined` for a video without audio. */
async function encodeAudio(facts: VideoFacts, { path, bytesMax }: TranscodeJob): Promise<EncodedAudio | undefined> {
	if (facts.audio === undefined) return undefined;
	const bitsPerSecond = audioBitsPerSecond(((bytesMax * 8) / facts.longestTrackS) * AUDIO_SHARE);
	const isLow = bitsPerSecond === AUDIO_BITS_PER_SECOND_MIN;
	const channels = !isLow && facts.audio.channels > 1 ? 2 : 1;
	const sampleRate = isLow ? 24_000 : 48_000;
	return encodeAac(path, { startS: facts.startS, bitsPerSecond, channels, sampleRate });
}

/** Returns the bit rate for the audio. From 48,000 on it may exceed the share a little, and below it is the least acceptable one. */
function audioBitsPerSecond(availableBitsPerSecond: number): number {
	if (availableBitsPerSecond >= 128_000) return 128_000;
	if (availableBitsPerSecond >= 96_000) return 96_000;
	if (availableBitsPerSecond >= 48_000) return 64_000;
	return AUDIO_BITS_PER_SECOND_MIN;
}

/** The bytes left for the video track. */
function videoBytesLeft(bytesMax: number, shape: VideoShape, audio: EncodedAudio | undefined): number {
	const frames = shape.durationS * Math.min(shape.framesPerSecond, FRAMES_PER_SECOND_MAX);
	const audioBytes = audio ? audio.sizeBytes + audio.packets.length * MP4_BYTES_PER_AUDIO_PACKET : 0;
	return bytesMax - audioBytes - MP4_BYTES_MIN - frames * MP4_BYTES_PER_FRAME;
}

function planOrThrow({ memory }: TranscodeJob, shape: VideoShape, videoBytes: number): VideoPlan {
	const plan = planVideo(shape, videoBytes, SHORT_SIDE_MAX_BY_MEMORY[memory]);
	if (plan === undefined) throw new UnusableFileError({ kind: "tooLarge" });
	return plan;
}

/** Throws if the decoded media ends too early. Without a declared video duration, the declared one may be that of the audio. */
function rejectTruncated(facts: VideoFacts, videoS: number, audioS = 0): void {
	const actualS = facts.declaresVideoDuration ? videoS : Math.max(videoS, audioS);
	if (actualS < facts.shape.durationS * COMPLETE_SHARE - COMPLETE_TOLERANCE_S)
		throw new UnusableFileError({ kind: "damaged" });
}

function changesOf({ shape, colors }: VideoFacts, plan: VideoPlan, isCompressed: boolean): TranscodeChange[] {
	const changes: TranscodeChange[] = isCompressed ? [{ kind: "compressed" }] : [];
	const { width, height, framesPerSecondMax } = plan;
	if (height < shape.height - 1) changes.push({ kind: "smaller", width, height });
	if (framesPerSecondMax < shape.framesPerSecond - 1) {
		changes.push({ kind: "fewerFrames", framesPerSecond: Math.round(framesPerSecondMax) });
	}
	if (colors.highDynamicRange) changes.push({ kind: "standardColors" });
	return changes;
}

function transcoded(file: { path: string; sizeBytes: number }, changes: readonly TranscodeChange[]): TranscodeReply {
	const { path, sizeBytes } = file;
	return { kind: "transcoded", file: { path, sizeBytes, contentType: "video/mp4", extension: "mp4", changes } };
}
