/** Reads the text and the files of a message, classic or in components v2. */
import type { APIMediaGalleryItem, APIMessage } from "discord-api-types/v10";
import { AttachmentFlags } from "discord-api-types/v10";
import { fileNameOf } from "../file-name.ts";
import { textsOf, walkComponents } from "../simulator/components.ts";

/** A file of a message. Components v2 tell less about their files than attachments. */
export interface ShownFile {
	readonly url: string;
	readonly filename: string;
	readonly content_type?: string | undefined;
	readonly description?: string | undefined;
	readonly isSpoiler: boolean;
	readonly width?: number | null | undefined;
	readonly height?: number | null | undefined;
}

/** The media of a gallery or of a file component. */
interface ShownMedia {
	readonly items?: readonly APIMediaGalleryItem[];
	readonly file?: APIMediaGalleryItem["media"];
	readonly spoiler?: boolean;
}

type Contents = Pick<APIMessage, "content" | "components" | "attachments">;

/** The content or the text displays, joined by newlines. */
export function textOf({ content, components }: Contents): string {
	return [...(content === "" ? [] : [content]), ...textsOf(components)].join("\n");
}

/** The attachments, then the files of galleries and file components; not those of thumbnails. */
export function filesOf({ attachments, components }: Contents): readonly ShownFile[] {
	const items = Array.from(walkComponents(components), ({ component }) => component as ShownMedia).flatMap(
		({ items: shown = [], file, spoiler = false }) => (file ? [...shown, { media: file, spoiler }] : shown),
	);
	return [
		...attachments.map((attachment) => ({
			...attachment,
			isSpoiler: ((attachment.flags ?? 0) & AttachmentFlags.IsSpoiler) !== 0,
		})),
		...items.map(({ media, description, spoiler = false }) => ({
			url: media.url,
			filename: fileNameOf(media.url),
			content_type: media.content_type ?? undefined,
			description: description ?? undefined,
			isSpoiler: spoiler,
			width: media.width,
			height: media.height,
		})),
	];
}
