/** Files dropped anywhere on the conversation. */
import { h, icon } from "./dom.js";
import { ICONS } from "./icons.js";

/**
 * @param {HTMLElement} area
 * @param {(files: readonly File[]) => void} onFiles
 */
export function createDropZone(area, onFiles) {
	const veil = h(
		"div.drop-veil",
		{ hidden: true, "aria-hidden": "true" },
		h("p", null, icon(ICONS.clip, "icon large"), "Drop it to use it in your command"),
	);
	area.append(veil);

	area.addEventListener("dragover", (event) => {
		if (!carriesFiles(event)) return;
		event.preventDefault();
		veil.hidden = false;
	});
	area.addEventListener("dragleave", (event) => {
		if (!(event.relatedTarget instanceof Node && area.contains(event.relatedTarget))) veil.hidden = true;
	});
	area.addEventListener("drop", (event) => {
		veil.hidden = true;
		if (!carriesFiles(event)) return;
		event.preventDefault();
		onFiles([...(event.dataTransfer?.files ?? [])]);
	});
}

/** @param {DragEvent} event */
function carriesFiles(event) {
	return event.dataTransfer?.types.includes("Files") ?? false;
}
