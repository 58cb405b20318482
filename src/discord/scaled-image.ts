/** Addresses of scaled images on Discord's media proxy, as its own clients use them. */
import type { Media } from "./message-contents.ts";

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
