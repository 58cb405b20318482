/**
 * The conversation. Only rows that changed are drawn again, so a film keeps playing while other things happen; the view
 * stays where the person reads, and follows only while they are at the end.
 *
 * @import { RowContext } from "./message-view.js"
 * @import { Row } from "./state.js"
 */
import { h, icon } from "./dom.js";
import { ICONS } from "./icons.js";
import { continues, rowView, spokenRow } from "./message-view.js";
import { CONTROL, markPress } from "./press-view.js";
import { dayNumber, dayText, snowflakeTimeMs } from "./time.js";

/** Closer to the end than this counts as being there. */
const END_PX = 60;

/** @typedef {{ view: HTMLElement, signature: string }} Drawn */

/** @param {{ announce: (text: string) => void }} deps */
export function createMessageList({ announce }) {
	const start = h("div.channel-start");
	const list = h("ol.messages", { "aria-label": "Messages" });
	const scroller = h("div.scroller", { tabindex: 0, role: "region", "aria-label": "Conversation" }, start, list);
	const count = h("span");
	const jump = h("button.jump", { type: "button", hidden: true, onclick: () => toEnd(true) }, count, icon(ICONS.down));
	const element = h("div.conversation", null, scroller, jump);

	/** @type {Map<string, Drawn>} */
	let drawn = new Map();
	let shownPlace = "";
	let atEnd = true;
	let unseen = 0;

	scroller.addEventListener("scroll", () => {
		atEnd = scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight < END_PX;
		if (atEnd) unseen = 0;
		showJump();
	});
	const follow = new ResizeObserver(() => {
		if (atEnd) toEnd(false);
	});
	follow.observe(list);
	follow.observe(scroller);

	/** @param {boolean} smooth */
	function toEnd(smooth) {
		const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
		scroller.scrollTo({ top: scroller.scrollHeight, behavior: smooth && !calm ? "smooth" : "instant" });
	}

	function showJump() {
		jump.hidden = atEnd;
		count.textContent = unseen > 0 ? `${unseen} new` : "Jump to newest";
		jump.setAttribute("aria-label", unseen > 0 ? `${unseen} new, jump to newest` : "Jump to newest");
	}

	/** @type {HTMLElement | null} */
	let focusNext = null;

	/**
	 * A message drawn anew takes the focus away from its button: it goes to the same button, if that is still there.
	 *
	 * @param {HTMLElement} old
	 * @param {HTMLElement} view
	 */
	function keepFocus(old, view) {
		const focused = document.activeElement;
		if (!focused || !old.contains(focused)) return;
		const customId = focused.getAttribute(CONTROL);
		const same = [...view.querySelectorAll(`[${CONTROL}]`)].find((one) => one.getAttribute(CONTROL) === customId);
		focusNext = same instanceof HTMLElement ? same : scroller;
	}

	function refocus() {
		focusNext?.focus({ preventScroll: true });
		focusNext = null;
	}

	return {
		element,
		toEnd,
		/**
		 * @param {string} place whose conversation where: a new one starts at its end
		 * @param {readonly Row[]} rows
		 * @param {Node} startView
		 * @param {RowContext} context
		 */
		update(place, rows, startView, context) {
			const entered = place !== shownPlace;
			if (entered) {
				drawn = new Map();
				atEnd = true;
				unseen = 0;
				shownPlace = place;
			}
			start.replaceChildren(startView);
			/** @type {Map<string, Drawn>} */
			const next = new Map();
			for (const [at, row] of rows.entries()) {
				const before = rows[at - 1];
				const separator = daySeparator(row, before);
				if (separator) next.set(separator.key, drawn.get(separator.key) ?? { view: separator.view(), signature: "" });
				const grouped = !separator && continues(row, before);
				const press = row.kind === "message" ? row.press : null;
				const signature = JSON.stringify([grouped, { ...row, press: null }, context.menus]);
				const known = drawn.get(row.id);
				if (known?.signature === signature) {
					next.set(row.id, known);
					markPress(known.view, press);
					continue;
				}
				const view = rowView(row, grouped, context);
				markPress(view, press);
				if (known) keepFocus(known.view, view);
				next.set(row.id, { view, signature });
				if (entered) continue;
				announce(spokenRow(row, context.page));
				if (!known && row.kind !== "pending") unseen += 1;
			}
			arrange(
				list,
				[...next.values()].map(({ view }) => view),
			);
			drawn = next;
			refocus();
			if (atEnd || rows.at(-1)?.kind === "pending") {
				unseen = 0;
				toEnd(false);
			}
			showJump();
		},
	};
}

/**
 * Puts exactly these rows in this order, moving nothing that already stands right.
 *
 * @param {HTMLElement} list
 * @param {readonly Element[]} views
 */
function arrange(list, views) {
	/** @type {Set<Element>} */
	const wanted = new Set(views);
	for (const child of Array.from(list.querySelectorAll(":scope > li"))) {
		if (!wanted.has(child)) child.remove();
	}
	for (const [at, view] of views.entries()) {
		const there = list.children[at] ?? null;
		if (there !== view) list.insertBefore(view, there);
	}
}

/**
 * @param {Row} row
 * @param {Row | undefined} before
 */
function daySeparator(row, before) {
	if (row.kind === "pending" || before?.kind === "pending") return null;
	const nowMs = Date.now();
	const atMs = snowflakeTimeMs(row.id);
	const day = dayNumber(atMs, { nowMs });
	if (before && dayNumber(snowflakeTimeMs(before.id), { nowMs }) === day) return null;
	return {
		key: `day-${day}`,
		view: () => h("li.day", null, h("span", null, dayText(atMs, { nowMs }))),
	};
}
