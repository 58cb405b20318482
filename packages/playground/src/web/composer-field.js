/* oxlint-disable typescript/no-unsafe-enum-comparison -- the browser gets Discord's numbers; the enum exists in types only */
/**
 * The field of one option: a pill with the option's name and room for its value.
 *
 * @import { Pill } from "./composer-draft.js"
 * @import { Option } from "./composer-parser.js"
 */
import { ownAddress } from "./addresses.js";
import { TYPE, lengthMax } from "./composer-draft.js";
import { shownName } from "./composer-parser.js";
import { h, icon } from "./dom.js";
import { ICONS } from "./icons.js";
import { mediaKind, sizeText } from "./names.js";
import { POPUP_LIST_ID } from "./popup-view.js";

/**
 * @typedef {{
 *   name: string,
 *   element: HTMLElement,
 *   focusable: HTMLElement,
 *   textarea: HTMLTextAreaElement | null,
 *   show: (pill: Pill, fault: string | null) => void,
 *   focus: (at?: "start" | "end") => void,
 * }} Field
 */

/**
 * A text field as wide and as high as its text. The same text stands unseen behind it and gives it its size.
 *
 * @param {Record<string, unknown>} props
 */
export function growingText(props) {
	const textarea = h("textarea", {
		rows: 1,
		cols: 1,
		spellcheck: "false",
		autocomplete: "off",
		autocapitalize: "off",
		...props,
	});
	const element = h("span.grow", null, textarea);
	const fit = () => element.setAttribute("data-text", textarea.value || textarea.placeholder);
	textarea.addEventListener("input", fit);
	fit();
	return { element, textarea, fit };
}

/**
 * @param {Option} option
 * @param {{ onText: (text: string) => void, onFiles: (files: readonly File[]) => void, onRemove: () => void }} handlers
 * @returns {Field}
 */
export function createField(option, handlers) {
	return option.type === TYPE.attachment ? fileField(option, handlers) : textField(option, handlers);
}

/**
 * @param {Option} option
 * @param {{ onText: (text: string) => void, onRemove: () => void }} handlers
 * @returns {Field}
 */
function textField(option, { onText, onRemove }) {
	const number = option.type === TYPE.integer || option.type === TYPE.number;
	const {
		element: grow,
		textarea,
		fit,
	} = growingText({
		"aria-label": `${shownName(option)}: ${option.description}`,
		"aria-autocomplete": "list",
		"aria-controls": POPUP_LIST_ID,
		"aria-haspopup": "listbox",
		"aria-required": String(option.required ?? false),
		inputmode: number ? "numeric" : "text",
		enterkeyhint: "send",
		// One more than allowed, so that going over is seen and said instead of cut off in silence.
		maxlength: lengthMax(option) + 1000,
	});
	const element = pillElement(option, grow, onRemove);
	textarea.addEventListener("input", () => onText(textarea.value));
	element.addEventListener("pointerdown", (event) => {
		if (event.target !== textarea && !(event.target instanceof Element && event.target.closest("button"))) {
			event.preventDefault();
			textarea.focus();
		}
	});
	return {
		name: option.name,
		element,
		focusable: textarea,
		textarea,
		show(pill, fault) {
			if (textarea.value !== pill.text) textarea.value = pill.text;
			fit();
			element.classList.toggle("invalid", fault !== null);
			element.classList.toggle("picked", pill.picked !== undefined && pill.picked.name === pill.text);
			textarea.setAttribute("aria-invalid", String(fault !== null));
		},
		focus(at = "end") {
			textarea.focus();
			const caret = at === "end" ? textarea.value.length : 0;
			textarea.setSelectionRange(caret, caret);
		},
	};
}

/**
 * @param {Option} option
 * @param {{ onFiles: (files: readonly File[]) => void, onRemove: () => void }} handlers
 * @returns {Field}
 */
function fileField(option, { onFiles, onRemove }) {
	const picker = h("input", { type: "file", hidden: true, tabindex: -1 });
	const button = h("button.file-button", { type: "button", onclick: () => picker.click() });
	picker.addEventListener("change", () => {
		onFiles([...(picker.files ?? [])]);
		picker.value = "";
	});
	const element = pillElement(option, h("span.file-field", null, button, picker), onRemove);
	return {
		name: option.name,
		element,
		focusable: button,
		textarea: null,
		show({ file, uploading }, fault) {
			const label = uploading ?? file?.filename ?? "Choose a file";
			button.replaceChildren();
			if (uploading !== undefined) button.append(h("span.spinner", { "aria-hidden": "true" }));
			else if (file && mediaKind(file) === "image") button.append(h("img", { src: ownAddress(file.url), alt: "" }));
			else button.append(icon(file ? ICONS.file : ICONS.clip));
			button.append(h("span.file-label", null, label));
			if (file && uploading === undefined) button.append(h("span.file-size", null, sizeText(file.size)));
			button.setAttribute(
				"aria-label",
				`${shownName(option)}: ${uploading === undefined ? label : `uploading ${label}`}. ${option.description}`,
			);
			element.classList.toggle("invalid", fault !== null);
			element.classList.toggle("picked", file !== undefined);
		},
		focus() {
			button.focus();
		},
	};
}

/**
 * @param {Option} option
 * @param {Node} value
 * @param {() => void} onRemove
 */
function pillElement(option, value, onRemove) {
	return h(
		"span.pill",
		{ role: "group", "aria-label": shownName(option) },
		h("span.pill-name", { "aria-hidden": "true" }, shownName(option)),
		value,
		!option.required &&
			h(
				"button.pill-remove",
				{
					type: "button",
					tabindex: -1,
					"aria-label": `Remove ${shownName(option)}`,
					title: "Remove",
					onclick: onRemove,
				},
				icon(ICONS.close),
			),
	);
}
