/**
 * One picture over the whole page, and its neighbours by the arrow keys.
 *
 * @import { APIAttachment } from "discord-api-types/v10"
 */
import { h, icon } from "./dom.js";
import { ICONS } from "./icons.js";

/**
 * @param {readonly APIAttachment[]} images
 * @param {number} first
 * @param {(url: string) => string} address
 */
export function openLightbox(images, first, address) {
	let at = first;
	const image = h("img", { alt: "" });
	const title = h("span.lightbox-title", null);
	const open = h(
		"a.icon-button",
		{ target: "_blank", rel: "noopener", "aria-label": "Open in a new tab", title: "Open in a new tab" },
		icon(ICONS.open),
	);
	const save = h("a.icon-button", { "aria-label": "Download", title: "Download" }, icon(ICONS.download));
	const dialog = h(
		"dialog.lightbox",
		{ "aria-label": "Picture" },
		h(
			"div.lightbox-bar",
			null,
			title,
			save,
			open,
			h(
				"button.icon-button",
				{ type: "button", "aria-label": "Close", title: "Close", onclick: () => dialog.close() },
				icon(ICONS.close),
			),
		),
		image,
	);
	const show = () => {
		const attachment = images[at];
		if (!attachment) return;
		const url = address(attachment.url);
		image.src = url;
		image.alt = attachment.description ?? attachment.filename;
		open.href = url;
		save.href = url;
		save.download = attachment.filename;
		title.textContent =
			images.length > 1 ? `${attachment.filename} (${at + 1} of ${images.length})` : attachment.filename;
	};
	dialog.addEventListener("click", (event) => {
		if (event.target === dialog) dialog.close();
	});
	dialog.addEventListener("keydown", (event) => {
		const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
		if (step === 0) return;
		at = (at + step + images.length) % images.length;
		show();
	});
	dialog.addEventListener("close", () => dialog.remove());
	show();
	document.body.append(dialog);
	dialog.showModal();
}
