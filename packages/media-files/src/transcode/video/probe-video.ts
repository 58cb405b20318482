import * as av from "node-av";
import { rejectTooManyPixels, UnusableFileError } from "../../unusable-file.ts";
import { durationSOf, videoStreamOf, openMedia, audioStreamOf } from "../open-media.ts";
import { H264_SHORT_SIDE_MAX } from "../../detection/embeddable-types.ts";
import type { VideoShape } from "./plan-video.ts";

/** 8K; a larger frame is an attack or an accident. */
const PIXELS_MAX = 8192 * 4352;
/** Some files declare their time base as a frame rate. */
const FRAMES_PER_SECOND_PLAUSIBLE = 1000;
const FRAMES_PER_SECOND_DEFAULT = 30;

/** The facts in the header of a video. */
export interface VideoFacts {
	readonly shape: VideoShape;
	/** The duration of the longest track in seconds: audio may be longer than the video. */
	readonly longestTrackS: number;
	/** True if the file declares the duration of the video track itself. */
	readonly declaresVideoDuration: boolean;
	/** The time at which the file's clock starts, in seconds. */
	readonly startS: number;
	readonly colors: VideoColors;
	/** The clockwise rotation for the player. */
	readonly rotationDegrees: 0 | 90 | 180 | 270;
	/** True if the video track can be copied without encoding. */
	readonly isPlayable: boolean;
	readonly audio: { readonly isAac: boolean; readonly channels: number } | undefined;
}

interface VideoColors {
	readonly highDynamicRange: boolean;
	readonly wideGamut: boolean;
	/** True if the pixels are RGB: they are converted to YUV before encoding. */
	readonly isRgb: boolean;
}

/** Reads the header of a video. Returns `undefined` for a file without a video track. Throws `UnusableFileError`. */
export function probeVideo(path: string): VideoFacts | undefined {
	using demuxer = openMedia(path);
	const stream = videoStreamOf(demuxer);
	if (stream === undefined) return undefined;
	const { codecpar } = stream;
	const { width, height } = codecpar;
	if (width < 1 || height < 1) throw new UnusableFileError({ kind: "damaged" });
	rejectTooManyPixels(width * height, PIXELS_MAX);
	const rotationDegrees = rotationOf(codecpar.getCodedSideData(av.AV_PKT_DATA_DISPLAYMATRIX));
	const transfer = codecpar.colorTrc;
	const highDynamicRange = transfer === av.AVCOL_TRC_SMPTE2084 || transfer === av.AVCOL_TRC_ARIB_STD_B67;
	const format = codecpar.format;
	const isPlainH264 =
		codecpar.codecId === av.AV_CODEC_ID_H264 &&
		(format === av.AV_PIX_FMT_YUV420P || format === av.AV_PIX_FMT_YUVJ420P) &&
		Math.min(width, height) <= H264_SHORT_SIDE_MAX;
	const longestTrackS = durationSOf(demuxer);
	const videoS = declaredDurationSOf(stream);
	return {
		shape: shapeOf(stream, rotationDegrees, videoS ?? longestTrackS),
		longestTrackS,
		declaresVideoDuration: videoS !== undefined,
		startS: Number.isFinite(demuxer.startTime) ? demuxer.startTime : 0,
		colors: {
			highDynamicRange,
			wideGamut: codecpar.colorPrimaries === av.AVCOL_PRI_BT2020,
			isRgb: isRgb(av.avGetPixFmtName(format as av.AVPixelFormat)),
		},
		rotationDegrees,
		isPlayable: isPlainH264 && !highDynamicRange,
		audio: audioFactsOf(audioStreamOf(demuxer)),
	};
}

function declaredDurationSOf({ duration, timeBase: { num, den } }: av.Stream): number | undefined {
	return duration > 0n ? (Number(duration) * num) / den : undefined;
}

function shapeOf(stream: av.Stream, rotationDegrees: number, durationS: number): VideoShape {
	const { width, height } = stream.codecpar;
	const { num, den } = stream.sampleAspectRatio.num > 0 ? stream.sampleAspectRatio : stream.codecpar.sampleAspectRatio;
	const pixelAspect = num > 0 && den > 0 ? num / den : 1;
	// Keeps all pixels: the shorter side is stretched to square pixels.
	const displayed =
		pixelAspect >= 1
			? { width: Math.round(width * pixelAspect), height }
			: { width, height: Math.round(height / pixelAspect) };
	const upright = rotationDegrees % 180 === 0 ? displayed : { width: displayed.height, height: displayed.width };
	return { ...upright, framesPerSecond: framesPerSecondOf(stream), durationS };
}

function framesPerSecondOf({ avgFrameRate, rFrameRate }: av.Stream): number {
	for (const { num, den } of [avgFrameRate, rFrameRate]) {
		if (num > 0 && den > 0 && num / den <= FRAMES_PER_SECOND_PLAUSIBLE) return num / den;
	}
	return FRAMES_PER_SECOND_DEFAULT;
}

function audioFactsOf(stream: av.Stream | undefined): VideoFacts["audio"] {
	if (stream === undefined) return undefined;
	const { codecId, channels, profile } = stream.codecpar;
	const isAac = codecId === av.AV_CODEC_ID_AAC && profile === av.AV_PROFILE_AAC_LOW;
	return { isAac, channels };
}

function isRgb(pixelFormatName: string | null): boolean {
	return /^(a?rgb|a?bgr|gbr|0rgb|0bgr|x2|pal8|mono)/.test(pixelFormatName ?? "");
}

/** Reads the rotation from the first two rows of the 3x3 display matrix. */
function rotationOf(matrix: Buffer | null): VideoFacts["rotationDegrees"] {
	if (matrix === null || matrix.length < 36) return 0;
	const [a, b] = [matrix.readInt32LE(0), matrix.readInt32LE(4)];
	const degrees = (Math.round((Math.atan2(b, a) * 2) / Math.PI) * 90 + 360) % 360;
	return degrees as VideoFacts["rotationDegrees"];
}
