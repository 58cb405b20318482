import { fileTypeFromBuffer, fileTypeFromFile } from "file-type";
import type { InputVideoTrack } from "mediabunny";
import type { MediaKind, TranscodeRefusal } from "./transcode-job.ts";
import { readMp4Layout } from "./mp4-layout.ts";
import { readImageHeader } from "./image-header.ts";
import { readHeadAndTail, type HeadAndTail } from "./read-head-tail.ts";
import { extensionOf, isEmbeddableAudio } from "./embeddable-types.ts";
import { verifyAudio } from "./audio-integrity/verify-audio.ts";

/** What a file is, by its bytes, as far as that can be told without decoding it. */
export type DetectedType =
	/** It is whole and Discord shows it. */
	| {
			readonly kind: "shown";
			readonly mediaKind: MediaKind;
			readonly contentType: string;
			readonly ending: string;
			/** Of a picture. */
			readonly pixels?: number;
	  }
	/** Only a decoder can tell, or it has to be converted. */
	| { readonly kind: "media"; readonly mediaKind: MediaKind; readonly contentType: string }
	| { readonly kind: "unfit"; readonly why: TranscodeRefusal };

const PIXELS_MAX = 100_000_000;
/** What every client plays: H.264 with 8 bits and halved colour, which these profiles mean. */
const PLAYED_SHORT_SIDE_MAX = 2160;
const PLAYED_PROFILES = new Set([66, 77, 100]);
const MP4_TYPES = new Set(["video/mp4", "video/quicktime", "video/x-m4v", "audio/x-m4a", "audio/mp4"]);

export async function detectType(path: string, sizeBytes: number): Promise<DetectedType> {
	if (sizeBytes === 0) return { kind: "unfit", why: { kind: "damaged" } };
	const ends = await readHeadAndTail(path, sizeBytes);
	const contentType = await typeOf(path, ends.head);
	const mediaKind = contentType && kindOf(contentType);
	if (!contentType || !mediaKind) return { kind: "unfit", why: { kind: "strange" } };
	if (MP4_TYPES.has(contentType)) return recogniseMp4(path, contentType);
	const media = { kind: "media", mediaKind, contentType } as const;
	switch (mediaKind) {
		case "picture":
			return recognisePicture(contentType, ends) ?? media;
		case "sound":
			return isEmbeddableAudio(contentType) ? recogniseSound(path, contentType) : media;
		case "film":
			return media;
	}
}

/** A picture says what it is where it begins; what else there is may do so anywhere. */
async function typeOf(path: string, head: Buffer): Promise<string | undefined> {
	const contentType = (await fileTypeFromBuffer(head))?.mime;
	if (contentType?.startsWith("image/")) return contentType;
	// Behind this tag there may be more room than its size tells.
	return (await fileTypeFromFile(path))?.mime ?? (head.toString("latin1", 0, 3) === "ID3" ? "audio/mpeg" : undefined);
}

function kindOf(contentType: string): MediaKind | undefined {
	if (contentType.startsWith("image/")) return "picture";
	if (contentType.startsWith("video/") || contentType === "application/mp4") return "film";
	if (contentType.startsWith("audio/")) return "sound";
	return undefined;
}

function shown(mediaKind: MediaKind, contentType: string): Extract<DetectedType, { kind: "shown" }> {
	const ending = extensionOf(contentType);
	if (ending === undefined) throw new TypeError(`${contentType} has no ending`);
	return { kind: "shown", mediaKind, contentType, ending };
}

/** `undefined` where only decoding it tells. */
function recognisePicture(contentType: string, ends: HeadAndTail): DetectedType | undefined {
	const head = readImageHeader(contentType, ends);
	if (head === undefined) return undefined;
	const pixels = head.width * head.height;
	if (pixels > PIXELS_MAX) {
		return { kind: "unfit", why: { kind: "tooManyPixels", megapixels: Math.round(pixels / 1e6) } };
	}
	return head.whole ? { ...shown("picture", contentType), pixels } : undefined;
}

async function recogniseSound(path: string, contentType: string): Promise<DetectedType> {
	switch (await verifyAudio(path, contentType)) {
		case "whole":
			return shown("sound", contentType);
		case "broken":
			return { kind: "unfit", why: { kind: "damaged" } };
		case "unsure":
			return { kind: "media", mediaKind: "sound", contentType };
	}
}

async function recogniseMp4(path: string, contentType: string): Promise<DetectedType> {
	const layout = await readMp4Layout(path);
	if (!layout.whole) return { kind: "unfit", why: { kind: "damaged" } };
	const tracks = await readTracks(path).catch(() => undefined);
	const mediaKind = tracks?.hasFilm === false ? "sound" : "film";
	const media = { kind: "media", mediaKind, contentType } as const;
	if (!tracks?.plays || layout.fragmented) return media;
	if (mediaKind === "sound") return shown(mediaKind, "audio/x-m4a");
	return layout.indexFirst && contentType !== "video/quicktime" ? shown(mediaKind, "video/mp4") : media;
}

/** Read in this process, by a reader that is JavaScript alone; it decodes nothing. */
async function readTracks(path: string): Promise<{ readonly hasFilm: boolean; readonly plays: boolean }> {
	// Loaded with the first film.
	const { FilePathSource, Input, MP4, QTFF } = await import("mediabunny");
	using input = new Input({ source: new FilePathSource(path), formats: [MP4, QTFF] });
	const film = await input.getPrimaryVideoTrack();
	const sound = await input.getPrimaryAudioTrack();
	const soundPlays = sound === null ? film !== null : sound.codec === "aac";
	if (film === null) return { hasFilm: false, plays: soundPlays };
	return { hasFilm: true, plays: soundPlays && (await isPlayedH264(film)) };
}

async function isPlayedH264(film: InputVideoTrack): Promise<boolean> {
	if (film.codec !== "avc" || Math.min(film.codedWidth, film.codedHeight) > PLAYED_SHORT_SIDE_MAX) return false;
	const profile = Number.parseInt(((await film.getCodecParameterString()) ?? "").slice("avc1.".length, 7), 16);
	return PLAYED_PROFILES.has(profile);
}
