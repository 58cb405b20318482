import * as av from "node-av";
import { SAMPLE_RATE, type Sound } from "./synth.ts";

/** -2.4 dB: encoding as MP3 or AAC raises the peaks by less than 1 dB. */
const PEAK_MAX = 0.76;
/** Frequencies below are not audible, and count toward the peaks. */
const FREQUENCY_MIN_HZ = 28;
const FADE_OUT_SECONDS = 0.35;

/** Normalizes the loudness, limits the peaks, and fades out. */
export function master(sound: Sound, targetLufs: number): Sound {
	const { length } = sound.left;
	const audible = applyFilters(sound, `highpass=f=${FREQUENCY_MIN_HZ},asetnsamples=n=${length}`);
	const gainDb = targetLufs - loudnessOf(audible);
	const fadeFromSeconds = Math.max(0, length / SAMPLE_RATE - FADE_OUT_SECONDS);
	return applyFilters(
		audible,
		[
			`volume=${gainDb}dB`,
			`alimiter=limit=${PEAK_MAX}:level=disabled:attack=5:release=100`,
			`afade=t=out:st=${fadeFromSeconds}:d=${FADE_OUT_SECONDS}`,
			`asetnsamples=n=${length}`,
		].join(","),
	);
}

/** Returns the integrated loudness in LUFS, by EBU R 128. */
export function loudnessOf(sound: Sound): number {
	// Otherwise the filter writes a summary to the standard error stream.
	av.Log.setLevel(av.AV_LOG_ERROR);
	const frames = framesOf(sound, "ebur128=metadata=1");
	// A last frame of less than 100 ms has no value.
	const lufs = frames.map((frame) => frame.getMetadata().get("lavfi.r128.I")).findLast((value) => value !== null);
	for (const frame of frames) frame.free();
	return Number(lufs);
}

/** Runs libavfilter's filters, the last of which collects all samples in one frame. */
function applyFilters(sound: Sound, filters: string): Sound {
	const [frame] = framesOf(sound, `${filters},aformat=sample_fmts=fltp`);
	if (!frame) throw new Error("the filters returned no sound");
	const samples = new Float32Array(Uint8Array.from(frame.toBuffer()).buffer);
	frame.free();
	return { left: samples.subarray(0, samples.length / 2), right: samples.subarray(samples.length / 2) };
}

function framesOf({ left, right }: Sound, filters: string): readonly av.Frame[] {
	using input = av.Frame.fromAudioBuffer(Buffer.concat([bytesOf(left), bytesOf(right)]), {
		nbSamples: left.length,
		format: av.AV_SAMPLE_FMT_FLTP,
		sampleRate: SAMPLE_RATE,
		channelLayout: av.AV_CHANNEL_LAYOUT_STEREO,
		timeBase: { num: 1, den: SAMPLE_RATE },
	});
	input.pts = 0n;
	using filter = av.FilterAPI.create(filters, { threads: 1 });
	return [...filter.processAllSync(input), ...filter.flushFramesSync()];
}

function bytesOf({ buffer, byteOffset, byteLength }: Float32Array): Buffer {
	return Buffer.from(buffer, byteOffset, byteLength);
}
