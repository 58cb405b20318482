import { stat } from "node:fs/promises";
import { UnfitMedia } from "../fit-job.ts";
import { filmStreamOf, openMedia, soundStreamOf } from "../open-media.ts";
import { encodeAac } from "../sound/encode-aac.ts";
import { openFilmFile } from "./film-file.ts";
import type { FilmFacts } from "./probe-film.ts";

const SOUND_BITS_PER_SECOND = 160_000;

/** Puts a picture that plays everywhere into a file that does, bit by bit as it is; the sound as well, where it is AAC. */
export async function takeOverFilm(path: string, facts: FilmFacts, outputPath: string): Promise<number> {
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
	const film = filmStreamOf(demuxer);
	if (film === undefined) throw new UnfitMedia({ kind: "damaged" });
	const takenOver = facts.sound?.isAac ? soundStreamOf(demuxer) : undefined;
	using file = openFilmFile(outputPath, { encoded: sound, takenOver });
	for (const packet of demuxer.packetsSync()) {
		if (packet === null) break;
		if (packet.streamIndex === film.index) file.add(packet, film);
		else if (packet.streamIndex === takenOver?.index) file.addSound(packet);
		packet.free();
	}
	file.finish();
	return (await stat(outputPath)).size;
}
