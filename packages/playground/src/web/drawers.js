/**
 * The lists beside the conversation: side by side where there is room, drawers over it where there is not.
 */
import { icon } from "./dom.js";
import { ICONS } from "./icons.js";

/** From here on the members stand beside the conversation. The style sheet knows the same number. */
const WIDE = "(min-width: 1100px)";

const ICON_OF = new Map([
	["members", ICONS.people],
	["bench", ICONS.bench],
]);

/**
 * @param {HTMLElement} veil what lies over the conversation while a drawer is open
 * @param {() => void} onChange
 */
export function createDrawers(veil, onChange) {
	const wide = matchMedia(WIDE);
	const buttons = [...document.querySelectorAll("[data-toggle]")];
	let open = "";
	let membersBeside = true;

	function draw() {
		document.body.dataset["drawer"] = open;
		document.body.classList.toggle("members-hidden", !membersBeside);
		onChange();
		for (const button of buttons) {
			const name = button.getAttribute("data-toggle");
			button.setAttribute("aria-expanded", String(name === "members" && wide.matches ? membersBeside : name === open));
		}
	}

	function close() {
		if (open === "") return;
		const button = buttons.find((candidate) => candidate.getAttribute("data-toggle") === open);
		open = "";
		draw();
		if (button instanceof HTMLElement) button.focus();
	}

	for (const button of buttons) {
		const name = button.getAttribute("data-toggle") ?? "";
		button.append(icon(ICON_OF.get(name) ?? ICONS.menu));
		button.addEventListener("click", () => {
			if (name === "members" && wide.matches) membersBeside = !membersBeside;
			else open = open === name ? "" : name;
			draw();
			if (open === "channels") document.querySelector(".channel[aria-current]")?.scrollIntoView({ block: "nearest" });
		});
	}
	veil.addEventListener("click", close);
	document.addEventListener("keydown", (event) => {
		if (event.key === "Escape") close();
	});
	wide.addEventListener("change", () => {
		open = "";
		draw();
	});
	draw();
	return { close, isOpen: /** @param {string} name */ (name) => open === name };
}
