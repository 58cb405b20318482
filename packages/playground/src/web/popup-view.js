/**
 * The list above the composer: commands, options or choices. Focus stays in the text field; the field points at the
 * active line by `aria-activedescendant`.
 *
 * @import { Child } from "./dom.js"
 */
import { appendTo, h } from "./dom.js";

/** @typedef {{ title: string, note?: string | undefined, lead?: Node | undefined, tag?: string | undefined, choose: () => void }} PopupItem */
/**
 * @typedef {{
 *   label: string,
 *   head: Child,
 *   items: readonly PopupItem[],
 *   active: number,
 *   busy?: boolean,
 *   emptyNote?: string | undefined,
 * }} PopupContent
 */

const LIST_ID = "composer-list";
const SKELETON_ROWS = 3;

export function createPopup() {
	const head = h("div.popup-head");
	const list = h("ul.popup-list", { id: LIST_ID, role: "listbox" });
	const element = h("div.popup", { hidden: true }, head, list);
	/** @type {readonly PopupItem[]} */
	let items = [];
	let active = -1;
	/** @type {HTMLElement | null} */
	let field = null;

	// A press must not take the focus out of the field it belongs to.
	element.addEventListener("pointerdown", (event) => event.preventDefault());

	/** @param {number} next */
	function mark(next) {
		active = next;
		for (const [at, row] of [...list.children].entries()) {
			row.setAttribute("aria-selected", String(at === active));
			if (at === active) row.scrollIntoView({ block: "nearest" });
		}
		if (active >= 0 && items.length > 0) field?.setAttribute("aria-activedescendant", `${LIST_ID}-${active}`);
		else field?.removeAttribute("aria-activedescendant");
	}

	/** @param {HTMLElement | null} next */
	function attach(next) {
		if (field !== next) field?.removeAttribute("aria-activedescendant");
		field = next;
	}

	return {
		element,
		/** Whether there are lines to walk through. */
		get hasItems() {
			return !element.hidden && items.length > 0;
		},
		/** Whether a line is marked, which Enter or Tab would take. */
		get hasActive() {
			return !element.hidden && active >= 0 && active < items.length;
		},
		/**
		 * @param {HTMLElement} owner
		 * @param {PopupContent} content
		 */
		show(owner, content) {
			attach(owner);
			items = content.items;
			head.replaceChildren();
			appendTo(head, [content.head]);
			list.setAttribute("aria-label", content.label);
			list.setAttribute("aria-busy", String(content.busy ?? false));
			list.replaceChildren(...items.map(rowOf));
			if (content.busy && items.length === 0) {
				list.append(...Array.from({ length: SKELETON_ROWS }, () => h("li.popup-skeleton", { "aria-hidden": "true" })));
			} else if (items.length === 0 && content.emptyNote !== undefined) {
				list.append(h("li.popup-empty", { role: "presentation" }, content.emptyNote));
			}
			list.hidden = list.childElementCount === 0;
			element.hidden = false;
			mark(Math.min(content.active, items.length - 1));
		},
		hide() {
			element.hidden = true;
			items = [];
			active = -1;
			attach(null);
		},
		/** @param {1 | -1} step */
		move(step) {
			if (items.length > 0)
				mark(active === -1 && step === -1 ? items.length - 1 : (active + step + items.length) % items.length);
		},
		choose() {
			items[active]?.choose();
		},
	};

	/**
	 * @param {PopupItem} item
	 * @param {number} at
	 */
	function rowOf(item, at) {
		return h(
			"li.popup-row",
			{
				id: `${LIST_ID}-${at}`,
				role: "option",
				"aria-selected": "false",
				onclick: item.choose,
				onpointermove: () => at !== active && mark(at),
			},
			item.lead,
			h("span.popup-title", null, item.title),
			item.note !== undefined && h("span.popup-note", null, item.note),
			item.tag !== undefined && h("span.popup-tag", null, item.tag),
		);
	}
}

export { LIST_ID as POPUP_LIST_ID };
