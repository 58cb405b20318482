/**
 * The context menu of a message or a person: the bot's commands for them. Opened by a button, by a right click, or by
 * pressing long.
 */
import { h, icon } from "./dom.js";
import { ICONS } from "./icons.js";

const EDGE_PX = 8;
const LONG_PRESS_MS = 500;

/** @typedef {{ name: string, run: () => void }} MenuItem */

/**
 * @param {string} label
 * @param {readonly MenuItem[]} items
 * @param {{ x: number, y: number }} at
 * @param {HTMLElement | null} back where the focus returns to
 */
function openMenu(label, items, at, back) {
	const rows = items.map(({ name, run }) =>
		h(
			"button.menu-row",
			{
				type: "button",
				role: "menuitem",
				tabindex: -1,
				onclick: () => {
					menu.hidePopover();
					run();
				},
			},
			icon(ICONS.slash),
			h("span.menu-name", null, name),
		),
	);
	const menu = h(
		"div.context-menu",
		{ popover: "auto", role: "menu", "aria-label": label },
		h("p.menu-label", { "aria-hidden": "true" }, label),
		rows,
	);
	menu.addEventListener("keydown", (event) => {
		const now = rows.findIndex((row) => row === document.activeElement);
		const next = { ArrowDown: now + 1, ArrowUp: now - 1 + rows.length, Home: 0, End: rows.length - 1 }[event.key];
		if (event.key === "Tab") menu.hidePopover();
		if (next === undefined) return;
		event.preventDefault();
		rows[next % rows.length]?.focus();
	});
	menu.addEventListener("toggle", () => {
		if (menu.matches(":popover-open")) return;
		menu.remove();
		if (document.activeElement === document.body) back?.focus();
	});
	document.body.append(menu);
	menu.showPopover();
	const { width, height } = menu.getBoundingClientRect();
	menu.style.setProperty("left", `${Math.max(EDGE_PX, Math.min(at.x, innerWidth - width - EDGE_PX))}px`);
	menu.style.setProperty("top", `${Math.max(EDGE_PX, Math.min(at.y, innerHeight - height - EDGE_PX))}px`);
	rows[0]?.focus();
}

/**
 * Gives an element its menu, and returns the button that opens it; without items there is neither.
 *
 * @param {HTMLElement} element
 * @param {string} label
 * @param {readonly MenuItem[]} items
 */
export function withMenu(element, label, items) {
	if (items.length === 0) return;
	const button = h(
		"button.icon-button.small.more",
		{ type: "button", "aria-label": label, title: label, "aria-haspopup": "menu" },
		icon(ICONS.more),
	);
	button.addEventListener("click", () => {
		const { left, bottom } = button.getBoundingClientRect();
		openMenu(label, items, { x: left, y: bottom + 4 }, button);
	});
	element.append(button);
	element.addEventListener("contextmenu", (event) => {
		// What has a menu of the browser's own keeps it: links, media, and text that is marked.
		const other =
			event.target instanceof Element && event.target.closest("a, img, video, audio, input, textarea, [popover]");
		if (other || String(getSelection()) !== "") return;
		event.preventDefault();
		openMenu(label, items, { x: event.clientX, y: event.clientY }, button);
	});
	// Where a long press brings no contextmenu event, as on iOS.
	let timer = 0;
	element.addEventListener(
		"touchstart",
		(event) => {
			const [touch] = event.touches;
			if (!touch || (event.target instanceof Element && event.target.closest("button, a, video, audio"))) return;
			const at = { x: touch.clientX, y: touch.clientY };
			timer = setTimeout(() => openMenu(label, items, at, button), LONG_PRESS_MS);
		},
		{ passive: true },
	);
	for (const over of ["touchend", "touchmove", "touchcancel", "contextmenu"])
		element.addEventListener(over, () => clearTimeout(timer), { passive: true });
}
