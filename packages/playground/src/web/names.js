/**
 * How people, channels and files are called on the page.
 *
 * @import { APIAttachment, APIUser } from "discord-api-types/v10"
 * @import { PageMember, PageState } from "../page-contract.ts"
 */

/** @param {PageMember} member */
export function memberName(member) {
	return member.nick ?? userName(member.user);
}

/** @param {Pick<APIUser, "global_name" | "username">} user */
export function userName(user) {
	return user.global_name ?? user.username;
}

/**
 * A person's name in this server, also of somebody who is not in the list.
 *
 * @param {Pick<PageState, "members">} page
 * @param {Pick<APIUser, "id" | "global_name" | "username">} user
 */
export function nameIn(page, user) {
	const member = page.members.find((candidate) => candidate.user.id === user.id);
	return member ? memberName(member) : userName(user);
}

/**
 * Up to two letters: the first of the first two words, or the first of the only one.
 *
 * @param {string} name
 */
export function initials(name) {
	const words = name.split(/[\s_.-]+/u).filter((word) => word !== "");
	const letters = words.slice(0, 2).map((word) => /^./u.exec(word)?.[0] ?? "");
	return letters.join("").toLocaleUpperCase() || "?";
}

/**
 * A hue of its own for every id, the same on every visit.
 *
 * @param {string} id
 */
export function hueOf(id) {
	let hash = 2_166_136_261;
	for (const char of id) hash = Math.imul(hash ^ (char.codePointAt(0) ?? 0), 16_777_619) >>> 0;
	// The last digits of neighbouring ids must end up far apart.
	hash = Math.imul(hash ^ (hash >>> 15), 2_246_822_519) >>> 0;
	return ((hash ^ (hash >>> 13)) >>> 0) % 360;
}

/** @param {number} bytes */
export function sizeText(bytes) {
	if (bytes < 1024) return `${bytes} B`;
	const [value, unit] = bytes < 1024 * 1024 ? [bytes / 1024, "KB"] : [bytes / 1024 / 1024, "MB"];
	return `${value < 10 ? value.toFixed(1) : Math.round(value)} ${unit}`;
}

/**
 * What an attachment is to the page. The type it was sent with decides; its name only where there is none.
 *
 * @param {Pick<APIAttachment, "content_type" | "filename">} attachment
 * @returns {"image" | "video" | "audio" | "file"}
 */
export function mediaKind({ content_type: contentType, filename }) {
	const type = contentType ?? "";
	if (/^image\/(?:png|jpeg|gif|webp|avif)\b/.test(type)) return "image";
	if (type.startsWith("video/")) return "video";
	if (type.startsWith("audio/")) return "audio";
	if (type !== "") return "file";
	if (/\.(?:png|jpe?g|gif|webp|avif)$/i.test(filename)) return "image";
	if (/\.(?:mp4|webm|mov)$/i.test(filename)) return "video";
	return /\.(?:mp3|ogg|wav|flac|m4a|opus)$/i.test(filename) ? "audio" : "file";
}
