/** What the workbench is made of: buttons, choices and ticks, each with a name that everybody can read. */
import { h } from "./dom.js";

/**
 * @param {string} label
 * @param {() => void} run
 */
export function action(label, run) {
	return h("button.bench-button", { type: "button", onclick: run }, label);
}

/**
 * @param {string} label
 * @param {readonly { readonly value: string, readonly name: string }[]} options
 * @param {(value: string) => void} [onChange]
 */
export function choice(label, options, onChange) {
	const select = h(
		"select.bench-select",
		{ onchange: () => onChange?.(select.value) },
		options.map(({ value, name }) => h("option", { value }, name)),
	);
	const element = h("label.bench-field", null, h("span", null, label), select);
	return {
		element,
		value: () => select.value,
		/** @param {string} value */
		set(value) {
			if (document.activeElement !== select) select.value = value;
		},
	};
}

/**
 * @param {string} label
 * @param {(isOn: boolean) => void} [onChange]
 */
export function tick(label, onChange) {
	const input = h("input", { type: "checkbox", onchange: () => onChange?.(input.checked) });
	return {
		element: h("label.bench-tick", null, input, h("span", null, label)),
		isOn: () => input.checked,
		/** @param {boolean} isOn */
		set(isOn) {
			input.checked = isOn;
		},
	};
}

/**
 * @param {string} label
 * @param {number} least
 * @param {number} most
 * @param {number} first
 */
export function amount(label, least, most, first) {
	const input = h("input.bench-number", { type: "number", min: least, max: most, value: first });
	return {
		element: h("label.bench-field", null, h("span", null, label), input),
		value: () => Math.min(most, Math.max(least, Math.round(Number(input.value) || 0))),
	};
}

/**
 * @param {string} title
 * @param {...import("./dom.js").Child} children
 */
export function section(title, ...children) {
	return h("section.bench-section", { "aria-label": title }, h("h3", null, title), children);
}

/** @param {...import("./dom.js").Child} children */
export function line(...children) {
	return h("div.bench-line", null, children);
}
