import { stat } from "node:fs/promises";
import { fileTypeFromBuffer, fileTypeFromFile, type FileTypeResult } from "file-type";
import type { InputVideoTrack } from "mediabunny";
import { readImageSize, type ImageSize } from "@atelier/common/image-size";
import { IMAGE_PIXELS_MAX, type UnusableReason } from "../unusable-file.ts";
import { mediaKindOf, type MediaKind } from "../media-kind.ts";
import { readMp4Layout } from "./mp4-layout.ts";
import { hasEndMarker, readHeadAndTail, type HeadAndTail } from "./image-header.ts";
import { extensionOf, H264_SHORT_SIDE_MAX } from "./embeddable-types.ts";
import { withAudioFile } from "./audio-integrity/audio-file.ts";
import { verifyMp3 } from "./audio-integrity/verify-mp3.ts";
import { verifyOgg } from "./audio-integrity/verify-ogg.ts";
import { verifyWav } from "./audio-integrity/verify-wav.ts";

/** The type of a file, as far as its bytes show it without decoding. */
type DetectedType = DetectedMedia | { readonly kind: "unusable"; readonly why: UnusableReason };

export type DetectedMedia =
	/** The file is complete and Discord displays it. */
	| {
			readonly kind: "embeddable";
			readonly mediaKind: MediaKind;
			readonly contentType: string;
			readonly extension: string;
			/** The size of an image. */
			readonly imageSize?: ImageSize;
	  }
	/** The file has to be transcoded, or only a decoder can tell whether it is complete. */
	| { readonly kind: "undecided"; readonly mediaKind: MediaKind; readonly contentType: string };

/** Baseline, Main and High: every client plays 8-bit H.264 with 4:2:0 subsampling, which these profiles imply. */
const PLAYABLE_PROFILES = new Set([66, 77, 100]);
const MP3: FileTypeResult = { mime: "audio/mpeg", ext: "mp3" };
/** By the extension of the type. They need a few reads of 256 KiB at most, and decode nothing; a worker decodes other audio. */
const AUDIO_VERIFIERS = new Map([
	["mp3", verifyMp3],
	["wav", verifyWav],
	["ogg", verifyOgg],
	["oga", verifyOgg],
	["opus", verifyOgg],
]);
const MP4_TYPES = new Set(["video/mp4", "video/quicktime", "video/x-m4v", "audio/x-m4a", "audio/mp4"]);

/** Detects the type from the content of a file, whatever its name or the declared type says. */
export async function detectType(path: string, sizeBytes: number): Promise<DetectedType> {
	if (sizeBytes === 0) return { kind: "unusable", why: { kind: "damaged" } };
	const headAndTail = await readHeadAndTail(path, sizeBytes);
	const fileType = await fileTypeOf(path, headAndTail.head);
	const mediaKind = fileType && mediaKindOf(fileType.mime);
	if (!fileType || !mediaKind) return { kind: "unusable", why: { kind: "unknownType" } };
	const { mime: contentType, ext } = fileType;
	if (MP4_TYPES.has(contentType)) return detectMp4(path, contentType);
	const undecided = { kind: "undecided", mediaKind, contentType } as const;
	switch (mediaKind) {
		case "image":
			return detectImage(contentType, headAndTail) ?? undecided;
		case "audio": {
			const verify = AUDIO_VERIFIERS.get(ext);
			const verdict = verify ? await withAudioFile(path, verify) : "undecided";
			if (verdict === "damaged") return { kind: "unusable", why: { kind: "damaged" } };
			return verdict === "intact" ? embeddableAs("audio", contentType) : undecided;
		}
		case "video":
			return undecided;
	}
}

/**
 * Detects the type from the content of a file, complete or not, and the usual extension of its name. Resolves to `undefined` if
 * it is not a media file.
 */
export async function detectMediaFileType(path: string) {
	const { head } = await readHeadAndTail(path, (await stat(path)).size);
	const type = await fileTypeOf(path, head);
	return type && mediaKindOf(type.mime) && { contentType: type.mime, extension: type.ext };
}

/** Detects the type; `undefined` if unknown. The signature of an image is at its start; other formats may have it later. */
async function fileTypeOf(path: string, head: Buffer): Promise<FileTypeResult | undefined> {
	const type = await fileTypeFromBuffer(head);
	if (type?.mime.startsWith("image/")) return type;
	// An ID3 tag may be followed by padding that the tag's size does not include, so that file-type finds nothing.
	return (await fileTypeFromFile(path)) ?? (head.toString("latin1", 0, 3) === "ID3" ? MP3 : undefined);
}

function embeddableAs(mediaKind: MediaKind, contentType: string): Extract<DetectedMedia, { kind: "embeddable" }> {
	const extension = extensionOf(contentType);
	if (extension === undefined) throw new TypeError(`${contentType} has no file extension`);
	return { kind: "embeddable", mediaKind, contentType, extension };
}

/** Returns `undefined` if only a decoder can tell whether the image is complete. */
function detectImage(contentType: string, headAndTail: HeadAndTail): DetectedType | undefined {
	const imageSize = readImageSize(headAndTail.head);
	if (imageSize === undefined) return undefined;
	const pixels = imageSize.width * imageSize.height;
	if (pixels > IMAGE_PIXELS_MAX) {
		return { kind: "unusable", why: { kind: "tooManyPixels", megapixels: Math.round(pixels / 1e6) } };
	}
	return hasEndMarker(contentType, headAndTail) ? { ...embeddableAs("image", contentType), imageSize } : undefined;
}

async function detectMp4(path: string, contentType: string): Promise<DetectedType> {
	const layout = await readMp4Layout(path);
	if (!layout.isComplete) return { kind: "unusable", why: { kind: "damaged" } };
	const tracks = await readTracks(path).catch(() => undefined);
	const mediaKind = tracks?.hasVideo === false ? "audio" : "video";
	const undecided = { kind: "undecided", mediaKind, contentType } as const;
	if (!tracks?.isPlayable || layout.isFragmented) return undecided;
	if (mediaKind === "audio") return embeddableAs(mediaKind, "audio/x-m4a");
	return layout.isIndexFirst && contentType !== "video/quicktime" ? embeddableAs(mediaKind, "video/mp4") : undecided;
}

/** Reads the tracks in this process with a pure JavaScript parser, which decodes nothing. */
async function readTracks(path: string): Promise<{ readonly hasVideo: boolean; readonly isPlayable: boolean }> {
	// Loaded on first use: many processes never see an MP4 or MOV file.
	const { FilePathSource, Input, MP4, QTFF } = await import("mediabunny");
	using input = new Input({ source: new FilePathSource(path), formats: [MP4, QTFF] });
	const video = await input.getPrimaryVideoTrack();
	const audio = await input.getPrimaryAudioTrack();
	const isAudioPlayable = audio === null ? video !== null : audio.codec === "aac";
	if (video === null) return { hasVideo: false, isPlayable: isAudioPlayable };
	return { hasVideo: true, isPlayable: isAudioPlayable && (await isPlayableH264(video)) };
}

async function isPlayableH264(video: InputVideoTrack): Promise<boolean> {
	if (video.codec !== "avc" || Math.min(video.codedWidth, video.codedHeight) > H264_SHORT_SIDE_MAX) return false;
	// Such as "avc1.64001f": the first two hexadecimal digits are the profile.
	const codecParameters = (await video.getCodecParameterString()) ?? "";
	const profile = Number.parseInt(codecParameters.slice("avc1.".length, "avc1.".length + 2), 16);
	return PLAYABLE_PROFILES.has(profile);
}
