/** What the bot and the process that fits one file say to each other. */
import type { Change } from "../../../i18n/params.ts";

export type MediaKind = "picture" | "film" | "sound";

/** `fit` makes what is shown; `preview` takes what little shows what it is: a frame of a film, the beginning of a sound. */
export interface TranscodeJob {
	readonly task: "fit" | "preview";
	readonly kind: MediaKind;
	/** By content. */
	readonly contentType: string;
	readonly path: string;
	/** An empty folder of its own, for the result and everything on the way to it. */
	readonly folder: string;
	readonly bytesMax: number;
	/** What is in the file has to be of this kind, where one is named; a container for films may hold sound alone. */
	readonly expected?: MediaKind;
	/** The job's process and those beside it share the machine. */
	readonly threads: number;
	/** A second try, after the first was killed: a video is made smaller than it could be, for less memory. */
	readonly lowMemory?: boolean;
}

export interface TranscodedFile {
	readonly path: string;
	readonly sizeBytes: number;
	readonly contentType: string;
	readonly ending: string;
	readonly changes: readonly Change[];
}

/** Why a file is of no use, each with its own sentence for the person. */
export type TranscodeRefusal =
	| { readonly kind: "damaged" }
	| { readonly kind: "strange" }
	| { readonly kind: "tooManyPixels"; readonly megapixels: number }
	/** It is media, and of another kind than was asked for. */
	| {
			readonly kind: "wrongMedium";
			readonly expected: MediaKind;
			readonly found: MediaKind;
			readonly contentType: string;
	  }
	/** Nothing recognisable would be left of it. */
	| { readonly kind: "tooLarge" }
	/** This machine has not enough memory to transcode it. */
	| { readonly kind: "notEnoughMemory" };

export type TranscodeReply =
	/** It is whole, and Discord shows it: nothing to do. */
	| { readonly kind: "asItIs" }
	| { readonly kind: "made"; readonly file: TranscodedFile }
	| { readonly kind: "unfit"; readonly why: TranscodeRefusal };

/** What the process that fits says before it ends: an answer, or what went wrong with its work. */
export type WorkerMessage =
	| TranscodeReply
	| { readonly kind: "failed"; readonly isOutOfMemory: boolean; readonly error: string };

/** Thrown inside the process that fits; becomes its answer. */
export class UnsupportedMediaError extends Error {
	override readonly name = "UnsupportedMediaError";
	readonly why: TranscodeRefusal;

	constructor(why: TranscodeRefusal, options?: ErrorOptions) {
		super(why.kind, options);
		this.why = why;
	}
}
