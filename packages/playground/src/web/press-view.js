/**
 * What a person sees of having pressed something: drawn onto the message as it stands, so that a film in it keeps playing
 * and the focus stays where it is.
 *
 * @import { Press } from "./state.js"
 */
import { h, icon } from "./dom.js";
import { ICONS } from "./icons.js";

/** Every control carries its custom id here. */
export const CONTROL = "data-control";

/**
 * @param {HTMLElement} message
 * @param {Press | null} press
 */
export function markPress(message, press) {
	const waiting = press !== null && press.failure === null;
	for (const control of message.querySelectorAll(`[${CONTROL}]`)) {
		const own = waiting && control.getAttribute(CONTROL) === press.customId;
		setOrRemove(control, "aria-disabled", waiting);
		setOrRemove(control, "aria-busy", own);
	}
	const place = message.querySelector(".press-failure");
	const failure = press?.failure ?? "";
	if (!place || place.getAttribute("data-text") === failure) return;
	place.setAttribute("data-text", failure);
	place.replaceChildren(...(failure === "" ? [] : [icon(ICONS.alert), h("span", null, failure)]));
}

export function failurePlace() {
	return h("p.press-failure", { role: "alert" });
}

/** Whether pressing has to wait: something on this message is on its way already. @param {Element} control */
export function isWaiting(control) {
	return control.getAttribute("aria-disabled") === "true";
}

/**
 * @param {Element} element
 * @param {string} name
 * @param {boolean} on
 */
function setOrRemove(element, name, on) {
	if (on) element.setAttribute(name, "true");
	else element.removeAttribute(name);
}
