import { stat } from "node:fs/promises";
import { UnsupportedMediaError } from "../transcode-job.ts";
import { createLength, videoStreamOf, openMedia, audioStreamOf } from "../open-media.ts";
import { encodeAac } from "../audio/encode-aac.ts";
import { openVideoFile } from "./video-file.ts";
import type { VideoFacts } from "./probe-video.ts";

const SOUND_BITS_PER_SECOND = 160_000;

interface TakenOver {
	readonly sizeBytes: number;
	/** The actual durations of video and audio. */
	readonly filmS: number;
	readonly soundS: number;
}

/** Copies a widely playable video track into an MP4 without encoding, and the audio track if it is AAC. */
export async function remuxVideo(path: string, facts: VideoFacts, outputPath: string): Promise<TakenOver> {
	using sound =
		facts.sound && !facts.sound.isAac
			? await encodeAac(path, {
					startS: facts.startS,
					bitsPerSecond: SOUND_BITS_PER_SECOND,
					channels: facts.sound.channels > 1 ? 2 : 1,
					sampleRate: 48_000,
				})
			: undefined;
	using demuxer = openMedia(path);
	const film = videoStreamOf(demuxer);
	if (film === undefined) throw new UnsupportedMediaError({ kind: "damaged" });
	const takenOver = facts.sound?.isAac ? audioStreamOf(demuxer) : undefined;
	using file = openVideoFile(outputPath, { encoded: sound, takenOver });
	const [filmLength, soundLength] = [createLength(), createLength()];
	for (const packet of demuxer.packetsSync()) {
		if (packet === null) break;
		if (packet.streamIndex === film.index) {
			filmLength.add(packet);
			file.add(packet, film);
		} else if (packet.streamIndex === takenOver?.index) {
			soundLength.add(packet);
			file.addSound(packet);
		}
		packet.free();
	}
	file.finish();
	const soundS = sound?.durationS ?? soundLength.seconds();
	return { sizeBytes: (await stat(outputPath)).size, filmS: filmLength.seconds(), soundS };
}
