import { createCanvas, type Canvas } from "@napi-rs/canvas";
import sharp, { type Sharp } from "sharp";
import { SketchInputError, UPSCALE_INPUT_PIXELS_MAX, type SketchFile } from "./request.ts";

const INPUT_FORMATS = ["png", "jpeg", "webp", "gif"];
const INPUT_PIXELS_MAX = 40_000_000;
const UPSCALE_FACTOR = 2;

/** Fills a canvas of this size with the inputs, in rows from left to right. Applies the rotation in their metadata. */
export async function decodeInputs(inputs: readonly Uint8Array[], width: number, height: number): Promise<Canvas> {
	const columns = Math.ceil(Math.sqrt(inputs.length));
	const rows = Math.ceil(inputs.length / columns);
	const canvas = createCanvas(width, height);
	const pen = canvas.getContext("2d");
	for (const [index, input] of inputs.entries()) {
		const row = Math.floor(index / columns);
		// The last row may have fewer columns.
		const columnsInRow = Math.min(columns, inputs.length - row * columns);
		const [left, right] = [0, 1].map((edge) => Math.round(((index - row * columns + edge) * width) / columnsInRow));
		const [top, bottom] = [0, 1].map((edge) => Math.round(((row + edge) * height) / rows));
		const tile = await decodeInput(input, right! - left!, bottom! - top!);
		pen.drawImage(tile, left!, top!);
	}
	return canvas;
}

/** Rejects unless a mask has the size of its image. */
export async function requireSameSize(mask: Uint8Array, image: Uint8Array): Promise<void> {
	const [maskDimensions, imageDimensions] = [await uprightSizeOf(mask), await uprightSizeOf(image)];
	if (maskDimensions.width === imageDimensions.width && maskDimensions.height === imageDimensions.height) return;
	const sizes = `${maskDimensions.width} x ${maskDimensions.height} pixels, and the image ${imageDimensions.width} x ${imageDimensions.height}`;
	throw new SketchInputError(`the mask has ${sizes}`);
}

async function decodeInput(bytes: Uint8Array, width: number, height: number): Promise<Canvas> {
	const { data } = await decodeImage(bytes, INPUT_PIXELS_MAX, (image) =>
		image.resize(width, height, { fit: "cover" }).ensureAlpha(),
	);
	const canvas = createCanvas(width, height);
	const pen = canvas.getContext("2d");
	const pixels = pen.createImageData(width, height);
	pixels.data.set(data);
	pen.putImageData(pixels, 0, 0);
	return canvas;
}

/** Doubles the width and height and sharpens a little. It adds no detail. */
export async function upscale(bytes: Uint8Array): Promise<SketchFile> {
	const { data, info } = await decodeImage(bytes, UPSCALE_INPUT_PIXELS_MAX, (image) => image);
	const [width, height] = [info.width * UPSCALE_FACTOR, info.height * UPSCALE_FACTOR];
	const raw = { width: info.width, height: info.height, channels: info.channels };
	const png = await sharp(data, { raw })
		.resize({ width, height, kernel: "lanczos3" })
		.sharpen({ sigma: 0.8 })
		.png()
		.toBuffer();
	return { bytes: png, contentType: "image/png", width, height, seconds: null };
}

async function decodeImage(bytes: Uint8Array, pixelsMax: number, transform: (image: Sharp) => Sharp) {
	// Checks the header before decoding: a file of a few kilobytes can declare gigabytes of pixels.
	const { width, height } = await uprightSizeOf(bytes);
	if (width * height > pixelsMax)
		throw new SketchInputError(
			`the input image has ${width} x ${height} pixels; the maximum is ${pixelsMax / 1e6} megapixels`,
		);
	try {
		const image = sharp(bytes, { limitInputPixels: pixelsMax }).autoOrient().toColourspace("srgb");
		return await transform(image).raw().toBuffer({ resolveWithObject: true });
	} catch (cause) {
		throw new SketchInputError("the input image is damaged", { cause });
	}
}

/** Reads the size of an image with the rotation in its metadata. */
async function uprightSizeOf(bytes: Uint8Array) {
	const metadata = await sharp(bytes, { limitInputPixels: false })
		.metadata()
		.catch(() => undefined);
	if (metadata && INPUT_FORMATS.includes(metadata.format)) return metadata.autoOrient;
	throw new SketchInputError("the input image is not a PNG, JPEG, WebP or GIF");
}
