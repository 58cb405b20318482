import { setImmediate as nextTurn } from "node:timers/promises";
import { registerMediabunnyServer } from "@mediabunny/server";
import {
	AudioSample,
	AudioSampleSource,
	BufferTarget,
	Mp3OutputFormat,
	Mp4OutputFormat,
	Output,
	Quality,
} from "mediabunny";
import { openH264Encoder } from "./h264.ts";
import { SAMPLE_RATE, type Sound } from "./music/synth.ts";
import { rgbaToI420 } from "./rgba-to-i420.ts";

/** Moving images, one frame at a time. The buffer that `paint` returns may be used again for the next frame. */
export interface Film {
	readonly width: number;
	readonly height: number;
	readonly framesPerSecond: number;
	readonly frameCount: number;
	paint(frameIndex: number): Uint8Array | Uint8ClampedArray;
}

/** Called between two steps of long work: reports how much is done, and throws when it is to stop. */
export type Checkpoint = (doneFraction: number) => void;

const AAC_BITS_PER_SECOND = 128_000;
const MP3_BITS_PER_SECOND = 192_000;
const CHUNK_SAMPLES = SAMPLE_RATE / 2;
/** The encoder adds two frames of its own at most. */
const AAC_PADDING_SAMPLES = 2048;

export async function encodeMp3(sound: Sound, checkpoint: Checkpoint): Promise<Uint8Array> {
	registerMediabunnyServer({ hardwareContext: null });
	const target = new BufferTarget();
	const output = new Output({ format: new Mp3OutputFormat(), target });
	const audio = new AudioSampleSource({ codec: "mp3", quality: new Quality({ bitrate: MP3_BITS_PER_SECOND }) });
	output.addAudioTrack(audio);
	await output.start();
	try {
		for (let from = 0; from < sound.left.length; from += CHUNK_SAMPLES) {
			await addChunk(audio, sound, from, sound.left.length);
			await nextTurn();
			checkpoint(from / sound.left.length);
		}
		await output.finalize();
	} catch (error) {
		await output.cancel();
		throw error;
	}
	return bytesOf(target);
}

/** H.264 and AAC with the index in front, so that a player can begin before the file has arrived whole. */
export async function encodeMp4(film: Film, sound: Sound, checkpoint: Checkpoint): Promise<Uint8Array> {
	registerMediabunnyServer({ hardwareContext: null });
	const { width, height, framesPerSecond, frameCount } = film;
	const target = new BufferTarget();
	const output = new Output({ format: new Mp4OutputFormat({ fastStart: "in-memory" }), target });
	const video = openH264Encoder(film);
	const audio = new AudioSampleSource({ codec: "aac", quality: new Quality({ bitrate: AAC_BITS_PER_SECOND }) });
	output.addVideoTrack(video.track, { frameRate: framesPerSecond });
	output.addAudioTrack(audio);
	await output.start();
	const soundEnd = Math.min(
		sound.left.length,
		Math.floor((frameCount / framesPerSecond) * SAMPLE_RATE) - AAC_PADDING_SAMPLES,
	);
	let heard = 0;
	try {
		for (let frame = 0; frame < frameCount; frame++) {
			// The muxer holds back one track until the other has caught up: both go in side by side.
			for (; heard < soundEnd && heard / SAMPLE_RATE <= frame / framesPerSecond; heard += CHUNK_SAMPLES)
				await addChunk(audio, sound, heard, soundEnd);
			await video.add(rgbaToI420(film.paint(frame), width, height), frame);
			// Everything above may have been answered without a turn of the event loop.
			await nextTurn();
			checkpoint((frame + 1) / frameCount);
		}
		await video.finish();
		await output.finalize();
	} catch (error) {
		await output.cancel();
		throw error;
	} finally {
		video.close();
	}
	return bytesOf(target);
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

function bytesOf(target: BufferTarget): Uint8Array {
	if (target.buffer === null) throw new Error("the encoder finished without a file");
	return new Uint8Array(target.buffer);
}
