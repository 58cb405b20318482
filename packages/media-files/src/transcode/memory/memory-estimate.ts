/** Estimates the memory of a job before it starts. No I/O. */
import type { MediaSize, WorkerLimits } from "../worker-messages.ts";
import { scaled, SHORT_SIDE_MAX_BY_MEMORY } from "../video/plan-video.ts";

const MIB = 1024 * 1024;
/** Node.js with libavcodec and sharp, before it decodes anything. */
export const IDLE_WORKER_BYTES = 64 * MIB;

/**
 * Decoded frames in memory: those to which later frames refer, and those of each thread. Measured with H.264, HEVC, VP9,
 * AV1 and ProRes: 2 to 10 with one thread, 3 to 15 with two, 5 to 17 with eight.
 */
const DECODED_FRAMES = 8;
const DECODED_FRAMES_PER_THREAD = 2;
const DECODED_FRAMES_AHEAD = 2;

/** The encoder's bytes per pixel of the target; measured 144 for one thread, 173 for two, 251 for eight. */
const ENCODER_BYTES_PER_PIXEL = 150;
const ENCODER_BYTES_PER_PIXEL_AND_THREAD = 13;
/** The same with a short lookahead; measured 60 for one thread. */
const ENCODER_BYTES_PER_PIXEL_SHORT = 50;

/** Per pixel of the source; measured 43 with a lossless attempt, 39 without it, 24 without transparency. */
const IMAGE_BYTES_PER_PIXEL = { normal: 44, low: 40, least: 16 } as const;
/** Measured 3 for an animated WebP and less for a GIF; an interlaced PNG may need 8. */
const CHECKED_IMAGE_BYTES_PER_PIXEL = 8;
const AUDIO_BYTES = 32 * MIB;

/** Returns the most memory that a worker is expected to take, without the code that all workers share. */
export function estimateBytes(size: MediaSize, { threads, memory }: WorkerLimits): number {
	switch (size.kind) {
		case "audio":
			return IDLE_WORKER_BYTES + AUDIO_BYTES;
		case "image":
			return (
				IDLE_WORKER_BYTES +
				size.pixels * (size.isOnlyChecked ? CHECKED_IMAGE_BYTES_PER_PIXEL : IMAGE_BYTES_PER_PIXEL[memory])
			);
		case "video": {
			const framesAhead = threads > 1 ? DECODED_FRAMES_AHEAD : 0;
			const decodedFrames = DECODED_FRAMES + DECODED_FRAMES_PER_THREAD * threads + framesAhead;
			const decoderBytes = size.frameBytes * decodedFrames;
			const { width, height } = scaled(size, SHORT_SIDE_MAX_BY_MEMORY[memory]);
			const baseBytes = memory === "normal" ? ENCODER_BYTES_PER_PIXEL : ENCODER_BYTES_PER_PIXEL_SHORT;
			const encoderBytes = width * height * (baseBytes + ENCODER_BYTES_PER_PIXEL_AND_THREAD * threads);
			return IDLE_WORKER_BYTES + decoderBytes + encoderBytes;
		}
	}
}

/** Returns the limits to start a job with, or `undefined` if it has to wait. A job alone always starts. */
export function limitsThatFit(
	size: MediaSize,
	wanted: WorkerLimits,
	{ freeBytes, isAlone }: { readonly freeBytes: number; readonly isAlone: boolean },
): WorkerLimits | undefined {
	if (estimateBytes(size, wanted) <= freeBytes) return wanted;
	if (!isAlone) return undefined;
	const reduced = reductionsOf(wanted);
	return reduced.find((limits) => estimateBytes(size, limits) <= freeBytes) ?? reduced.at(-1) ?? wanted;
}

/** Returns smaller limits in order: fewer threads first, then less memory for each frame. */
function reductionsOf({ threads, memory }: WorkerLimits): readonly WorkerLimits[] {
	const reduced: WorkerLimits[] = [];
	for (let fewer = Math.floor(threads / 2); fewer >= 1; fewer = Math.floor(fewer / 2))
		reduced.push({ threads: fewer, memory });
	if (memory === "normal") reduced.push({ threads: 1, memory: "low" });
	if (memory !== "least") reduced.push({ threads: 1, memory: "least" });
	return reduced;
}
