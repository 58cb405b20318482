import type * as av from "node-av";
import { openMp4File, type TrackSource } from "../mp4-file.ts";
import type { EncodedAudio } from "../audio/encode-aac.ts";

/** Writes a video and an audio track to one file. */
interface VideoFile extends Disposable {
	/** Writes a video packet from an encoder, or copied from another file; and encoded audio up to the same time. */
	addVideo(packet: av.Packet, video: TrackSource): void;
	/** Writes a copied audio packet. */
	addAudio(packet: av.Packet): void;
	/** Completes the file. Disposal alone leaves it incomplete. */
	finish(): void;
}

/** The audio of the file: encoded, copied from another file with `addAudio`, or none. */
interface AudioTrack {
	readonly encoded?: EncodedAudio | undefined;
	readonly copied?: av.Stream | undefined;
}

export function openVideoFile(path: string, { encoded, copied }: AudioTrack): VideoFile {
	const file = openMp4File(path);
	const audioSource = encoded?.encoder ?? copied;
	let tracks: { readonly video: number; readonly audio: number | undefined } | undefined;
	let nextPacket = 0;

	const open = (video: TrackSource) => ({
		video: file.addTrack(video),
		audio: audioSource && file.addTrack(audioSource),
	});

	const addEncodedAudio = (untilS: number): void => {
		if (!encoded || tracks?.audio === undefined) return;
		for (let packet = encoded.packets[nextPacket]; packet !== undefined; packet = encoded.packets[nextPacket]) {
			if (startSOf(packet) > untilS) return;
			file.write(packet, tracks.audio);
			nextPacket += 1;
		}
	};

	return {
		addVideo(packet, video) {
			tracks ??= open(video);
			addEncodedAudio(startSOf(packet));
			file.write(packet, tracks.video);
		},
		addAudio(packet) {
			// The first video packet creates the tracks. Audio before it, a fraction of a second, is dropped.
			if (tracks?.audio !== undefined) file.write(packet, tracks.audio);
		},
		finish() {
			addEncodedAudio(Number.POSITIVE_INFINITY);
			file.finish();
		},
		[Symbol.dispose]: () => file[Symbol.dispose](),
	};
}

function startSOf({ dts, timeBase: { num, den } }: av.Packet): number {
	return (Number(dts) * num) / den;
}
