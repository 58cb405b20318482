import type { Attachment, Message } from "discord.js";
import type { Model } from "@atelier/media-protocol/model";
import { imageActionCustomId } from "../discord/image-menu.ts";
import { customIdsIn, mediaIn } from "../discord/message-contents.ts";
import { readImageHeader } from "../services/delivery/transcode/image-header.ts";
import { takesInputs, type GenerationInput } from "../services/generation/request.ts";
import { UserError } from "../services/user-error.ts";

const IMAGE_TYPES = new Set(["image/png", "image/jpeg", "image/webp"]);
/** Services spend minutes on larger images and then refuse them; the transcoder has the same limit. */
const INPUT_MEGAPIXELS = 100;
const PIXELS_PER_MEGAPIXEL = 1_000_000;
/** Enough for a JPEG whose camera wrote a thumbnail and a color profile before the size. */
const HEAD_BYTES_MAX = 256 * 1024;
const HEAD_TIMEOUT_MS = 10_000;

interface MessageFiles extends Pick<Message, "attachments"> {
	readonly components?: readonly { toJSON(): unknown }[];
}

type Input = Pick<Attachment, "url" | "size" | "contentType" | "width" | "height">;

function isImageAttachment({ contentType }: Pick<Attachment, "contentType">): boolean {
	return IMAGE_TYPES.has(contentType ?? "");
}

/** Returns whether a message of the bot shows an image. */
export function hasImage(message: MessageFiles): boolean {
	return chosenUrlIn(message) !== undefined || imagesOf(message).length > 0;
}

/** Returns the URL of an image of a message. */
export function imageUrlOf(message: MessageFiles, nth = 0): string {
	const image = imagesOf(message).at(nth);
	if (!image) throw new UserError({ key: "request.noImageInMessage" });
	requireInputPixels(image);
	return image.url;
}

/** Returns the URL of an image of one of the bot's own messages. */
export function ownImageUrlOf(message: MessageFiles, nth = 0): string {
	return chosenUrlIn(message) ?? imageUrlOf(message, nth);
}

/** A card about a chosen image shows it by the URL of the result's file, which the bot took from the result. */
function chosenUrlIn({ components = [] }: MessageFiles): string | undefined {
	const json = components.map((component) => component.toJSON());
	const isChosen = customIdsIn(json).some((customId) => imageActionCustomId.decode(customId) !== undefined);
	return isChosen ? mediaIn(json)[0]?.url : undefined;
}

/** The images of a message, attached or in a card. Only files on Discord count: other URLs can point anywhere. */
function imagesOf({ attachments, components = [] }: MessageFiles): readonly Pick<Input, "url" | "width" | "height">[] {
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
export function bestFor(
	models: readonly Model[],
	inputs: Pick<GenerationInput, "imageUrls" | "maskUrl">,
	isSuitable: (model: Model) => boolean,
): (model: Model) => boolean {
	if (inputs.imageUrls.length === 0) return isSuitable;
	const fits = (model: Model): boolean => isSuitable(model) && takesInputs(model, inputs);
	return models.some(fits) ? fits : isSuitable;
}

/** Returns the URL of a mask. Denies a mask of another size than its image, as far as both are known. */
export async function maskUrlOf(mask: Input, image: Input | null): Promise<string> {
	const url = await inputUrlOf(mask);
	if (image === null) throw new UserError({ key: "request.maskNeedsOneImage" });
	const [one, other] = [await sizeOf(mask), await sizeOf(image)];
	if (!one || !other || (one.width === other.width && one.height === other.height)) return url;
	throw new UserError({
		key: "request.maskSize",
		params: { maskSize: `${one.width} × ${one.height}`, imageSize: `${other.width} × ${other.height}` },
	});
}

/** `undefined` if it is unknown. */
async function sizeOf(input: Input): Promise<{ readonly width: number; readonly height: number } | undefined> {
	const { width, height } = (input.width ?? 0) > 0 && (input.height ?? 0) > 0 ? input : await readSize(input);
	return width !== null && height !== null ? { width, height } : undefined;
}

/** Returns the URL of an attached input image. Denies other files and images with too many pixels. */
export async function inputUrlOf(attachment: Input): Promise<string> {
	if (!isImageAttachment(attachment)) throw new UserError({ key: "request.notAnImage" });
	const isSizeKnown = (attachment.width ?? 0) > 0 && (attachment.height ?? 0) > 0;
	requireInputPixels(isSizeKnown ? attachment : await readSize(attachment));
	return attachment.url;
}

function requireInputPixels({ width, height }: Pick<Input, "width" | "height">): void {
	const megapixels = ((width ?? 0) * (height ?? 0)) / PIXELS_PER_MEGAPIXEL;
	if (megapixels < INPUT_MEGAPIXELS) return;
	throw new UserError({
		key: "request.tooManyPixels",
		params: { megapixels: Math.floor(megapixels), megapixelsMax: INPUT_MEGAPIXELS },
	});
}

/** Reads the size from the file's header; `null` if it cannot be read. Discord gives the URL; members cannot type it. */
async function readSize({ url, size, contentType }: Input): Promise<Pick<Input, "width" | "height">> {
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
			// Leaving the loop cancels the body.
			if (readBytes >= HEAD_BYTES_MAX) break;
		}
		const ends = { head: Buffer.concat(parts), tail: Buffer.alloc(0), sizeBytes: size };
		return readImageHeader(contentType ?? "", ends) ?? unknown;
	} catch {
		// The service reads the file itself and reports what is wrong with it.
		return unknown;
	}
}
