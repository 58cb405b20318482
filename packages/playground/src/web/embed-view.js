/**
 * Embeds.
 *
 * @import { APIEmbed } from "discord-api-types/v10"
 * @import { MentionNames } from "./markdown-view.js"
 */
import { isOwnFile, ownAddress, safeUrl } from "./addresses.js";
import { hexColor } from "./components-view.js";
import { h } from "./dom.js";
import { linkView, markdownView } from "./markdown-view.js";
import { messageTimeText } from "./time.js";

/**
 * @param {APIEmbed} embed
 * @param {MentionNames} names
 */
export function embedView(embed, names) {
	const color = embed.color === undefined ? null : hexColor(embed.color);
	const foot = [
		embed.footer?.text,
		embed.timestamp === undefined ? undefined : messageTimeText(Date.parse(embed.timestamp), { nowMs: Date.now() }),
	];
	return h(
		"article.embed",
		{ style: color ? { "--bar": color } : {} },
		embed.author && h("p.embed-author", null, maybeLink(embed.author.url, embed.author.name)),
		embed.title !== undefined && h("p.embed-title", null, maybeLink(embed.url, embed.title)),
		embed.description !== undefined && markdownView(embed.description, names),
		embed.fields &&
			embed.fields.length > 0 &&
			h(
				"dl.embed-fields",
				null,
				embed.fields.map(({ name, value, inline }) =>
					h(
						"div",
						{ class: inline === true ? "inline" : "" },
						h("dt", null, markdownView(name, names)),
						h("dd", null, markdownView(value, names)),
					),
				),
			),
		embed.image && pictureOf(embed.image, "embed-image"),
		embed.thumbnail && pictureOf(embed.thumbnail, "embed-thumbnail"),
		foot.some((part) => part !== undefined) &&
			h("p.embed-footer", null, foot.filter((part) => part !== undefined).join(" · ")),
	);
}

/**
 * @param {string | undefined} url
 * @param {string} text
 */
function maybeLink(url, text) {
	const safe = safeUrl(url);
	return safe === null ? text : linkView(safe, [text]);
}

/**
 * A picture of our own is shown; one from elsewhere stays a link, because this page fetches nothing from elsewhere.
 *
 * @param {{ url: string, proxy_url?: string, width?: number, height?: number }} picture
 * @param {string} className
 */
function pictureOf(picture, className) {
	const url = URL.parse(picture.proxy_url ?? picture.url);
	if (!url) return null;
	if (!isOwnFile(url)) return h("p.embed-elsewhere", null, linkView(url.href, [`Picture at ${url.host}`]));
	return h("img", {
		class: className,
		src: ownAddress(url.href),
		alt: "",
		loading: "lazy",
		width: picture.width,
		height: picture.height,
	});
}
