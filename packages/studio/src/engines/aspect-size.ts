import { EngineError } from "./engine.ts";

export interface PixelSize {
	readonly width: number;
	readonly height: number;
}

/** Returns the size with about this many pixels in this ratio, both sides multiples of `multipleOf`. */
export function sizeOf(aspectRatio: string, pixels: number, multipleOf: number): PixelSize {
	const [across = 0, down = 0] = aspectRatio.split(":").map(Number);
	if (!(across > 0 && down > 0)) {
		throw new EngineError("invalid_input", `unknown aspect ratio: ${aspectRatio}`, { retryable: false });
	}
	const side = (length: number): number => Math.max(multipleOf, Math.round(length / multipleOf) * multipleOf);
	return { width: side(Math.sqrt((pixels * across) / down)), height: side(Math.sqrt((pixels * down) / across)) };
}
