/** What to make; everything in it can be posted to another thread. */
export type SketchRequest =
	| {
			readonly kind: "image";
			readonly prompt: string;
			readonly seed: number;
			readonly width: number;
			readonly height: number;
			/** A PNG, JPEG, WebP or GIF to paint again. */
			readonly input?: Uint8Array | undefined;
	  }
	| {
			readonly kind: "video";
			readonly prompt: string;
			readonly seed: number;
			readonly width: number;
			readonly height: number;
			readonly seconds: number;
			/** A PNG, JPEG, WebP or GIF to set in motion. */
			readonly input?: Uint8Array | undefined;
	  }
	| {
			readonly kind: "music";
			readonly prompt: string;
			readonly seed: number;
			readonly seconds: number;
	  }
	| { readonly kind: "upscale"; readonly input: Uint8Array };

export interface SketchFile {
	readonly bytes: Uint8Array;
	readonly contentType: "image/png" | "video/mp4" | "audio/mpeg";
	readonly width: number | null;
	readonly height: number | null;
	readonly seconds: number | null;
}

/** Of an image to upscale: four times as many pixels are still a file that can be sent. */
export const UPSCALED_PIXELS_MAX = 2_500_000;

/** An input image that cannot be used; another attempt fails the same way. */
export class SketchInputError extends Error {
	override readonly name = "SketchInputError";
}
