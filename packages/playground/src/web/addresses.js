/** Which addresses the page follows: its own files, and links to the web. */

const MEDIA_PATH = "/playground/media/";
const LOOPBACK = new Set(["localhost", "127.0.0.1", "[::1]"]);

/**
 * An attachment always lives on the playground itself. Its path is enough, and stays right behind a forwarded port.
 *
 * @param {string} url
 */
export function ownAddress(url) {
	const { pathname, search } = new URL(url, location.href);
	return pathname + search;
}

/** Every file of the playground lives under one path. @param {URL} url */
export function isOwnFile(url) {
	return url.pathname.startsWith(MEDIA_PATH) && (url.host === location.host || LOOPBACK.has(url.hostname));
}

/** Only the web: no `javascript:`, no `data:`. @param {string | undefined} url */
export function safeUrl(url) {
	const parsed = url === undefined ? null : URL.parse(url);
	return parsed && (parsed.protocol === "https:" || parsed.protocol === "http:") ? parsed.href : null;
}
