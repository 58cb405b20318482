/** Names and labels of users, members and files. */
import type { APIAttachment, APIUser } from "discord-api-types/v10";
import type { PageChannel, PageMember } from "./contract.ts";
import { CHANNEL } from "./discord-constants.ts";

type Named = Pick<APIUser, "global_name" | "username">;

export function userName(user: Named): string {
	return user.global_name ?? user.username;
}

export function memberName(member: Pick<PageMember, "nick"> & { readonly user: Named }): string {
	return member.nick ?? userName(member.user);
}

/** The name of a user in this guild; the user may not be a member. */
export function nameInGuild(members: readonly PageMember[], user: Named & { readonly id: string }): string {
	return memberName(members.find((member) => member.user.id === user.id) ?? { nick: null, user });
}

/** The name of a channel with its sign. A thread has none. */
export function channelLabel({ type, parentId, name }: PageChannel): string {
	if (type === CHANNEL.direct) return `@${name}`;
	return parentId === undefined ? `#${name}` : name;
}

/** Up to two letters: the first of each of the first two words. */
export function initials(name: string): string {
	const words = name.split(/[\s_.-]+/u).filter((word) => word !== "");
	const letters = words.slice(0, 2).map((word) => /^./u.exec(word)?.[0] ?? "");
	return letters.join("").toLocaleUpperCase() || "?";
}

/** A hue for a snowflake. The golden angle sets successive ids far apart. */
export function hueOf(id: string): number {
	return Number((BigInt(id) * 137n) % 360n);
}

export function languageName(locale: string): string {
	return new Intl.DisplayNames(undefined, { type: "language" }).of(locale) ?? locale;
}

export function sizeText(bytes: number): string {
	if (bytes < 1024) return `${bytes} B`;
	const [value, unit] = bytes < 1024 * 1024 ? [bytes / 1024, "KB"] : [bytes / 1024 / 1024, "MB"];
	return `${value < 10 ? value.toFixed(1) : Math.round(value)} ${unit}`;
}

/** Returns the form in which the page shows an attachment. */
export function mediaKind({ content_type: type = "" }: Pick<APIAttachment, "content_type">): MediaKind {
	if (/^image\/(?:png|jpeg|gif|webp|avif)\b/.test(type)) return "image";
	if (type.startsWith("video/")) return "video";
	return type.startsWith("audio/") ? "audio" : "file";
}

type MediaKind = "image" | "video" | "audio" | "file";
