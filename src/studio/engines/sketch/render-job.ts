import type { ImageSize } from "./image-size.ts";

/** What a worker is asked to make; everything in it survives being posted to another thread. */
export type RenderJob =
	| {
			readonly kind: "picture";
			readonly prompt: string;
			readonly seed: number;
			readonly size: ImageSize;
			readonly input: Uint8Array | null;
	  }
	| {
			readonly kind: "film";
			readonly prompt: string;
			readonly seed: number;
			readonly size: ImageSize;
			readonly durationSeconds: number;
			readonly input: Uint8Array | null;
	  }
	| {
			readonly kind: "tune";
			readonly prompt: string;
			readonly seed: number;
			readonly durationSeconds: number;
			readonly lyrics: string;
			readonly instrumental: boolean;
	  };

export type ToWorker =
	| { readonly kind: "render"; readonly ticket: number; readonly job: RenderJob }
	| { readonly kind: "abort"; readonly ticket: number }
	/** Finish nothing more and end. */
	| { readonly kind: "leave" };

export type FromWorker =
	| { readonly kind: "progress"; readonly ticket: number; readonly percent: number }
	| { readonly kind: "done"; readonly ticket: number; readonly bytes: Uint8Array }
	| {
			readonly kind: "failed";
			readonly ticket: number;
			readonly code: string;
			readonly retryable: boolean;
			readonly message: string;
	  };
