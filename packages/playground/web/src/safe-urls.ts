/** The addresses that the page follows: files of the playground, and links to the web. */

const MEDIA_PATH = "/playground/media/";
const LOOPBACK = new Set(["localhost", "127.0.0.1", "[::1]"]);

/** Only the path of an attachment: the playground serves it, and a path stays right behind a forwarded port. */
export function mediaPath(url: string): string {
	const { pathname, search } = new URL(url, location.href);
	return pathname + search;
}

export function isOwnMedia(url: URL): boolean {
	return url.pathname.startsWith(MEDIA_PATH) && (url.host === location.host || LOOPBACK.has(url.hostname));
}

/** A channel, or a message in it. The guild of a direct message channel is `@me`. */
export interface DiscordTarget {
	readonly guildId: string;
	readonly channelId: string;
	readonly messageId: string | null;
}

/** The target of a link such as discord.js has for each message; null for other links. */
export function discordTarget(url: string): DiscordTarget | null {
	const {
		1: guildId,
		2: channelId,
		3: messageId = null,
	} = /^https:\/\/(?:(?:ptb|canary)\.)?discord(?:app)?\.com\/channels\/(@me|\d{1,20})\/(\d{1,20})(?:\/(\d{1,20}))?\/?$/.exec(
		url,
	) ?? [];
	return guildId !== undefined && channelId !== undefined ? { guildId, channelId, messageId } : null;
}

/** Only http and https: no `javascript:`, no `data:`. */
export function safeUrl(url: string | undefined): string | null {
	const parsed = url === undefined ? null : URL.parse(url);
	return parsed && (parsed.protocol === "https:" || parsed.protocol === "http:") ? parsed.href : null;
}
