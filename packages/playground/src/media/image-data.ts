/** Images inside JSON bodies: data URIs in base64. */
import { imageSize } from "image-size";
import { apiErrors } from "../simulator/api-error.ts";

const DATA_URI = /^data:image\/\w+;base64,([A-Za-z0-9+/]+={0,2})$/;
const ENDINGS = ["png", "jpg", "gif", "webp"] as const;

export interface ImageData {
	readonly bytes: Buffer;
	readonly ending: (typeof ENDINGS)[number];
}

/** Reads the image of a field. Its content decides about the type, as at Discord. Throws Discord's error. */
export function readImageData(field: string, text: string, bytesMax: number): ImageData {
	const bytes = Buffer.from(DATA_URI.exec(text)?.[1] ?? "", "base64");
	const ending = endingOf(bytes);
	if (!ending) throw apiErrors.invalidField([field], "IMAGE_INVALID", "Unsupported image type given");
	if (bytes.byteLength > bytesMax) {
		const message = `File cannot be larger than ${(bytesMax / 1024).toFixed(1)} kb.`;
		throw apiErrors.invalidField([field], "BINARY_TYPE_MAX_SIZE", message);
	}
	return { bytes, ending };
}

function endingOf(bytes: Buffer): ImageData["ending"] | undefined {
	try {
		const { type } = imageSize(bytes);
		return ENDINGS.find((ending) => ending === type);
	} catch {
		return undefined;
	}
}
