/**
 * One row of the conversation.
 *
 * @import { APIMessage } from "discord-api-types/v10"
 * @import { PageState } from "../page-contract.ts"
 * @import { MenuItem } from "./menu-view.js"
 * @import { Invocation, Row, ShownOption } from "./state.js"
 */
/* oxlint-disable typescript/no-unsafe-enum-comparison -- the browser gets Discord's numbers; the enum exists in types only */
import { attachmentsView } from "./attachment-view.js";
import { avatarView } from "./avatar-view.js";
import { componentsView } from "./components-view.js";
import { typeableCommands } from "./composer-parser.js";
import { h, icon } from "./dom.js";
import { embedView } from "./embed-view.js";
import { ICONS } from "./icons.js";
import { markdownView } from "./markdown-view.js";
import { withMenu } from "./menu-view.js";
import { nameIn } from "./names.js";
import { failurePlace } from "./press-view.js";
import { messageTimeText, snowflakeTimeMs, timestampText } from "./time.js";

const EPHEMERAL = 1 << 6;
const LOADING = 1 << 7;
/** Components lay out the whole message: files show only where they name them. */
const LAID_OUT = 1 << 15;
const COMMAND_MESSAGE = 20;
const MENU_MESSAGE = 23;
/** Messages of one author closer together than this share one head. */
const GROUP_MS = 7 * 60_000;

/**
 * @typedef {{
 *   page: PageState,
 *   onDismiss: (id: string) => void,
 *   onRetry: (invocation: Invocation) => void,
 *   onPress: (message: APIMessage, customId: string, values: readonly string[] | null) => void,
 *   menus: readonly string[],
 *   menuOf: (message: APIMessage) => readonly MenuItem[],
 * }} RowContext
 */

/**
 * @param {Row} row
 * @param {boolean} grouped
 * @param {RowContext} context
 */
export function rowView(row, grouped, context) {
	switch (row.kind) {
		case "message":
			return messageView(row.message, row.invocation, grouped, context);
		case "pending":
			return pendingView(row.invocation, context);
		case "failed":
			return failedView(row, context);
	}
}

/**
 * Whether a message continues the one before it: what came of another command or button begins anew.
 *
 * @param {Row} row
 * @param {Row | undefined} before
 */
export function continues(row, before) {
	if (row.kind !== "message" || before?.kind !== "message" || isCommandAnswer(row.message)) return false;
	const gapMs = snowflakeTimeMs(row.id) - snowflakeTimeMs(before.id);
	const sameFlags = ((row.message.flags ?? 0) & EPHEMERAL) === ((before.message.flags ?? 0) & EPHEMERAL);
	const sameOrigin = row.message.interaction_metadata?.id === before.message.interaction_metadata?.id;
	return row.message.author.id === before.message.author.id && gapMs < GROUP_MS && sameFlags && sameOrigin;
}

/**
 * What a screen reader says when a row appears or changes.
 *
 * @param {Row} row
 * @param {PageState} page
 */
export function spokenRow(row, page) {
	if (row.kind === "failed") return `The application did not respond. ${row.reason}`;
	if (row.kind === "pending") return "";
	const { message } = row;
	const name = nameIn(page, message.author);
	if (isThinking(message)) return `${name} is thinking`;
	const files = message.attachments.map(({ description, filename }) => description ?? filename);
	return [
		`${name}:`,
		message.content,
		...message.embeds.map(({ title, description }) => title ?? description ?? ""),
		...files,
	]
		.join(" ")
		.slice(0, 300);
}

/**
 * @param {APIMessage} message
 * @param {Invocation | null} invocation
 * @param {boolean} grouped
 * @param {RowContext} context
 */
function messageView(message, invocation, grouped, context) {
	const { page } = context;
	const name = nameIn(page, message.author);
	const atMs = Date.parse(message.timestamp);
	const flags = message.flags ?? 0;
	const ephemeral = (flags & EPHEMERAL) !== 0;
	const element = h(
		"li.message",
		{
			"aria-label": `${name}, ${messageTimeText(atMs, { nowMs: Date.now() })}`,
			"data-id": message.id,
			"data-grouped": grouped,
			"data-ephemeral": ephemeral,
			"data-ping": isPing(message, page),
		},
		isCommandAnswer(message) && commandHead(message, invocation, page),
		!grouped && avatarView(message.author, name),
		!grouped && authorLine(name, message.author.bot === true, atMs),
		h(
			"div.message-body",
			null,
			isThinking(message)
				? thinkingView(name)
				: [
						contentView(message, page),
						message.embeds.map((embed) => embedView(embed, page)),
						message.attachments.length > 0 && (flags & LAID_OUT) === 0 && attachmentsView(message.attachments),
						componentsView(message.components ?? [], page, (customId, values) =>
							context.onPress(message, customId, values),
						),
						failurePlace(),
					],
			ephemeral && onlyYou(() => context.onDismiss(message.id)),
		),
	);
	if (!isThinking(message)) withMenu(element, "Commands for this message", context.menuOf(message));
	return element;
}

/**
 * Whether this message rings where this person is.
 *
 * @param {APIMessage} message
 * @param {PageState} page
 */
function isPing({ mentions, mention_roles: roleIds, mention_everyone: isForAll }, { me }) {
	return isForAll || mentions.some(({ id }) => id === me.user.id) || roleIds.some((id) => me.roleIds.includes(id));
}

/**
 * @param {APIMessage} message
 * @param {PageState} page
 */
function contentView({ content, edited_timestamp: edited, mentions, mention_roles: roleIds }, page) {
	const pings = new Set([...mentions.map(({ id }) => id), ...roleIds]);
	const view = markdownView(content, { ...page, pings });
	if (edited !== null) {
		const title = timestampText(Date.parse(edited) / 1000, "F", { nowMs: Date.now() });
		const last = view.lastElementChild;
		(last?.tagName === "P" ? last : view).append(" ", h("span.edited", { title }, "(edited)"));
	}
	return view.hasChildNodes() && view;
}

/**
 * @param {Invocation} invocation
 * @param {RowContext} context
 */
function pendingView(invocation, { page }) {
	const { user } = page.bot;
	const name = nameIn(page, user);
	return h(
		"li.message.pending",
		{ "aria-label": `Sending ${invocation.command}` },
		headLine("You", nameOf(invocation, page), invocation.options),
		avatarView(user, name),
		authorLine(name, true, null),
		h("div.message-body", null, h("p.quiet", null, "Sending command", dots())),
	);
}

/**
 * @param {Extract<Row, { kind: "failed" }>} row
 * @param {RowContext} context
 */
function failedView({ id, reason, invocation }, { page, onDismiss, onRetry }) {
	const { user } = page.bot;
	const name = nameIn(page, user);
	return h(
		"li.message.failed",
		{ "aria-label": "The application did not respond" },
		invocation && headLine("You", nameOf(invocation, page), invocation.options),
		avatarView(user, name),
		authorLine(name, true, snowflakeTimeMs(id)),
		h(
			"div.message-body",
			null,
			h("p.failure", null, icon(ICONS.alert), "The application did not respond"),
			reason !== "" && h("p.quiet", null, reason),
			onlyYou(
				() => onDismiss(id),
				invocation && !invocation.isMenu
					? h("button.text-button", { type: "button", onclick: () => onRetry(invocation) }, "Try again")
					: null,
			),
		),
	);
}

/**
 * @param {string} name
 * @param {boolean} bot
 * @param {number | null} atMs
 */
function authorLine(name, bot, atMs) {
	return h(
		"div.author-line",
		null,
		h("span.author", { "data-bot": bot }, name),
		bot && h("span.tag", null, "Bot"),
		atMs !== null &&
			h(
				"time.message-time",
				{ datetime: new Date(atMs).toISOString(), title: timestampText(atMs / 1000, "F", { nowMs: Date.now() }) },
				messageTimeText(atMs, { nowMs: Date.now() }),
			),
	);
}

/**
 * @param {APIMessage} message
 * @param {Invocation | null} invocation
 * @param {PageState} page
 */
function commandHead(message, invocation, page) {
	const user = message.interaction_metadata?.user ?? message.interaction?.user;
	const command = invocation?.command ?? message.interaction?.name ?? nameFromMetadata(message) ?? "a command";
	const who = user === undefined || user.id === page.me.user.id ? "You" : nameIn(page, user);
	return headLine(who, nameOf({ command, isMenu: message.type === MENU_MESSAGE }, page), invocation?.options ?? []);
}

/**
 * Discord sends the command's name here although its reference leaves it out.
 *
 * @param {APIMessage} message
 */
function nameFromMetadata(message) {
	const metadata = /** @type {{ name?: unknown } | undefined} */ (message.interaction_metadata);
	return typeof metadata?.name === "string" ? metadata.name : undefined;
}

/**
 * "You used /image", and what was given to it: one line, the rest on demand.
 *
 * @param {string} who
 * @param {string} command
 * @param {readonly ShownOption[]} options
 */
function headLine(who, command, options) {
	const given = options.map(({ name, text }) =>
		h("span.given", null, h("span.given-name", null, name), h("bdi", null, text)),
	);
	const line = [h("b", null, who), " used ", h("span.command-chip", null, command)];
	if (given.length === 0) return h("div.command-head", null, line);
	const toggle = h(
		"button.command-options",
		{ type: "button", "aria-expanded": "false", title: "Show every option" },
		given,
	);
	toggle.addEventListener("click", () => {
		toggle.setAttribute("aria-expanded", String(toggle.getAttribute("aria-expanded") !== "true"));
	});
	return h("div.command-head", null, line, toggle);
}

/**
 * A command as this person knows it: in their language, and with a slash where it is typed.
 *
 * @param {Pick<Invocation, "command" | "isMenu">} invocation
 * @param {PageState} page
 */
function nameOf({ command, isMenu }, { commands, me }) {
	if (isMenu === true) return command;
	return `/${typeableCommands(commands, me.locale).find(({ path }) => path === command)?.shown ?? command}`;
}

/** @param {string} name */
function thinkingView(name) {
	return h("p.thinking", null, dots(), h("span", null, `${name} is thinking…`));
}

function dots() {
	return h("span.dots", { "aria-hidden": "true" }, h("i"), h("i"), h("i"));
}

/**
 * @param {() => void} onDismiss
 * @param {...(Node | null)} extra
 */
function onlyYou(onDismiss, ...extra) {
	return h(
		"p.only-you",
		null,
		icon(ICONS.eye),
		h("span", null, "Only you can see this"),
		extra,
		h("button.text-button", { type: "button", onclick: onDismiss }, "Dismiss"),
	);
}

/** @param {APIMessage} message */
function isThinking(message) {
	return ((message.flags ?? 0) & LOADING) !== 0;
}

/** @param {APIMessage} message */
function isCommandAnswer(message) {
	return message.type === COMMAND_MESSAGE || message.type === MENU_MESSAGE;
}
