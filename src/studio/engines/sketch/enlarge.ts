import sharp from "sharp";
import { EngineError, type EngineOutput } from "../engine.ts";
import { imageSizeOf } from "./image-size.ts";
import { ENLARGED_PIXELS_MAX } from "./models.ts";

const FACTOR = 2;

/** Twice as wide and twice as high, by resampling alone: nothing is in it that was not in the picture. */
export async function enlarge(input: Uint8Array | undefined): Promise<EngineOutput> {
	if (!input) throw refuse("upscale needs a picture in image_input");
	const size = imageSizeOf(input);
	if (!size || size.width === 0 || size.height === 0) throw refuse("the input picture is not a PNG, JPEG, WebP or GIF");
	if (size.width * size.height > ENLARGED_PIXELS_MAX) {
		throw refuse(`the input picture has ${size.width} x ${size.height} pixels; at most 2.5 megapixels are enlarged`);
	}
	try {
		const { data, info } = await sharp(input, { limitInputPixels: ENLARGED_PIXELS_MAX })
			.autoOrient()
			.toColourspace("srgb")
			.raw()
			.toBuffer({ resolveWithObject: true });
		const [width, height] = [info.width * FACTOR, info.height * FACTOR];
		const raw = { width: info.width, height: info.height, channels: info.channels };
		const bytes = await sharp(data, { raw }).resize({ width, height, kernel: "lanczos3" }).png().toBuffer();
		return { type: "image", contentType: "image/png", bytes, width, height, durationSeconds: null, seed: null };
	} catch (cause) {
		throw refuse("the input picture is damaged", cause);
	}
}

const refuse = (why: string, cause?: unknown): EngineError =>
	new EngineError("invalid_input", why, { retryable: false, cause });
