/** Finds the input images of a generation, in attachments and in messages, and denies those that services reject. */
import type { Attachment, Message } from "discord.js";
import { mediaIn } from "../../discord/message-contents.ts";
import { readImageSize } from "@atelier/common/image-size";
import { UserError } from "../../services/user-error.ts";

const IMAGE_TYPES = new Set(["image/png", "image/jpeg", "image/webp"]);
/** Services spend minutes on larger images and then reject them; the transcoder has the same limit. */
const INPUT_MEGAPIXELS = 100;
const PIXELS_PER_MEGAPIXEL = 1_000_000;
/** Enough for a JPEG whose camera wrote a thumbnail and a color profile before the size. */
const HEAD_BYTES_MAX = 256 * 1024;
const HEAD_TIMEOUT_MS = 10_000;

interface MessageFiles extends Pick<Message, "attachments"> {
	readonly components?: readonly { toJSON(): unknown }[];
}

type InputFile = Pick<Attachment, "url" | "contentType" | "width" | "height">;
type Dimensions = Pick<InputFile, "width" | "height">;

function isImageAttachment({ contentType }: Pick<Attachment, "contentType">): boolean {
	return IMAGE_TYPES.has(contentType ?? "");
}

/** Returns whether a message of the bot shows an image. */
export function hasImage(message: MessageFiles): boolean {
	return chosenImageUrlIn(message) !== undefined || imagesOf(message).length > 0;
}

/** Returns the URL of an image of a message. Throws a `UserError` without one, and for an image with too many pixels. */
export function imageUrlOf(message: MessageFiles, imageIndex = 0): string {
	const image = imagesOf(message).at(imageIndex);
	if (!image) throw new UserError({ key: "request.noImageInMessage" });
	requireInputPixels(image);
	return image.url;
}

/** Returns the URL of the image of one of the bot's own messages: the chosen one of several, otherwise the first. */
export function ownImageUrlOf(message: MessageFiles): string {
	return chosenImageUrlIn(message) ?? imageUrlOf(message);
}

/** Returns the URL of the image in a card about one chosen image, which the bot copied from the result. Only such cards link an image. */
function chosenImageUrlIn({ components = [] }: MessageFiles): string | undefined {
	const media = mediaIn(components.map((component) => component.toJSON()));
	return media.find(({ attachment_id: id }) => id === undefined)?.url;
}

/** Lists the images of a message, attached or in a card. Only files on Discord count: other URLs can point anywhere. */
function imagesOf({ attachments, components = [] }: MessageFiles): readonly (Dimensions & Pick<InputFile, "url">)[] {
	const inCards = mediaIn(components.map((component) => component.toJSON())).filter(
		({ attachment_id: id, content_type: contentType = null }) => id !== undefined && isImageAttachment({ contentType }),
	);
	return [
		...[...attachments.values()].filter(isImageAttachment),
		...inCards.map(({ url, width = null, height = null }) => ({ url, width, height })),
	];
}

/** Returns the URL of a mask. Throws a `UserError` if its size differs from its image's, as far as both are known. */
export async function maskUrlOf(mask: InputFile, image: InputFile | null): Promise<string> {
	const url = await inputUrlOf(mask);
	if (image === null) throw new UserError({ key: "request.maskNeedsOneImage" });
	const maskSize = formatDimensions(await dimensionsOf(mask));
	const imageSize = formatDimensions(await dimensionsOf(image));
	if (maskSize !== undefined && imageSize !== undefined && maskSize !== imageSize)
		throw new UserError({ key: "request.maskSize", params: { maskSize, imageSize } });
	return url;
}

function formatDimensions({ width, height }: Dimensions): string | undefined {
	return width === null || height === null ? undefined : `${width} × ${height}`;
}

/** Returns the URL of an attached input image. Throws a `UserError` for other files and images with too many pixels. */
export async function inputUrlOf(attachment: InputFile): Promise<string> {
	if (!isImageAttachment(attachment)) throw new UserError({ key: "request.notAnImage" });
	requireInputPixels(await dimensionsOf(attachment));
	return attachment.url;
}

/** Returns the dimensions that Discord names, or else those in the file's header; `null` if they are unknown. */
async function dimensionsOf(input: InputFile): Promise<Dimensions> {
	const areKnown = (input.width ?? 0) > 0 && (input.height ?? 0) > 0;
	return areKnown ? input : await readDimensions(input);
}

/** Accepts an image of unknown dimensions. */
function requireInputPixels({ width, height }: Dimensions): void {
	const megapixels = ((width ?? 0) * (height ?? 0)) / PIXELS_PER_MEGAPIXEL;
	if (megapixels < INPUT_MEGAPIXELS) return;
	throw new UserError({
		key: "request.tooManyPixels",
		params: { megapixels: Math.floor(megapixels), megapixelsMax: INPUT_MEGAPIXELS },
	});
}

/** Reads the dimensions from the file's header; `null` if it cannot be read. Discord gives the URL; members cannot type it. */
async function readDimensions({ url }: InputFile): Promise<Dimensions> {
	const unknown = { width: null, height: null };
	try {
		const response = await fetch(url, {
			headers: { range: `bytes=0-${HEAD_BYTES_MAX - 1}` },
			redirect: "error",
			signal: AbortSignal.timeout(HEAD_TIMEOUT_MS),
		});
		const parts: Uint8Array[] = [];
		let readBytes = 0;
		for await (const part of response.ok ? (response.body ?? []) : []) {
			parts.push(part);
			readBytes += part.byteLength;
			// `break` cancels the body.
			if (readBytes >= HEAD_BYTES_MAX) break;
		}
		return readImageSize(Buffer.concat(parts)) ?? unknown;
	} catch {
		// The service reads the file itself and reports what is wrong with it.
		return unknown;
	}
}
