import { stat } from "node:fs/promises";
import { join } from "node:path";
import { UnsupportedMediaError, type TranscodeReply, type TranscodeJob } from "../transcode-job.ts";
import { openMp4File } from "../mp4-file.ts";
import { durationSOf, openMedia, audioStreamOf } from "../open-media.ts";
import { encodeAac } from "./encode-aac.ts";
import { planAudio, type AudioPlan } from "./plan-audio.ts";
import type { Change } from "../transcode-change.ts";

/** The target sizes of consecutive attempts, as shares of the limit. */
const AIMS = [0.97, 0.94, 0.88, 0.75] as const;
/** For files that only need another format. */
const GOOD_BITS_PER_SECOND = 256_000;
/** For the preview of a file that is too long to fit. */
const PREVIEW_BITS_PER_SECOND = 64_000;

const MP4_BYTES_MIN = 1500;
const MP4_BYTES_PER_SECOND = 47 * 5;

export async function transcodeAudio(job: TranscodeJob, sourceBytes: number): Promise<TranscodeReply> {
	const { startS, durationS: declaredS, channels } = probeAudio(job.path);
	let durationS = declaredS;
	const mustShrink = sourceBytes > job.bytesMax;
	const path = join(job.folder, "audio.m4a");
	for (const aim of AIMS) {
		const availableBitsPerSecond = ((job.bytesMax * aim - MP4_BYTES_MIN) * 8) / durationS - MP4_BYTES_PER_SECOND * 8;
		const targetBitsPerSecond = mustShrink
			? availableBitsPerSecond
			: Math.min(availableBitsPerSecond, GOOD_BITS_PER_SECOND);
		const plan = planAudio(targetBitsPerSecond, channels);
		if (plan === undefined) throw new UnsupportedMediaError({ kind: "tooLarge" });
		const { sizeBytes, actualS } = await writeAudio(job.path, path, startS, plan);
		if (sizeBytes <= job.bytesMax) return transcoded(path, sizeBytes, mustShrink ? [{ kind: "compressed" }] : []);
		// The declared duration may be an estimate from the first bytes.
		durationS = Math.max(durationS, actualS);
	}
	throw new UnsupportedMediaError({ kind: "tooLarge" });
}

/** Encodes as much of the beginning as fits. */
export async function previewAudio(job: TranscodeJob): Promise<TranscodeReply> {
	const { startS, durationS, channels } = probeAudio(job.path);
	const availableS = ((job.bytesMax * AIMS[2] - MP4_BYTES_MIN) * 8) / PREVIEW_BITS_PER_SECOND;
	const seconds = Math.floor(Math.min(availableS, durationS));
	const plan = planAudio(PREVIEW_BITS_PER_SECOND - MP4_BYTES_PER_SECOND * 8, channels);
	if (seconds < 1 || plan === undefined) throw new UnsupportedMediaError({ kind: "tooLarge" });
	const path = join(job.folder, "beginning.m4a");
	const { sizeBytes } = await writeAudio(job.path, path, startS, plan, seconds);
	if (sizeBytes > job.bytesMax) throw new UnsupportedMediaError({ kind: "tooLarge" });
	return transcoded(path, sizeBytes, [{ kind: "beginning", seconds }]);
}

async function writeAudio(source: string, path: string, startS: number, plan: AudioPlan, untilS?: number) {
	using audio = await encodeAac(source, { ...plan, startS, ...(untilS !== undefined && { untilS }) });
	using file = openMp4File(path);
	const track = file.addTrack(audio.encoder);
	for (const packet of audio.packets) file.write(packet, track);
	file.finish();
	return { sizeBytes: (await stat(path)).size, actualS: audio.durationS };
}

function probeAudio(path: string) {
	using demuxer = openMedia(path);
	const stream = audioStreamOf(demuxer);
	if (stream === undefined) throw new UnsupportedMediaError({ kind: "unknownType" });
	const { startTime } = demuxer;
	return {
		startS: Number.isFinite(startTime) ? startTime : 0,
		channels: stream.codecpar.channels,
		durationS: durationSOf(demuxer),
	};
}

function transcoded(path: string, sizeBytes: number, changes: readonly Change[]): TranscodeReply {
	return { kind: "transcoded", file: { path, sizeBytes, contentType: "audio/mp4", extension: "m4a", changes } };
}
