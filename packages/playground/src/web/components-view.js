/* oxlint-disable typescript/no-unsafe-enum-comparison, typescript/no-unsafe-enum-assignment, typescript/switch-exhaustiveness-check -- the browser gets Discord's numbers; the enum exists in types only */
/**
 * Buttons and menus, and the layouts that newer messages are made of.
 *
 * @import { APIAttachment, APIButtonComponent, APIComponentInContainer, APIComponentInMessageActionRow,
 *   APIMessageTopLevelComponent, APIUnfurledMediaItem } from "discord-api-types/v10"
 * @import { PageState } from "../page-contract.ts"
 */
import { isOwnFile, safeUrl } from "./addresses.js";
import { changeControls } from "./bench-api.js";
import { attachmentsView } from "./attachment-view.js";
import { h, icon } from "./dom.js";
import { ICONS } from "./icons.js";
import { linkView, markdownView } from "./markdown-view.js";
import { CONTROL, isWaiting } from "./press-view.js";
import { selectView } from "./select-view.js";

/** Discord's own numbers. */
const TYPE = /** @type {const} */ ({
	row: 1,
	button: 2,
	section: 9,
	text: 10,
	thumbnail: 11,
	gallery: 12,
	file: 13,
	separator: 14,
	container: 17,
});
const LINK_STYLE = 5;
const PREMIUM_STYLE = 6;
const SPOILER = 1 << 5;
const BUTTON_STYLES = ["", "primary", "secondary", "success", "danger", "link"];

/** What happens when somebody uses a control: `null` for a button. @typedef {(customId: string, values: readonly string[] | null) => void} OnPress */

/**
 * @param {readonly (APIMessageTopLevelComponent | APIComponentInContainer)[]} components
 * @param {PageState} page
 * @param {OnPress} onPress
 * @returns {(Node | null)[]}
 */
export function componentsView(components, page, onPress) {
	return components.map((component) => {
		switch (component.type) {
			case TYPE.row:
				return h(
					"div.action-row",
					null,
					component.components.map((control) => controlView(control, page, onPress)),
				);
			case TYPE.text:
				return markdownView(component.content, page);
			case TYPE.separator:
				return h("hr.separator", { "data-plain": component.divider === false });
			case TYPE.section:
				return h(
					"div.section",
					null,
					h("div.section-text", null, componentsView(component.components, page, onPress)),
					component.accessory.type === TYPE.button
						? controlView(component.accessory, page, onPress)
						: h("div.section-picture", null, mediaView([component.accessory])),
				);
			case TYPE.gallery:
				return mediaView(component.items);
			case TYPE.file:
				return mediaView([{ media: component.file, spoiler: component.spoiler }]);
			case TYPE.container:
				return h(
					"div.container",
					{ style: component.accent_color ? { "--bar": hexColor(component.accent_color) } : {} },
					componentsView(component.components, page, onPress),
				);
			default:
				return null;
		}
	});
}

/** @param {number} color */
export function hexColor(color) {
	return `#${color.toString(16).padStart(6, "0")}`;
}

/**
 * @param {APIComponentInMessageActionRow} control
 * @param {PageState} page
 * @param {OnPress} onPress
 */
function controlView(control, page, onPress) {
	if (control.type === TYPE.button)
		return control.style === PREMIUM_STYLE ? buyView(control, page) : buttonView(control, onPress);
	return selectView(control, page, (values) => onPress(control.custom_id, values));
}

/**
 * A button of the shop: the bot hears of the purchase, and not of the press.
 *
 * @param {Extract<APIButtonComponent, { sku_id: string }>} button
 * @param {PageState} page
 */
function buyView({ sku_id: skuId, disabled }, { items, me, guild }) {
	const name = items.find(({ id }) => id === skuId)?.name ?? "an item that is not for sale";
	const element = h("button.button.primary", { type: "button", disabled: disabled === true }, `Buy ${name}`);
	element.addEventListener("click", () => {
		changeControls(guild.id, "POST", "/purchases", { userId: me.user.id, skuId }).then(
			() => element.replaceChildren(`Bought ${name}`),
			(error) => element.replaceChildren(error instanceof Error ? error.message : String(error)),
		);
	});
	return element;
}

/**
 * @param {APIButtonComponent} button
 * @param {OnPress} onPress
 */
function buttonView(button, onPress) {
	const emoji = "emoji" in button && button.emoji?.name ? `${button.emoji.name} ` : "";
	const label = `${emoji}${"label" in button ? (button.label ?? "") : ""}`;
	if (button.style === LINK_STYLE) {
		return h(
			"a.button.link",
			{ href: safeUrl(button.url), target: "_blank", rel: "noopener noreferrer" },
			label,
			icon(ICONS.open),
		);
	}
	const style = BUTTON_STYLES[button.style] ?? "secondary";
	const customId = "custom_id" in button ? button.custom_id : null;
	const element = h(
		"button",
		{ class: `button ${style}`, type: "button", disabled: button.disabled === true || customId === null },
		label || "Button",
	);
	if (customId === null) return element;
	element.setAttribute(CONTROL, customId);
	element.addEventListener("click", () => {
		if (!isWaiting(element)) onPress(customId, null);
	});
	return element;
}

/**
 * Files of our own are shown; what lies elsewhere stays a link, because this page fetches nothing from elsewhere.
 *
 * @param {readonly { media: APIUnfurledMediaItem, description?: string | null | undefined, spoiler?: boolean | undefined }[]} items
 */
function mediaView(items) {
	const own = items.filter(({ media }) => isOwnFile(new URL(media.url, location.href)));
	const elsewhere = items.filter((item) => !own.includes(item));
	return h(
		"div",
		null,
		own.length > 0 && attachmentsView(own.map(asAttachment)),
		elsewhere.map(({ media }) =>
			h("p.embed-elsewhere", null, safeUrl(media.url) !== null && linkView(media.url, [media.url])),
		),
	);
}

/**
 * @param {{ media: APIUnfurledMediaItem, description?: string | null | undefined, spoiler?: boolean | undefined }} item
 * @returns {APIAttachment}
 */
function asAttachment({ media, description, spoiler }) {
	const { url, proxy_url, width, height, content_type, attachment_id } = media;
	const filename = decodeURIComponent(new URL(url, location.href).pathname.split("/").at(-1) ?? "file");
	return {
		id: attachment_id ?? url,
		filename,
		size: 0,
		url,
		proxy_url: proxy_url ?? url,
		width: width ?? null,
		height: height ?? null,
		flags: spoiler ? SPOILER : 0,
		...(content_type ? { content_type } : {}),
		...(description ? { description } : {}),
	};
}
