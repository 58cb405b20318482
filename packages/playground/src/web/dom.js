/**
 * The page's only way to make elements. Text becomes text nodes, never markup, so nothing a message says can be more
 * than text; styles go through properties, which a strict content security policy allows.
 */

const SVG = "http://www.w3.org/2000/svg";

/** @typedef {Node | string | number | null | undefined | false | readonly Child[]} Child */
/** @typedef {Record<string, unknown>} Props */

/**
 * `h("button.primary", { type: "button", onclick: send }, "Send")`. Properties that start with `on` are listeners,
 * `style` is an object of CSS properties, `true` and `false` add or leave out an attribute.
 *
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T | `${T}.${string}`} selector
 * @param {Props | null} [props]
 * @param {...Child} children
 * @returns {HTMLElementTagNameMap[T]}
 */
export function h(selector, props, ...children) {
	const [tag, ...classes] = selector.split(".");
	const element = /** @type {HTMLElementTagNameMap[T]} */ (document.createElement(tag ?? "div"));
	if (classes.length > 0) element.classList.add(...classes);
	for (const [name, value] of Object.entries(props ?? {})) setProp(element, name, value);
	appendTo(element, children);
	return element;
}

/**
 * A drawn icon of 24 by 24 units, in the colour of the text around it.
 *
 * @param {string} path
 * @param {string} [className]
 */
export function icon(path, className = "icon") {
	const svg = document.createElementNS(SVG, "svg");
	svg.setAttribute("viewBox", "0 0 24 24");
	svg.setAttribute("class", className);
	svg.setAttribute("aria-hidden", "true");
	svg.setAttribute("focusable", "false");
	const shape = document.createElementNS(SVG, "path");
	shape.setAttribute("d", path);
	svg.append(shape);
	return svg;
}

/**
 * @param {Element} element
 * @param {readonly Child[]} children
 */
export function appendTo(element, children) {
	for (const child of children) {
		if (Array.isArray(child)) appendTo(element, child);
		else if (child instanceof Node) element.append(child);
		else if (typeof child === "string" || typeof child === "number") element.append(String(child));
	}
}

/**
 * @param {HTMLElement} element
 * @param {string} name
 * @param {unknown} value
 */
function setProp(element, name, value) {
	if (value === undefined || value === null || value === false) return;
	if (name.startsWith("on") && typeof value === "function") {
		element.addEventListener(name.slice(2), /** @type {EventListener} */ (value));
	} else if (name === "style") {
		for (const [property, text] of Object.entries(/** @type {Record<string, string>} */ (value))) {
			element.style.setProperty(property, text);
		}
	} else {
		element.setAttribute(name, value === true ? "" : `${/** @type {string | number} */ (value)}`);
	}
}
