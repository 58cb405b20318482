import { stat } from "node:fs/promises";
import { UnusableFileError } from "../../unusable-file.ts";
import { createDurationMeter, videoStreamOf, openMedia, audioStreamOf } from "../open-media.ts";
import { encodeAac } from "../audio/encode-aac.ts";
import { openMp4File } from "../mp4-file.ts";
import type { VideoFacts } from "./probe-video.ts";

const AUDIO_BITS_PER_SECOND = 160_000;

/**
 * Copies a widely playable video track into an MP4 without encoding, and the audio track if it is AAC; other audio is encoded.
 * Resolves to the size and the actual durations in seconds.
 */
export async function remuxVideo(path: string, facts: VideoFacts, outputPath: string) {
	using audio =
		facts.audio && !facts.audio.isAac
			? await encodeAac(path, {
					startS: facts.startS,
					bitsPerSecond: AUDIO_BITS_PER_SECOND,
					channels: facts.audio.channels > 1 ? 2 : 1,
					sampleRate: 48_000,
				})
			: undefined;
	using demuxer = openMedia(path);
	const video = videoStreamOf(demuxer);
	if (video === undefined) throw new UnusableFileError({ kind: "damaged" });
	const copiedAudio = facts.audio?.isAac ? audioStreamOf(demuxer) : undefined;
	using file = openMp4File(outputPath);
	const videoTrack = file.addTrack(video);
	const audioTrack = copiedAudio && file.addTrack(copiedAudio);
	if (audio) file.addEncodedTrack(audio);
	const [videoMeter, audioMeter] = [createDurationMeter(), createDurationMeter()];
	for (const packet of demuxer.packetsSync()) {
		if (packet === null) break;
		if (packet.streamIndex === video.index) {
			videoMeter.add(packet);
			file.write(packet, videoTrack);
		} else if (audioTrack !== undefined && packet.streamIndex === copiedAudio?.index) {
			audioMeter.add(packet);
			file.write(packet, audioTrack);
		}
		packet.free();
	}
	file.finish();
	const audioS = audio?.durationS ?? audioMeter.seconds();
	return { sizeBytes: (await stat(outputPath)).size, videoS: videoMeter.seconds(), audioS };
}
