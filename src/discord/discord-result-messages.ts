import { DiscordAPIError, Routes, type REST } from "discord.js";
import { z } from "zod";
import type { ResultMessage, ResultMessages } from "../services/gallery/result-messages.ts";
import { Media, mediaIn } from "./message-contents.ts";
import { requestWithTimeout } from "./with-timeout.ts";

/** Sharp on a page that shows it half as wide. */
const PREVIEW_PIXELS_MAX = 800;

const Message = z.object({ attachments: z.array(Media), components: z.unknown().optional() });

/** Reads and deletes as the bot, whose own messages it may always delete where it can see the channel. */
export function createDiscordResultMessages({ rest }: { readonly rest: REST }): ResultMessages {
	return {
		async read(channelId, messageId): Promise<ResultMessage> {
			try {
				const response = await requestWithTimeout(rest, "get", Routes.channelMessage(channelId, messageId));
				const { data } = Message.safeParse(response);
				if (!data) return { kind: "unknown" };
				const files = [...data.attachments, ...mediaIn(data.components)];
				const [file] = files.filter(isPlayable);
				return {
					kind: "found",
					imageUrl: files.find(isImage)?.url,
					previewUrl: file && scaledImageUrl(file, PREVIEW_PIXELS_MAX),
				};
			} catch (error) {
				// A message that cannot be read is still listed, without its image.
				const isGone = error instanceof DiscordAPIError && error.status === 404;
				return { kind: isGone ? "gone" : "unknown" };
			}
		},
		async delete(channelId, messageId) {
			try {
				await requestWithTimeout(rest, "delete", Routes.channelMessage(channelId, messageId));
				return true;
			} catch (error) {
				if (!(error instanceof DiscordAPIError)) throw error;
				if (error.status === 404) return true;
				if (error.status === 403) return false;
				throw error;
			}
		},
	};
}

function isImage({ content_type: contentType }: Pick<Media, "content_type">): boolean {
	return contentType?.startsWith("image/") ?? false;
}

function isPlayable({ content_type: contentType }: Pick<Media, "content_type">): boolean {
	return /^(image|video|audio)\//.test(contentType ?? "");
}

const FILE_HOST = "cdn.discordapp.com";
const PROXY_HOST = "media.discordapp.net";

/** Returns the address of the image with sides of at most `pixelsMax`; its own address where Discord scales no images. */
export function scaledImageUrl({ url, content_type: contentType, width, height }: Media, pixelsMax: number): string {
	const address = URL.parse(url);
	// Animations would stop.
	const isStill = contentType?.startsWith("image/") === true && contentType !== "image/gif";
	if (address?.host !== FILE_HOST || !isStill || !width || !height) return url;
	const scale = Math.min(1, pixelsMax / Math.max(width, height));
	address.host = PROXY_HOST;
	address.searchParams.set("format", "webp");
	address.searchParams.set("width", String(Math.round(width * scale)));
	address.searchParams.set("height", String(Math.round(height * scale)));
	return address.href;
}
