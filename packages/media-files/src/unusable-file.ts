import type { MediaKind } from "./media-kind.ts";

/** The reason why a file cannot be displayed or transcoded. */
export type UnusableReason =
	| { readonly kind: "damaged" }
	| { readonly kind: "unknownType" }
	| { readonly kind: "tooManyPixels"; readonly megapixels: number }
	/** The file is of another kind than expected. */
	| {
			readonly kind: "wrongMediaType";
			readonly expected: MediaKind;
			readonly found: MediaKind;
			readonly contentType: string;
	  }
	/** No recognizable encoding fits. */
	| { readonly kind: "tooLarge" };

/** A file cannot be displayed or transcoded. */
export class UnusableFileError extends Error {
	override readonly name = "UnusableFileError";
	readonly why: UnusableReason;

	constructor(why: UnusableReason, options?: ErrorOptions) {
		super(why.kind, options);
		this.why = why;
	}
}

/** The most pixels of an image that is decoded: 400 MB of memory. */
export const IMAGE_PIXELS_MAX = 100_000_000;

/** Throws an `UnusableFileError` if an image or a frame has more pixels than a worker decodes. */
export function rejectTooManyPixels(pixels: number, pixelsMax: number): void {
	if (pixels > pixelsMax) throw new UnusableFileError({ kind: "tooManyPixels", megapixels: Math.round(pixels / 1e6) });
}
