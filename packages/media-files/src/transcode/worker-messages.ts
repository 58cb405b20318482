/** The messages between the main process and a transcode worker process. */
import type { MediaKind } from "../media-kind.ts";
import type { UnusableReason } from "../unusable-file.ts";

/** Bounds the memory of a job. */
export interface WorkerLimits {
	/** The threads of its decoder and its encoder. */
	readonly threads: number;
	/**
	 * `low`: videos are encoded with a short lookahead, and images without a lossless attempt. `least`: also at most 480 lines, and
	 * images with at most half of their width and height.
	 */
	readonly memory: "normal" | "low" | "least";
}

/** `transcode` creates the file to display. `preview` creates an excerpt: a frame of a video, or the beginning of audio. */
export interface TranscodeJob extends WorkerLimits {
	readonly action: "transcode" | "preview";
	readonly mediaKind: MediaKind;
	/** The type that was detected from the content. */
	readonly contentType: string;
	readonly path: string;
	/** An empty folder for the output and temporary files. */
	readonly folder: string;
	readonly bytesMax: number;
	/** Files of another kind are rejected: a file in a video container may turn out to be audio. */
	readonly expected?: MediaKind;
}

/** Extracts frames of an image or a video, for moderation. */
export interface FramesJob extends WorkerLimits, Pick<TranscodeJob, "contentType" | "path" | "folder"> {
	readonly action: "frames";
	readonly mediaKind: "image" | "video";
}

export type WorkerJob = TranscodeJob | FramesJob;

/** A change that made a file fit or play, and that a viewer can see or hear. */
export type TranscodeChange =
	| { readonly kind: "compressed" }
	| { readonly kind: "smaller"; readonly width: number; readonly height: number }
	| { readonly kind: "fewerFrames"; readonly framesPerSecond: number }
	/** An animation became its first frame. */
	| { readonly kind: "still" }
	/** High dynamic range was converted. */
	| { readonly kind: "standardColors" }
	/** The preview of a video: one of its frames. */
	| { readonly kind: "frame" }
	/** The preview of audio: its beginning. */
	| { readonly kind: "beginning"; readonly seconds: number };

export interface TranscodedFile {
	readonly path: string;
	readonly sizeBytes: number;
	readonly contentType: string;
	readonly extension: string;
	readonly changes: readonly TranscodeChange[];
}

export type TranscodeReply =
	/** The file fits unchanged. */
	| { readonly kind: "unchanged" }
	| { readonly kind: "transcoded"; readonly file: TranscodedFile }
	| { readonly kind: "unusable"; readonly why: UnusableReason };

export type FramesReply =
	| { readonly kind: "frames"; readonly paths: readonly string[] }
	| Extract<TranscodeReply, { kind: "unusable" }>;

export type ReplyTo<Job extends WorkerJob> = Job extends FramesJob ? FramesReply : TranscodeReply;

/** The size of a file's content, read from its header by the worker. */
export type MediaSize =
	| {
			readonly kind: "video";
			readonly width: number;
			readonly height: number;
			/** A decoded frame in the format of the source. */
			readonly frameBytes: number;
	  }
	/** `pixels`: of all frames that are encoded together. `isOnlyChecked`: it is decoded, but not encoded. */
	| { readonly kind: "image"; readonly pixels: number; readonly isOnlyChecked?: true }
	| { readonly kind: "audio" };

/** The first message of a worker. It waits for `StartMessage`. */
export interface SizeMessage {
	readonly kind: "size";
	readonly size: MediaSize;
}

/** Lets a worker start, with limits that may be lower than those of its job. */
export interface StartMessage extends WorkerLimits {
	readonly kind: "start";
}

/** The last message of a worker: its result, or an error. */
export type WorkerMessage =
	| TranscodeReply
	| FramesReply
	/** `lacks`: the machine ran out of it, whatever the file. */
	| { readonly kind: "failed"; readonly lacks: "memory" | "diskSpace" | undefined; readonly error: string };
