import { setImmediate as nextTurn } from "node:timers/promises";
import { registerMediabunnyServer } from "@mediabunny/server";
import {
	AudioSample,
	AudioSampleSource,
	BufferSource,
	BufferTarget,
	EncodedAudioPacketSource,
	EncodedPacketSink,
	Input,
	MP4,
	Mp3OutputFormat,
	Mp4OutputFormat,
	Output,
	Quality,
	type EncodedPacket,
} from "mediabunny";
import { openH264Encoder } from "./h264.ts";
import { withoutCreationTime } from "./mp4-creation-time.ts";
import { rgbaToI420 } from "./rgba-to-i420.ts";

/** Stereo sound, samples from -1 to 1; both channels have the same length. */
export interface Pcm {
	readonly sampleRate: number;
	readonly left: Float32Array;
	readonly right: Float32Array;
}

/** A moving picture, one frame at a time. The buffer that `paint` returns may be used again for the next frame. */
export interface Film {
	readonly width: number;
	readonly height: number;
	readonly framesPerSecond: number;
	readonly frameCount: number;
	paint(frameIndex: number): Uint8Array | Uint8ClampedArray;
}

/** A graphics card would give other bytes on other machines. */
const SOFTWARE_ONLY = { hardwareContext: null };
const AAC_BITS_PER_SECOND = 128_000;
const MP3_BITS_PER_SECOND = 192_000;
const AUDIO_CHUNK_S = 0.5;
const AAC_FRAME_SAMPLES = 1024;

export async function encodeMp3(pcm: Pcm, { signal }: { signal?: AbortSignal } = {}): Promise<Uint8Array> {
	registerMediabunnyServer(SOFTWARE_ONLY);
	const target = new BufferTarget();
	const output = new Output({ format: new Mp3OutputFormat(), target });
	const audio = new AudioSampleSource({ codec: "mp3", quality: new Quality({ bitrate: MP3_BITS_PER_SECOND }) });
	output.addAudioTrack(audio);
	await output.start();
	try {
		for (const sample of chunksOf(pcm)) {
			signal?.throwIfAborted();
			await addAndClose(audio, sample);
			await nextTurn();
		}
		await output.finalize();
	} catch (error) {
		await output.cancel();
		throw error;
	}
	return bytesOf(target);
}

/** H.264 and AAC with the index in front, so that a player can begin before the file has arrived whole. */
export async function encodeMp4(
	film: Film,
	pcm: Pcm,
	{ signal, report }: { signal?: AbortSignal; report?: (doneFraction: number) => void } = {},
): Promise<Uint8Array> {
	const { width, height, framesPerSecond, frameCount } = film;
	// AAC adds two frames of its own at most; so the sound never outlasts the picture.
	const sound = await encodeAac(pcm, frameCount / framesPerSecond - (2 * AAC_FRAME_SAMPLES) / pcm.sampleRate);
	const target = new BufferTarget();
	const output = new Output({ format: new Mp4OutputFormat({ fastStart: "in-memory" }), target });
	const video = openH264Encoder(film);
	const audio = new EncodedAudioPacketSource("aac");
	output.addVideoTrack(video.track, { frameRate: framesPerSecond });
	output.addAudioTrack(audio);
	await output.start();
	try {
		let soundAt = 0;
		const addSound = async (untilS: number): Promise<void> => {
			for (let packet = sound.packets[soundAt]; packet && packet.timestamp <= untilS; packet = sound.packets[soundAt]) {
				await audio.add(packet, { decoderConfig: sound.decoderConfig });
				soundAt += 1;
			}
		};
		for (let frame = 0; frame < frameCount; frame++) {
			signal?.throwIfAborted();
			// Sound goes in beside the picture: the muxer holds back one track until the other has caught up.
			await addSound(frame / framesPerSecond);
			await video.add(rgbaToI420(film.paint(frame), width, height), frame);
			// The word to stop comes as an event, and everything above may have been answered without a turn of the loop.
			await nextTurn();
			report?.((frame + 1) / frameCount);
		}
		await video.finish();
		await addSound(Number.POSITIVE_INFINITY);
		await output.finalize();
	} catch (error) {
		await output.cancel();
		throw error;
	} finally {
		video.close();
	}
	return withoutCreationTime(bytesOf(target));
}

/**
 * The whole sound before the first frame: its encoder answers when it likes, and packets that met the frames now sooner and
 * now later would lie in another order in every file.
 */
async function encodeAac(
	pcm: Pcm,
	secondsMax: number,
): Promise<{ readonly packets: readonly EncodedPacket[]; readonly decoderConfig: AudioDecoderConfig }> {
	registerMediabunnyServer(SOFTWARE_ONLY);
	const target = new BufferTarget();
	const output = new Output({ format: new Mp4OutputFormat({ fastStart: "in-memory" }), target });
	const audio = new AudioSampleSource({ codec: "aac", quality: new Quality({ bitrate: AAC_BITS_PER_SECOND }) });
	output.addAudioTrack(audio);
	await output.start();
	for (const sample of chunksOf(pcm, secondsMax)) await addAndClose(audio, sample);
	await output.finalize();
	using input = new Input({ source: new BufferSource(bytesOf(target)), formats: [MP4] });
	const track = await input.getPrimaryAudioTrack();
	const decoderConfig = await track?.getDecoderConfig();
	if (!track || !decoderConfig) throw new Error("the encoder made no sound track");
	return { packets: await Array.fromAsync(new EncodedPacketSink(track).packets()), decoderConfig };
}

async function addAndClose<S extends { close(): void }>(
	source: { add(sample: S): Promise<void> },
	sample: S,
): Promise<void> {
	try {
		await source.add(sample);
	} finally {
		sample.close();
	}
}

function* chunksOf(pcm: Pcm, secondsMax = Number.POSITIVE_INFINITY): Generator<AudioSample, void> {
	const chunkFrames = Math.round(pcm.sampleRate * AUDIO_CHUNK_S);
	const last = Math.min(pcm.left.length, Math.floor(secondsMax * pcm.sampleRate));
	for (let start = 0; start < last; start += chunkFrames) {
		const end = Math.min(start + chunkFrames, last);
		const planes = new Float32Array((end - start) * 2);
		planes.set(pcm.left.subarray(start, end), 0);
		planes.set(pcm.right.subarray(start, end), end - start);
		yield new AudioSample({
			data: planes,
			format: "f32-planar",
			numberOfChannels: 2,
			sampleRate: pcm.sampleRate,
			timestamp: start / pcm.sampleRate,
		});
	}
}

function bytesOf(target: BufferTarget): Uint8Array {
	if (target.buffer === null) throw new Error("the encoder finished without a file");
	return new Uint8Array(target.buffer);
}
