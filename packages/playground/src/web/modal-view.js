/* oxlint-disable typescript/no-unsafe-enum-comparison -- the browser gets Discord's numbers; the enum exists in types only */
/**
 * A form that the bot opened. The browser's own dialog keeps the focus inside and closes on Escape; what is wrong is said
 * at its field, and a form that could not be sent stays open with everything in it.
 *
 * @import { ModalField, PageModal, PageState } from "../page-contract.ts"
 */
import { h, icon } from "./dom.js";
import { ICONS } from "./icons.js";
import { markdownView } from "./markdown-view.js";
import { CONTROL } from "./press-view.js";
import { choicesOf } from "./select-view.js";

/** Discord's own numbers. */
const TYPE = /** @type {const} */ ({
	row: 1,
	text: 4,
	display: 10,
	label: 18,
	file: 19,
	radio: 21,
	group: 22,
	tick: 23,
});
const PARAGRAPH = 2;
const TEXT_CHARS_MAX = 4_000;

/**
 * @typedef {{ element: Node, field: (() => Promise<ModalField>) | null, fault: () => string, focus: () => void,
 *   say: (text: string) => void }} Part
 */

/**
 * @param {{
 *   submit: (interactionId: string, fields: readonly ModalField[]) => Promise<{ interactionId: string }>,
 *   upload: (file: File) => Promise<{ id: string }>,
 * }} deps
 */
export function createModals({ submit, upload }) {
	/** Of forms that were sent: what became of them, which may be told before the answer that names them. */
	/** @type {Map<string, string>} */
	const outcomes = new Map();
	/** @type {{ sentAs: string, settle: (failure: string) => void } | null} */
	let waiting = null;

	/**
	 * @param {string} interactionId
	 * @param {string} failure empty where all went well
	 */
	function settle(interactionId, failure) {
		outcomes.set(interactionId, failure);
		const [oldest] = outcomes.keys();
		if (outcomes.size > 50 && oldest !== undefined) outcomes.delete(oldest);
		if (waiting?.sentAs === interactionId) waiting.settle(failure);
	}

	/**
	 * @param {PageModal} modal
	 * @param {PageState} page
	 */
	function open(modal, page) {
		for (const other of document.querySelectorAll("dialog.modal")) other.remove();
		const parts = modal.components.flatMap((component) => partsOf(/** @type {any} */ (component), page, upload));
		const error = h("p.modal-error", { role: "alert" });
		const send = h("button.button.primary", { type: "submit" }, "Submit");
		const form = h(
			"form.modal-form",
			{ novalidate: true },
			h(
				"div.modal-fields",
				null,
				parts.map(({ element }) => element),
			),
			error,
			h(
				"div.modal-foot",
				null,
				h("button.button.secondary", { type: "button", onclick: () => dialog.close() }, "Cancel"),
				send,
			),
		);
		const dialog = h(
			"dialog.modal",
			{ "aria-labelledby": "modal-title" },
			h(
				"header.modal-head",
				null,
				h("h2", { id: "modal-title" }, modal.title),
				h(
					"button.icon-button",
					{ type: "button", "aria-label": "Close", title: "Close", onclick: () => dialog.close() },
					icon(ICONS.close),
				),
			),
			form,
		);

		/** @param {boolean} on */
		function busy(on) {
			form.setAttribute("aria-busy", String(on));
			send.disabled = on;
			send.textContent = on ? "Sending…" : "Submit";
		}

		async function trySending() {
			error.textContent = "";
			for (const part of parts) part.say(part.fault());
			const wrong = parts.find((part) => part.fault() !== "");
			if (wrong) return wrong.focus();
			busy(true);
			try {
				const fields = await Promise.all(parts.flatMap(({ field }) => (field ? [field()] : [])));
				const { interactionId } = await submit(modal.interactionId, fields);
				const failure = await new Promise((resolve) => {
					const known = outcomes.get(interactionId);
					if (known === undefined) waiting = { sentAs: interactionId, settle: resolve };
					else resolve(known);
				});
				if (failure === "") return dialog.close();
				error.textContent = failure;
			} catch (cause) {
				error.textContent = cause instanceof Error ? cause.message : String(cause);
			} finally {
				waiting = null;
				busy(false);
			}
		}

		form.addEventListener("submit", (event) => {
			event.preventDefault();
			if (!send.disabled) void trySending();
		});
		const backTo = focusKeeper();
		dialog.addEventListener("close", () => {
			dialog.remove();
			backTo();
		});
		document.body.append(dialog);
		dialog.showModal();
		parts.find(({ field }) => field !== null)?.focus();
	}

	return { open, settle };
}

/** Remembers what has the focus, and gives it back: to the same button where its message was drawn anew meanwhile. */
function focusKeeper() {
	const back = document.activeElement;
	const customId = back?.getAttribute(CONTROL);
	const messageId = back?.closest("[data-id]")?.getAttribute("data-id");
	return () => {
		const controls = [...document.querySelectorAll(`[data-id="${messageId}"] [${CONTROL}]`)];
		const again = controls.find((control) => control.getAttribute(CONTROL) === customId);
		const target = back?.isConnected ? back : again;
		if (target instanceof HTMLElement) target.focus();
	};
}

let made = 0;

/**
 * @param {any} component a component of a modal, as Discord's API has it
 * @param {PageState} page
 * @param {(file: File) => Promise<{ id: string }>} upload
 * @returns {Part[]}
 */
function partsOf(component, page, upload) {
	if (component.type === TYPE.display) {
		const element = h("div.modal-text", null, markdownView(component.content, page));
		return [{ element, field: null, fault: () => "", focus() {}, say() {} }];
	}
	if (component.type === TYPE.label)
		return [partOf(component.component, component.label, component.description, page, upload)];
	return component.components.map((/** @type {any} */ field) => partOf(field, field.label, undefined, page, upload));
}

/**
 * @param {any} control
 * @param {string} label
 * @param {string | undefined} description
 * @param {PageState} page
 * @param {(file: File) => Promise<{ id: string }>} upload
 * @returns {Part}
 */
function partOf(control, label, description, page, upload) {
	const id = `field-${++made}`;
	const required = control.required !== false && control.type !== TYPE.tick;
	const input = inputFor(control, id, required, page, upload);
	const fault = h("p.field-fault", { id: `${id}-fault` });
	const described = [description ? `${id}-note` : "", `${id}-fault`, input.count ? `${id}-count` : ""].join(" ").trim();
	for (const element of input.focusable) element.setAttribute("aria-describedby", described);
	const title = [label, required && h("span.required", { "aria-hidden": "true", title: "Required" }, " *")];
	const note = description ? h("p.field-note", { id: `${id}-note` }, description) : null;
	if (input.count) input.count.id = `${id}-count`;
	const element = input.isGroup
		? h("fieldset.field", null, h("legend.field-label", null, title), note, input.element, fault)
		: h(
				"div.field",
				null,
				h("div.field-top", null, h("label.field-label", { for: id }, title), input.count),
				note,
				input.element,
				fault,
			);
	return {
		element,
		field: async () => ({ customId: control.custom_id, ...(await input.read()) }),
		fault: () => (required && input.isEmpty() ? "This is required." : input.fault()),
		focus: () => input.focusable[0]?.focus(),
		say(text) {
			fault.textContent = text;
			for (const each of input.focusable) each.setAttribute("aria-invalid", String(text !== ""));
		},
	};
}

/**
 * @typedef {{ element: Node, focusable: readonly HTMLElement[], isGroup?: boolean, count?: HTMLElement,
 *   read: () => Promise<{ value?: string | boolean, values?: readonly string[] }>,
 *   isEmpty: () => boolean, fault: () => string }} Input
 */

/**
 * @param {any} control
 * @param {string} id
 * @param {boolean} required
 * @param {PageState} page
 * @param {(file: File) => Promise<{ id: string }>} upload
 * @returns {Input}
 */
function inputFor(control, id, required, page, upload) {
	switch (control.type) {
		case TYPE.text:
			return textInput(control, id, required);
		case TYPE.tick: {
			const tick = h("input", { id, type: "checkbox", checked: control.default === true });
			return {
				element: tick,
				focusable: [tick],
				read: async () => ({ value: tick.checked }),
				isEmpty: () => false,
				fault: () => "",
			};
		}
		case TYPE.file:
			return fileInput(control, id, required, upload);
		default:
			return choiceInput(control, id, page);
	}
}

/**
 * @param {any} control
 * @param {string} id
 * @param {boolean} required
 * @returns {Input}
 */
function textInput(control, id, required) {
	const least = control.min_length ?? 0;
	const most = control.max_length ?? TEXT_CHARS_MAX;
	const props = { id, placeholder: control.placeholder, "aria-required": String(required), autocomplete: "off" };
	const input =
		control.style === PARAGRAPH ? h("textarea", { ...props, rows: 4 }) : h("input", { ...props, type: "text" });
	input.value = control.value ?? "";
	const count = h("span.field-count");
	const chars = () => Array.from(input.value).length;
	const draw = () => {
		count.textContent = least > 0 ? `${chars()} / ${least}–${most}` : `${chars()} / ${most}`;
		count.dataset["over"] = String(chars() > most);
		// A line that may be far longer than anybody makes it needs no counting.
		count.hidden = control.style !== PARAGRAPH && least === 0 && chars() * 2 < most;
	};
	input.addEventListener("input", draw);
	draw();
	return {
		element: input,
		focusable: [input],
		count,
		read: async () => ({ value: input.value }),
		isEmpty: () => input.value.trim() === "",
		fault() {
			if (input.value !== "" && chars() < least) return `At least ${least} characters.`;
			return chars() > most ? `At most ${most} characters; this has ${chars()}.` : "";
		},
	};
}

/**
 * @param {any} control
 * @param {string} id
 * @param {boolean} required
 * @param {(file: File) => Promise<{ id: string }>} upload
 * @returns {Input}
 */
function fileInput(control, id, required, upload) {
	const most = control.max_values ?? 1;
	const accept = (control.file_types ?? []).map((/** @type {string} */ type) =>
		type.startsWith(".") ? type : `${type}/*`,
	);
	const input = h("input", { id, type: "file", multiple: most > 1, accept: accept.join() || null });
	input.setAttribute("aria-required", String(required));
	return {
		element: input,
		focusable: [input],
		read: async () => ({ values: (await Promise.all([...(input.files ?? [])].map(upload))).map((file) => file.id) }),
		isEmpty: () => (input.files?.length ?? 0) === 0,
		fault: () => ((input.files?.length ?? 0) > most ? `At most ${most} files.` : ""),
	};
}

/**
 * Menus and groups: one choice by radio buttons, or by the browser's own menu where the list is long; several by ticks.
 *
 * @param {any} control
 * @param {string} id
 * @param {PageState} page
 * @returns {Input}
 */
function choiceInput(control, id, page) {
	const choices = choicesOf(control, page);
	const isRadio = control.type === TYPE.radio;
	const least = control.min_values ?? 1;
	const most = control.max_values ?? (control.type === TYPE.group ? choices.length : 1);
	if (most === 1 && !isRadio && control.type !== TYPE.group) {
		const options = choices.map(({ value, label, chosen }) => h("option", { value, selected: chosen }, label));
		const menu = h("select", { id }, h("option", { value: "" }, control.placeholder ?? "Make a selection"), options);
		return {
			element: menu,
			focusable: [menu],
			read: async () => ({ values: menu.value === "" ? [] : [menu.value] }),
			isEmpty: () => menu.value === "" && least > 0,
			fault: () => "",
		};
	}
	const inputs = choices.map(({ value, chosen }) =>
		h("input", { type: isRadio ? "radio" : "checkbox", name: id, value, checked: chosen }),
	);
	const chosen = () => inputs.filter((input) => input.checked).map(({ value }) => value);
	const element = h(
		"div.field-choices",
		null,
		choices.map(({ label, note }, at) =>
			h("label.field-choice", null, inputs[at], h("span", null, label, note && h("span.choice-note", null, note))),
		),
	);
	return {
		element,
		focusable: inputs,
		isGroup: true,
		read: async () => (isRadio ? { value: chosen()[0] ?? "" } : { values: chosen() }),
		isEmpty: () => chosen().length === 0 && least > 0,
		fault() {
			if (isRadio || chosen().length === 0) return "";
			if (chosen().length < least) return `Choose at least ${least}.`;
			return chosen().length > most ? `Choose at most ${most}.` : "";
		},
	};
}
