import type * as av from "node-av";
import { openMp4File, type TrackSource } from "../mp4-file.ts";
import type { EncodedAudio } from "../audio/encode-aac.ts";

/** A film and its sound side by side in one file. */
export interface VideoFile extends Disposable {
	/** The next packet of the film, from its encoder or, taken over as it is, from another file. */
	add(packet: av.Packet, film: TrackSource): void;
	/** The next packet of a sound that is taken over as well. */
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
			// Before the film's first packet nobody knows what its track is; it comes within the first fraction of a second.
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
