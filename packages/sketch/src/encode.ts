import { setImmediate as yieldToEventLoop } from "node:timers/promises";
import { registerMediabunnyServer } from "@mediabunny/server";
import {
	AudioSample,
	AudioSampleSource,
	BufferTarget,
	Mp3OutputFormat,
	Mp4OutputFormat,
	Output,
	type OutputFormat,
	Quality,
} from "mediabunny";
import { openH264Encoder, type VideoFormat } from "./h264.ts";
import { SAMPLE_RATE, type Sound } from "./music/synth.ts";

/** The frames of a video in RGBA. `paint` may return the same buffer for each frame. */
export interface Video extends VideoFormat {
	readonly frameCount: number;
	paint(frameIndex: number): Buffer;
}

/** Called between steps: reports the progress, and throws if the request was aborted. */
export type ReportProgress = (doneFraction: number) => void;

const AAC_BITS_PER_SECOND = 128_000;
const MP3_BITS_PER_SECOND = 192_000;
const CHUNK_SAMPLES = SAMPLE_RATE / 2;
/** The encoder adds at most two frames. */
const AAC_PADDING_SAMPLES = 2048;

export async function encodeMp3(sound: Sound, reportProgress: ReportProgress): Promise<Uint8Array> {
	registerMediabunnyServer({ hardwareContext: null });
	const output = new Output({ format: new Mp3OutputFormat(), target: new BufferTarget() });
	const audio = new AudioSampleSource({ codec: "mp3", quality: new Quality({ bitrate: MP3_BITS_PER_SECOND }) });
	output.addAudioTrack(audio);
	return await writeFile(output, async () => {
		for (let from = 0; from < sound.left.length; from += CHUNK_SAMPLES) {
			await addChunk(audio, sound, from, sound.left.length);
			await yieldToEventLoop();
			reportProgress(from / sound.left.length);
		}
	});
}

/** Encodes H.264 and AAC with the index at the start, so that players can begin before the download ends. */
export async function encodeMp4(video: Video, sound: Sound, reportProgress: ReportProgress): Promise<Uint8Array> {
	registerMediabunnyServer({ hardwareContext: null });
	const { framesPerSecond, frameCount } = video;
	const output = new Output({ format: new Mp4OutputFormat({ fastStart: "in-memory" }), target: new BufferTarget() });
	const encoder = openH264Encoder(video);
	const audio = new AudioSampleSource({ codec: "aac", quality: new Quality({ bitrate: AAC_BITS_PER_SECOND }) });
	output.addVideoTrack(encoder.track, { frameRate: framesPerSecond });
	output.addAudioTrack(audio);
	const soundEnd = Math.min(
		sound.left.length,
		Math.floor((frameCount / framesPerSecond) * SAMPLE_RATE) - AAC_PADDING_SAMPLES,
	);
	let encodedSamples = 0;
	return await writeFile(output, async () => {
		for (let frame = 0; frame < frameCount; frame++) {
			// The muxer buffers a track that is ahead of the other one: add sound and frames alternately.
			while (encodedSamples < soundEnd && encodedSamples / SAMPLE_RATE <= frame / framesPerSecond) {
				await addChunk(audio, sound, encodedSamples, soundEnd);
				encodedSamples += CHUNK_SAMPLES;
			}
			await encoder.add(video.paint(frame), frame);
			// The steps above may resolve without yielding to the event loop.
			await yieldToEventLoop();
			reportProgress((frame + 1) / frameCount);
		}
		await encoder.finish();
	}).finally(() => encoder.close());
}

/** Writes a file whose tracks `addMedia` fills. */
async function writeFile(
	output: Output<OutputFormat, BufferTarget>,
	addMedia: () => Promise<void>,
): Promise<Uint8Array> {
	await output.start();
	try {
		await addMedia();
		await output.finalize();
	} catch (error) {
		await output.cancel();
		throw error;
	}
	if (output.target.buffer === null) throw new Error("the encoder finished without a file");
	return new Uint8Array(output.target.buffer);
}

async function addChunk(audio: AudioSampleSource, { left, right }: Sound, from: number, end: number): Promise<void> {
	const count = Math.min(CHUNK_SAMPLES, end - from);
	const planes = new Float32Array(count * 2);
	planes.set(left.subarray(from, from + count), 0);
	planes.set(right.subarray(from, from + count), count);
	const sample = new AudioSample({
		data: planes,
		format: "f32-planar",
		numberOfChannels: 2,
		sampleRate: SAMPLE_RATE,
		timestamp: from / SAMPLE_RATE,
	});
	try {
		await audio.add(sample);
	} finally {
		sample.close();
	}
}
