import { stat } from "node:fs/promises";
import { join } from "node:path";
import { UnusableFileError } from "../../unusable-file.ts";
import type { TranscodeChange, TranscodeJob, TranscodeReply } from "../worker-messages.ts";
import { decodeEach } from "../decode.ts";
import { openMp4File } from "../mp4-file.ts";
import { durationSOf, openMedia, audioStreamOf } from "../open-media.ts";
import { encodeAac, type AacPlan } from "./encode-aac.ts";

/** The target sizes of consecutive attempts, as shares of the limit: the encoder misses its bit rate slightly. */
const TARGET_SHARES = [0.97, 0.94, 0.88, 0.75] as const;
/** For files that fit and only need another format. */
const GOOD_BITS_PER_SECOND = 256_000;
/** The preview of a file that is too long to fit: its bit rate, and its target size as a share of the limit. */
const PREVIEW_BITS_PER_SECOND = 64_000;
const PREVIEW_SHARE = 0.88;

/** A file that is shorter than this share of its declared duration, minus the tolerance, was truncated. */
const COMPLETE_SHARE = 0.98;
const COMPLETE_TOLERANCE_S = 0.2;

/** The container's headers, and its index of 47 packets a second with 5 bytes each. */
const MP4_BYTES_MIN = 1500;
const MP4_BYTES_PER_SECOND = 47 * 5;

/** Higher bit rates are not audible. */
const BITS_PER_SECOND_MAX = 320_000;
/** At low bit rates, mono with fewer high frequencies sounds better than stereo. */
const QUALITY_LEVELS = [
	{ bitsPerSecondMin: 64_000, channels: 2, sampleRate: 48_000 },
	{ bitsPerSecondMin: 40_000, channels: 2, sampleRate: 32_000 },
	{ bitsPerSecondMin: 24_000, channels: 1, sampleRate: 24_000 },
	{ bitsPerSecondMin: 12_000, channels: 1, sampleRate: 16_000 },
] as const;

type AudioPlan = Pick<AacPlan, "bitsPerSecond" | "channels" | "sampleRate">;

/**
 * Encodes a whole file as AAC, within the limit; a FLAC that fits is only checked. Throws `UnusableFileError` for a truncated FLAC, and
 * if no acceptable quality fits.
 */
export async function transcodeAudio(job: TranscodeJob, sourceBytes: number): Promise<TranscodeReply> {
	const { startS, durationS: declaredS, channels } = probeAudio(job.path);
	let durationS = declaredS;
	const mustShrink = sourceBytes > job.bytesMax;
	if (job.contentType === "audio/flac") {
		await rejectTruncated(job.path, declaredS);
		if (!mustShrink) return { kind: "unchanged" };
	}
	const path = join(job.folder, "audio.m4a");
	for (const share of TARGET_SHARES) {
		const availableBitsPerSecond = ((job.bytesMax * share - MP4_BYTES_MIN) * 8) / durationS - MP4_BYTES_PER_SECOND * 8;
		const targetBitsPerSecond = mustShrink
			? availableBitsPerSecond
			: Math.min(availableBitsPerSecond, GOOD_BITS_PER_SECOND);
		const plan = planAudio(targetBitsPerSecond, channels);
		if (plan === undefined) throw new UnusableFileError({ kind: "tooLarge" });
		const { sizeBytes, actualS } = await writeAudio(job.path, path, { ...plan, startS });
		if (sizeBytes <= job.bytesMax) return transcoded(path, sizeBytes, mustShrink ? [{ kind: "compressed" }] : []);
		// The declared duration may be an estimate from the first bytes.
		durationS = Math.max(durationS, actualS);
	}
	throw new UnusableFileError({ kind: "tooLarge" });
}

/** Encodes as much of the beginning as fits. Throws `UnusableFileError` if not even a second fits. */
export async function previewAudio(job: TranscodeJob): Promise<TranscodeReply> {
	const { startS, durationS, channels } = probeAudio(job.path);
	const availableS = ((job.bytesMax * PREVIEW_SHARE - MP4_BYTES_MIN) * 8) / PREVIEW_BITS_PER_SECOND;
	const seconds = Math.floor(Math.min(availableS, durationS));
	const plan = planAudio(PREVIEW_BITS_PER_SECOND - MP4_BYTES_PER_SECOND * 8, channels);
	if (seconds < 1 || plan === undefined) throw new UnusableFileError({ kind: "tooLarge" });
	const path = join(job.folder, "beginning.m4a");
	const { sizeBytes } = await writeAudio(job.path, path, { ...plan, startS, untilS: seconds });
	if (sizeBytes > job.bytesMax) throw new UnusableFileError({ kind: "tooLarge" });
	return transcoded(path, sizeBytes, [{ kind: "beginning", seconds }]);
}

/** Decodes a file whose header declares its exact duration. */
async function rejectTruncated(path: string, declaredS: number): Promise<void> {
	const decoding = { path, stream: "audio", filter: "anull", threads: 1 } as const;
	const { durationS } = await decodeEach(decoding, () => {});
	if (durationS >= declaredS * COMPLETE_SHARE - COMPLETE_TOLERANCE_S) return;
	// The header of an excerpt may declare the duration of the original. A truncated file ends within a frame.
	await decodeEach({ ...decoding, isStrict: true }, () => {});
}

async function writeAudio(source: string, path: string, plan: AacPlan) {
	using audio = await encodeAac(source, plan);
	using file = openMp4File(path);
	file.addEncodedTrack(audio);
	file.finish();
	return { sizeBytes: (await stat(path)).size, actualS: audio.durationS };
}

function probeAudio(path: string) {
	using demuxer = openMedia(path);
	const stream = audioStreamOf(demuxer);
	if (stream === undefined) throw new UnusableFileError({ kind: "unknownType" });
	const { startTime } = demuxer;
	return {
		startS: Number.isFinite(startTime) ? startTime : 0,
		channels: stream.codecpar.channels,
		durationS: durationSOf(demuxer),
	};
}

function transcoded(path: string, sizeBytes: number, changes: readonly TranscodeChange[]): TranscodeReply {
	return { kind: "transcoded", file: { path, sizeBytes, contentType: "audio/mp4", extension: "m4a", changes } };
}

/** Returns the best quality for a bit rate; `undefined` if the bit rate is too low for any. */
function planAudio(availableBitsPerSecond: number, sourceChannels: number): AudioPlan | undefined {
	const level = QUALITY_LEVELS.find(({ bitsPerSecondMin }) => availableBitsPerSecond >= bitsPerSecondMin);
	if (level === undefined) return undefined;
	const channels = sourceChannels > 1 ? level.channels : 1;
	const bitsPerSecondMax = channels === 1 ? BITS_PER_SECOND_MAX / 2 : BITS_PER_SECOND_MAX;
	return {
		bitsPerSecond: Math.floor(Math.min(availableBitsPerSecond, bitsPerSecondMax)),
		channels,
		sampleRate: level.sampleRate,
	};
}
