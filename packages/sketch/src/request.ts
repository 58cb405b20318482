/** Structured-cloneable, because it is posted to a worker thread. */
export type SketchRequest =
	| {
			readonly kind: "image";
			readonly prompt: string;
			readonly seed: number;
			readonly width: number;
			readonly height: number;
			/** PNG, JPEG, WebP or GIF files to repaint. Several are placed side by side. */
			readonly inputs?: readonly Uint8Array[];
			/** An image of the size of the first input: white areas are repainted, black areas stay. */
			readonly mask?: Uint8Array | undefined;
	  }
	| {
			readonly kind: "video";
			readonly prompt: string;
			readonly seed: number;
			readonly width: number;
			readonly height: number;
			readonly seconds: number;
			/** PNG, JPEG, WebP or GIF files to animate. Several are placed side by side. */
			readonly inputs?: readonly Uint8Array[];
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

/** The largest image to upscale: with four times the pixels, the file still fits Discord's limit. */
export const UPSCALE_INPUT_PIXELS_MAX = 2_500_000;

/** The input image cannot be used. Do not retry. */
export class SketchInputError extends Error {
	override readonly name = "SketchInputError";
}
