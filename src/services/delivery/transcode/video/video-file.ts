import type * as av from "node-av";
import { openMp4File, type TrackSource } from "../mp4-file.ts";
import type { EncodedAudio } from "../audio/encode-aac.ts";

/** Writes a video and an audio track to one file. */
export interface VideoFile extends Disposable {
	/** Writes a video packet of an encoder, or one copied from another file. */
	add(packet: av.Packet, film: TrackSource): void;
	/** Writes a copied audio packet. */
	addSound(packet: av.Packet): void;
	finish(): void;
}

interface FilmSound {
	readonly encoded?: EncodedAudio | undefined;
	readonly takenOver?: av.Stream | undefined;
}

export function openVideoFile(path: string, { encoded, takenOver }: FilmSound): VideoFile {
	const file = openMp4File(path);
	const soundSource = encoded?.encoder ?? takenOver;
	let tracks: { readonly film: number; readonly sound: number | undefined } | undefined;
	let soundAt = 0;

	const open = (film: TrackSource) => ({ film: file.addTrack(film), sound: soundSource && file.addTrack(soundSource) });

	const addEncodedSound = (untilS: number): void => {
		if (!encoded || tracks?.sound === undefined) return;
		for (let packet = encoded.packets[soundAt]; packet !== undefined; packet = encoded.packets[soundAt]) {
			if (startOf(packet) > untilS) return;
			file.write(packet, tracks.sound);
			soundAt += 1;
		}
	};

	return {
		add(packet, film) {
			tracks ??= open(film);
			addEncodedSound(startOf(packet));
			file.write(packet, tracks.film);
		},
		addSound(packet) {
			// The video track is unknown until its first packet, which comes within a fraction of a second.
			if (tracks?.sound !== undefined) file.write(packet, tracks.sound);
		},
		finish() {
			addEncodedSound(Number.POSITIVE_INFINITY);
			file.finish();
		},
		[Symbol.dispose]: () => file[Symbol.dispose](),
	};
}

function startOf({ dts, timeBase: { num, den } }: av.Packet): number {
	return (Number(dts) * num) / den;
}
