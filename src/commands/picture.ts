import type { Attachment, Message } from "discord.js";
import { UserError } from "../services/user-error.ts";

const PICTURE_TYPES = new Set(["image/png", "image/jpeg", "image/webp"]);

export function isPicture({ contentType }: Pick<Attachment, "contentType">): boolean {
	return PICTURE_TYPES.has(contentType ?? "");
}

/**
 * Where one picture of a message lies. Its attachments alone count: those lie with Discord, at an address that it has
 * just given, while what a message embeds may lie anywhere.
 */
export function pictureUrlOf({ attachments }: Pick<Message, "attachments">, nth = 0): string {
	const picture = [...attachments.values()].filter(isPicture).at(nth);
	if (!picture) throw new UserError({ key: "noPicture" });
	return picture.url;
}
