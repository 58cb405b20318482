import { randomFillSync } from "node:crypto";
import { createCanvas } from "@napi-rs/canvas";

const PROBE_SIDE = 500;
/** Aims a little below the size, so that rounding never exceeds it. */
const SIZE_SHARE = 0.995;

/** Creates a PNG of random pixels. Noise does not compress, so the size follows from the number of pixels. */
export async function createNoiseImage(bytes: number): Promise<Buffer> {
	const probe = await encodeNoise(PROBE_SIDE);
	return await encodeNoise(Math.floor(PROBE_SIDE * Math.sqrt((SIZE_SHARE * bytes) / probe.byteLength)));
}

async function encodeNoise(side: number): Promise<Buffer> {
	const canvas = createCanvas(side, side);
	const context = canvas.getContext("2d");
	const pixels = context.createImageData(side, side);
	randomFillSync(pixels.data);
	// Makes every pixel opaque.
	for (let alpha = 3; alpha < pixels.data.length; alpha += 4) pixels.data[alpha] = 255;
	context.putImageData(pixels, 0, 0);
	return await canvas.encode("png");
}
