import type { Attachment, Message } from "discord.js";
import type { Model } from "@atelier/media-protocol/model";
import { imageActionCustomId } from "../discord/image-buttons.ts";
import { customIdsIn, mediaIn } from "../discord/message-contents.ts";
import { readImageHeader } from "../services/delivery/transcode/image-header.ts";
import { takesInputs, type GenerationInput } from "../services/generation/request.ts";
import { UserError } from "../services/user-error.ts";

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

type InputFile = Pick<Attachment, "url" | "size" | "contentType" | "width" | "height">;

function isImageAttachment({ contentType }: Pick<Attachment, "contentType">): boolean {
	return IMAGE_TYPES.has(contentType ?? "");
}

/** Returns whether a message of the bot shows an image. */
export function hasImage(message: MessageFiles): boolean {
	return chosenImageUrlIn(message) !== undefined || imagesOf(message).length > 0;
}

/** Returns the URL of an image of a message. */
export function imageUrlOf(message: MessageFiles, imageIndex = 0): string {
	const image = imagesOf(message).at(imageIndex);
	if (!image) throw new UserError({ key: "request.noImageInMessage" });
	requireInputPixels(image);
	return image.url;
}

/** Returns the URL of an image of one of the bot's own messages. */
export function ownImageUrlOf(message: MessageFiles): string {
	return chosenImageUrlIn(message) ?? imageUrlOf(message);
}

/** Returns the URL of the image in a card about one chosen image. The bot copied that URL from the result. */
function chosenImageUrlIn({ components = [] }: MessageFiles): string | undefined {
	const json = components.map((component) => component.toJSON());
	const isChosenImageCard = customIdsIn(json).some((customId) => imageActionCustomId.decode(customId) !== undefined);
	return isChosenImageCard ? mediaIn(json)[0]?.url : undefined;
}

/** The images of a message, attached or in a card. Only files on Discord count: other URLs can point anywhere. */
function imagesOf({
	attachments,
	components = [],
}: MessageFiles): readonly Pick<InputFile, "url" | "width" | "height">[] {
	const inCards = mediaIn(components.map((component) => component.toJSON())).filter(
		({ attachment_id: id, content_type: contentType = null }) => id !== undefined && isImageAttachment({ contentType }),
	);
	return [
		...[...attachments.values()].filter(isImageAttachment),
		...inCards.map(({ url, width = null, height = null }) => ({ url, width, height })),
	];
}

/**
 * Prefers models that accept these images and this mask. If none does, any suitable model may be chosen: its denial names
 * what it accepts.
 */
export function prefersAccepting(
	models: readonly Model[],
	inputs: Pick<GenerationInput, "imageUrls" | "maskUrl">,
	isSuitable: (model: Model) => boolean,
): (model: Model) => boolean {
	if (inputs.imageUrls.length === 0) return isSuitable;
	const acceptsInputs = (model: Model): boolean => isSuitable(model) && takesInputs(model, inputs);
	return models.some(acceptsInputs) ? acceptsInputs : isSuitable;
}

/** Returns the URL of a mask. Denies a mask of another size than its image, as far as both are known. */
export async function maskUrlOf(mask: InputFile, image: InputFile | null): Promise<string> {
	const url = await inputUrlOf(mask);
	if (image === null) throw new UserError({ key: "request.maskNeedsOneImage" });
	const [maskDimensions, imageDimensions] = [await sizeOf(mask), await sizeOf(image)];
	if (
		!maskDimensions ||
		!imageDimensions ||
		(maskDimensions.width === imageDimensions.width && maskDimensions.height === imageDimensions.height)
	)
		return url;
	throw new UserError({
		key: "request.maskSize",
		params: {
			maskSize: `${maskDimensions.width} × ${maskDimensions.height}`,
			imageSize: `${imageDimensions.width} × ${imageDimensions.height}`,
		},
	});
}

/** `undefined` if the size is unknown. */
async function sizeOf(input: InputFile): Promise<{ readonly width: number; readonly height: number } | undefined> {
	const { width, height } = (input.width ?? 0) > 0 && (input.height ?? 0) > 0 ? input : await readSize(input);
	return width !== null && height !== null ? { width, height } : undefined;
}

/** Returns the URL of an attached input image. Denies other files and images with too many pixels. */
export async function inputUrlOf(attachment: InputFile): Promise<string> {
	if (!isImageAttachment(attachment)) throw new UserError({ key: "request.notAnImage" });
	const isSizeKnown = (attachment.width ?? 0) > 0 && (attachment.height ?? 0) > 0;
	requireInputPixels(isSizeKnown ? attachment : await readSize(attachment));
	return attachment.url;
}

function requireInputPixels({ width, height }: Pick<InputFile, "width" | "height">): void {
	const megapixels = ((width ?? 0) * (height ?? 0)) / PIXELS_PER_MEGAPIXEL;
	if (megapixels < INPUT_MEGAPIXELS) return;
	throw new UserError({
		key: "request.tooManyPixels",
		params: { megapixels: Math.floor(megapixels), megapixelsMax: INPUT_MEGAPIXELS },
	});
}

/** Reads the size from the file's header; `null` if it cannot be read. Discord gives the URL; members cannot type it. */
async function readSize({ url, size, contentType }: InputFile): Promise<Pick<InputFile, "width" | "height">> {
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
		const ends = { head: Buffer.concat(parts), tail: Buffer.alloc(0), sizeBytes: size };
		return readImageHeader(contentType ?? "", ends) ?? unknown;
	} catch {
		// The service reads the file itself and reports what is wrong with it.
		return unknown;
	}
}
