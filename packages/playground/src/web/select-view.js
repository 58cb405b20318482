/* oxlint-disable typescript/no-unsafe-enum-comparison -- the browser gets Discord's numbers; the enum exists in types only */
/**
 * A menu in a message. One choice is sent as it is made; several are ticked first, and sent by a button.
 *
 * @import { APISelectMenuComponent } from "discord-api-types/v10"
 * @import { PageState } from "../page-contract.ts"
 */
import { h, icon } from "./dom.js";
import { ICONS } from "./icons.js";
import { memberName, userName } from "./names.js";
import { CONTROL, isWaiting } from "./press-view.js";

/** Discord's own numbers. */
const TYPE = /** @type {const} */ ({ users: 5, roles: 6, channels: 8 });
const GAP_PX = 6;

/** @typedef {{ value: string, label: string, note?: string | undefined, chosen: boolean }} Choice */

let made = 0;

/**
 * What there is to choose from: the bot's own options, or who and what is in this server.
 *
 * @param {APISelectMenuComponent} select
 * @param {PageState} page
 * @returns {Choice[]}
 */
export function choicesOf(select, page) {
	if ("options" in select) {
		return select.options.map(({ value, label, description, default: chosen }) => ({
			value,
			label,
			note: description,
			chosen: chosen === true,
		}));
	}
	const before = new Set((select.default_values ?? []).map(({ id }) => id));
	const choice = (/** @type {string} */ value, /** @type {string} */ label) => ({
		value,
		label,
		chosen: before.has(value),
	});
	const users = [
		...page.members.map((member) => choice(member.user.id, memberName(member))),
		choice(page.bot.user.id, userName(page.bot.user)),
	];
	const roles = page.roles.map(({ id, name }) => choice(id, `@${name}`));
	if (select.type === TYPE.users) return users;
	if (select.type === TYPE.roles) return roles;
	if (select.type !== TYPE.channels) return [...users, ...roles];
	return page.channels.filter(({ isDirect }) => isDirect !== true).map(({ id, name }) => choice(id, `#${name}`));
}

/**
 * @param {APISelectMenuComponent} select
 * @param {PageState} page
 * @param {(values: readonly string[]) => void} onChoose
 */
export function selectView(select, page, onChoose) {
	const least = select.min_values ?? 1;
	const most = select.max_values ?? 1;
	const several = most > 1;
	const choices = choicesOf(select, page);
	let sent = choices.filter((choice) => choice.chosen).map(({ value }) => value);
	let chosen = sent;
	const id = `choices-${++made}`;
	const placeholder = select.placeholder ?? "Make a selection";

	const rows = choices.map((choice) =>
		h(
			"li.choice",
			{ role: "option", tabindex: -1, "data-value": choice.value, onclick: () => pick(choice.value) },
			h("span.choice-text", null, choice.label, choice.note !== undefined && h("span.choice-note", null, choice.note)),
			icon(ICONS.check, "icon choice-mark"),
		),
	);
	const list = h(
		"ul.choice-list",
		{ role: "listbox", "aria-label": placeholder, "aria-multiselectable": several ? "true" : null },
		rows,
	);
	const send = h("button.button.primary", { type: "button", onclick: () => choose(chosen) }, "Choose");
	const count = h("span.choice-count");
	const menu = h(
		"div.choices",
		{ id, popover: "auto" },
		list,
		(several || least === 0) && h("div.choice-foot", null, count, send),
	);
	const text = h("span");
	const button = h(
		"button.select",
		{
			type: "button",
			disabled: select.disabled === true,
			[CONTROL]: select.custom_id,
			"aria-haspopup": "listbox",
			"aria-expanded": "false",
			"aria-controls": id,
			onclick: () => {
				if (!isWaiting(button)) menu.togglePopover();
			},
		},
		text,
		icon(ICONS.chevron),
	);

	/** @param {string} value */
	function pick(value) {
		if (!several && least > 0) return choose([value]);
		if (chosen.includes(value)) chosen = chosen.filter((one) => one !== value);
		else chosen = several ? [...chosen, value].slice(0, most) : [value];
		draw();
	}

	/** @param {readonly string[]} values */
	function choose(values) {
		sent = [...values];
		chosen = sent;
		draw();
		menu.hidePopover();
		button.focus();
		onChoose(values);
	}

	function draw() {
		for (const row of rows) row.setAttribute("aria-selected", String(chosen.includes(row.dataset["value"] ?? "")));
		const labels = choices.filter(({ value }) => chosen.includes(value)).map(({ label }) => label);
		text.textContent = labels.join(", ") || placeholder;
		button.setAttribute("aria-label", labels.length > 0 ? `${placeholder}: ${labels.join(", ")}` : placeholder);
		count.textContent = least === most ? `Choose ${most}` : `Choose ${least} to ${most}`;
		send.disabled = chosen.length < least;
	}

	/** Below the button where there is room, above it where there is not. */
	function place() {
		const at = button.getBoundingClientRect();
		const below = innerHeight - at.bottom - 2 * GAP_PX;
		const above = at.top - 2 * GAP_PX;
		const up = below < Math.min(menu.offsetHeight, 260) && above > below;
		menu.style.setProperty("max-height", `${up ? above : below}px`);
		menu.style.setProperty("width", `${at.width}px`);
		menu.style.setProperty("left", `${at.left}px`);
		menu.style.setProperty("top", up ? "auto" : `${at.bottom + GAP_PX}px`);
		menu.style.setProperty("bottom", up ? `${innerHeight - at.top + GAP_PX}px` : "auto");
	}

	menu.addEventListener("toggle", () => {
		const open = menu.matches(":popover-open");
		button.setAttribute("aria-expanded", String(open));
		if (!open) {
			// What was ticked and not sent was not chosen.
			chosen = sent;
			draw();
			return;
		}
		place();
		(rows.find((row) => row.getAttribute("aria-selected") === "true") ?? rows[0])?.focus();
	});
	list.addEventListener("keydown", (event) => {
		const at = rows.findIndex((row) => row === document.activeElement);
		const next = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: rows.length - 1 }[event.key];
		if (next !== undefined) rows[Math.min(Math.max(next, 0), rows.length - 1)]?.focus();
		else if (event.key === "Enter" || event.key === " ") pick(rows[at]?.dataset["value"] ?? "");
		else if (event.key.length === 1) startingWith(event.key)?.focus();
		else return;
		event.preventDefault();
	});

	/** @param {string} letter */
	function startingWith(letter) {
		const wanted = choices.findIndex(({ label }) =>
			label.replace(/^[@#]/, "").toLowerCase().startsWith(letter.toLowerCase()),
		);
		return rows[wanted];
	}

	draw();
	return h("div.select-box", null, button, menu);
}
