/**
 * The page: builds the pieces, keeps the state, and draws again what changed.
 *
 * @import { Invocation, ShownOption, ViewEvent, ViewState } from "./state.js"
 * @import { APIMessage } from "discord-api-types/v10"
 * @import { MenuItem } from "./menu-view.js"
 * @import { ContextRequest, PageEvent, PageOption, PageState } from "../page-contract.ts"
 */
import { createApi } from "./api.js";
import { createBench } from "./bench-view.js";
import { createComposer } from "./composer-view.js";
import { typeableCommands } from "./composer-parser.js";
import { openConnection } from "./connection.js";
import { appendTo, h, icon } from "./dom.js";
import { createDrawers } from "./drawers.js";
import { createDropZone } from "./drop-zone.js";
import { ICONS } from "./icons.js";
import { keepInvocations, recallInvocations } from "./invocation-memory.js";
import { refreshRelativeTimes } from "./markdown-view.js";
import { createMessageList } from "./message-list.js";
import { createModals } from "./modal-view.js";
import { userName } from "./names.js";
import { railView } from "./rail-view.js";
import { channelsView, hasBotHere, meView, membersView } from "./sidebar-view.js";
import { EMPTY_STATE, reduce, rowsOf } from "./state.js";
import { startView } from "./welcome-view.js";

const RELATIVE_TIME_TICK_MS = 1_000;
/** A line that comes back at once is not worth a word. */
const BANNER_DELAY_MS = 1_200;
const TOAST_MS = 6_000;
/** Discord's own numbers of the commands in context menus. */
const USER_COMMAND = "2";
const MESSAGE_COMMAND = "3";

/** @type {ViewState} */
let state = { ...EMPTY_STATE, invocations: recallInvocations() };
let bannerTimer = 0;
let bannerDue = false;
let greeted = false;
/** @type {ReturnType<typeof openConnection> | null} */
let connection = null;

/** Where this person was last in each server. @type {Map<string, string>} */
const lastChannels = new Map();

const api = createApi({ user: () => fromAddress("user"), server: () => fromAddress("server") });

/** @type {WeakMap<HTMLElement, string>} */
const signatures = new WeakMap();
const rail = slot("rail");
const channels = slot("channel-list");
const me = slot("me");
const members = slot("members");
const banner = slot("banner");
const live = slot("live");
const conversation = createMessageList({ announce });
const composer = createComposer({
	send: sendCommand,
	autocomplete: async (command, options, focused, signal) =>
		(await api.autocomplete({ channelId: state.channelId ?? "", command, options, focused }, signal)).choices,
	upload: (file) => api.upload(file),
});
slot("conversation").replaceWith(conversation.element);
slot("composer").replaceWith(composer.element);
const modals = createModals({
	submit: (interactionId, fields) => api.submit({ interactionId, fields }),
	upload: (file) => api.upload(file),
});
createDropZone(slot("main"), composer.takeFiles);

const bench = createBench({ element: slot("bench"), complain: showToast, close: () => drawers.close() });
const drawers = createDrawers(slot("veil"), () => queueMicrotask(drawBench));
document.addEventListener("keydown", (event) => {
	// Typing anywhere types into the composer, as people expect of a chat.
	const typing =
		event.target instanceof Element &&
		event.target.closest("input, textarea, button, a, dialog, video, audio, [role=button], [popover]");
	if (!typing && event.key.length === 1 && event.key !== " " && !event.ctrlKey && !event.metaKey && !event.altKey)
		composer.focus();
});
window.addEventListener("popstate", () => {
	dispatch({ type: "reset" });
	connect();
});
setInterval(() => refreshRelativeTimes(document), RELATIVE_TIME_TICK_MS);

connect();

function connect() {
	connection?.close();
	connection = openConnection({
		eventsAddress: api.eventsAddress,
		fetchState: api.state,
		onSnapshot: (page) => {
			// What is open stays on the screen until there is what comes after it.
			const isElsewhere = state.page !== null && state.page.guild.id !== page.guild.id;
			state = { ...state, channelId: fromAddress("channel") ?? (isElsewhere ? null : state.channelId) };
			dispatch({ type: "snapshot", page, nowMs: Date.now() });
			// Whoever asked for a server that they are not in is in another one now.
			if ((fromAddress("server") ?? page.guild.id) !== page.guild.id)
				writeAddress({ server: page.guild.id }, "replace");
		},
		onEvent: hear,
		onStatus: (status) => {
			if (status !== state.connection) {
				bannerDue = false;
				clearTimeout(bannerTimer);
			}
			if (status === "lost" && state.connection !== "lost") {
				bannerTimer = setTimeout(() => {
					bannerDue = true;
					draw();
				}, BANNER_DELAY_MS);
			}
			dispatch({ type: "connection", connection: status });
		},
	});
}

/** @param {PageEvent} event */
function hear(event) {
	dispatch(event);
	if (event.type === "interactionFailed") modals.settle(event.interactionId, event.reason);
	if (event.type !== "interactionAnswered") return;
	modals.settle(event.interactionId, "");
	if (event.modal && state.page) modals.open(event.modal, state.page);
}

/** @param {ViewEvent} event */
function dispatch(event) {
	const before = state.invocations;
	state = reduce(state, event);
	if (state.invocations !== before) keepInvocations(state.invocations);
	draw();
}

function draw() {
	const { page } = state;
	drawBanner();
	if (!page) return;
	document.body.classList.add("ready");
	const channel = page.channels.find(({ id }) => id === state.channelId);
	document.title = `${channel?.isDirect === true ? "@" : "#"}${channel?.name ?? ""} · ${page.guild.name}`;
	setText("guild-name", page.guild.name);
	setText("channel-sign", channel?.isDirect === true ? "@" : "#");
	setText("channel-name", channel?.name ?? "");
	setText("channel-topic", channel?.topic ?? "");
	redraw(rail, [page.guild, page.servers, page.serversUnshown, page.bot.user, [...state.unread]], () =>
		railView(page, state.unread, openServer),
	);
	redraw(channels, [page.channels, state.channelId, [...state.unread]], () =>
		channelsView({ ...state, page }, selectChannel),
	);
	redraw(me, [page.me, page.members, page.people, page.roles, page.servers, page.guildLocale], () =>
		meView(page, becomeUser),
	);
	const userMenu = menuNames(page, USER_COMMAND);
	const { guildLocale, bot, mayManageBot } = page;
	const shownToMembers = [page.members, page.roles, page.servers, guildLocale, bot, mayManageBot, page.me, userMenu];
	redraw(members, [...shownToMembers, state.channelId], () =>
		membersView(
			page,
			(id) => menuItems(userMenu, { kind: "user", id }, state.channelId ?? ""),
			(isThere) => void setBot(isThere),
		),
	);
	drawBench();
	composer.update(typeableCommands(page.commands, page.me.locale), page);
	if (!channel) return;
	if (!greeted && matchMedia("(pointer: fine)").matches) composer.focus();
	greeted = true;
	const rows = rowsOf(state);
	const menus = menuNames(page, MESSAGE_COMMAND);
	conversation.update(
		`${page.me.user.id} ${channel.id}`,
		rows,
		startView(page, channel, rows.length === 0, composer.fillCommand),
		{
			page,
			menus,
			menuOf: ({ id, channel_id: channelId }) => menuItems(menus, { kind: "message", id }, channelId),
			onPress: (message, customId, values) => void press(message, customId, values),
			onDismiss: (id) => dispatch({ type: "dismiss", id }),
			onRetry: ({ command, options }) => composer.fillCommand(command, options),
		},
	);
}

function drawBench() {
	if (state.page) bench.update(state.page, drawers.isOpen("bench"));
}

function drawBanner() {
	const { page } = state;
	const text =
		state.connection === "lost" && bannerDue
			? "The playground is not answering. This page keeps trying and will catch up."
			: page && state.connection === "live" && !hasBotHere(page)
				? `${userName(page.bot.user)} is not in this server, and neither are its commands.`
				: page && state.connection === "live" && !page.bot.online
					? `${userName(page.bot.user)} is offline – it will pick up where it left off.`
					: "";
	if (banner.dataset["text"] === text) return;
	banner.dataset["text"] = text;
	banner.hidden = text === "";
	banner.replaceChildren();
	if (text !== "") appendTo(banner, [icon(ICONS.moon), text]);
}

/**
 * @param {string} command
 * @param {readonly PageOption[]} options
 * @param {readonly ShownOption[]} shown
 */
async function sendCommand(command, options, shown) {
	const channelId = state.channelId ?? "";
	const key = newKey();
	/** @type {Invocation} */
	const invocation = { key, channelId, command, options: shown, interactionId: null, settled: false };
	dispatch({ type: "invoked", invocation });
	try {
		const { interactionId } = await api.invoke({ channelId, command, options });
		dispatch({ type: "accepted", key, interactionId });
	} catch (error) {
		dispatch({ type: "rejected", key });
		throw error;
	}
}

/**
 * @param {APIMessage} message
 * @param {string} customId
 * @param {readonly string[] | null} values
 */
async function press({ id: messageId, channel_id: channelId }, customId, values) {
	const key = newKey();
	dispatch({ type: "pressed", press: { key, messageId, customId, values, interactionId: null, failure: null } });
	try {
		const { interactionId } = await api.press({
			channelId,
			messageId,
			customId,
			...(values === null ? {} : { values }),
		});
		dispatch({ type: "pressAccepted", key, interactionId });
	} catch (error) {
		dispatch({ type: "pressRefused", key, reason: inWords(error) });
	}
}

/**
 * @param {PageState} page
 * @param {string} type
 */
function menuNames(page, type) {
	return page.commands.filter((command) => String(command.type) === type).map(({ name }) => name);
}

/**
 * @param {readonly string[]} names
 * @param {ContextRequest["target"]} target
 * @param {string} channelId
 * @returns {MenuItem[]}
 */
function menuItems(names, target, channelId) {
	return names.map((name) => ({ name, run: () => void useMenu(name, target, channelId) }));
}

/**
 * @param {string} command
 * @param {ContextRequest["target"]} target
 * @param {string} channelId
 */
async function useMenu(command, target, channelId) {
	const key = newKey();
	drawers.close();
	/** @type {Invocation} */
	const invocation = { key, channelId, command, options: [], interactionId: null, settled: false, isMenu: true };
	dispatch({ type: "invoked", invocation });
	try {
		const { interactionId } = await api.useMenu({ channelId, command, target });
		dispatch({ type: "accepted", key, interactionId });
	} catch (error) {
		dispatch({ type: "rejected", key });
		showToast(inWords(error));
	}
}

/** What could not be done, where nothing on the page is the place to say it. @param {string} text */
function showToast(text) {
	const toast = h("p.toast", { role: "alert" }, icon(ICONS.alert), text);
	document.body.append(toast);
	setTimeout(() => toast.remove(), TOAST_MS);
}

/** @param {unknown} error */
function inWords(error) {
	return error instanceof Error ? error.message : String(error);
}

function newKey() {
	return `sent-${crypto.randomUUID?.() ?? performance.now()}`;
}

/** @param {string} channelId */
function selectChannel(channelId) {
	writeAddress({ channel: channelId }, "replace");
	drawers.close();
	dispatch({ type: "channel", channelId });
}

/** The drawer stays: on a narrow page people choose a server first, and then a channel. @param {string} serverId */
function openServer(serverId) {
	const { page, channelId } = state;
	if (!page || page.guild.id === serverId) return;
	if (channelId !== null) lastChannels.set(page.guild.id, channelId);
	writeAddress({ server: serverId, channel: lastChannels.get(serverId) ?? null }, "push");
	connect();
}

/** @param {string} userId */
function becomeUser(userId) {
	writeAddress({ user: userId }, "push");
	dispatch({ type: "reset" });
	connect();
}

/** @param {boolean} isThere */
async function setBot(isThere) {
	try {
		await api.setBot(isThere);
	} catch (error) {
		showToast(inWords(error));
	}
}

/** @param {"user" | "server" | "channel"} name */
function fromAddress(name) {
	return new URLSearchParams(location.search).get(name);
}

/**
 * @param {Record<string, string | null>} values
 * @param {"push" | "replace"} how
 */
function writeAddress(values, how) {
	const url = new URL(location.href);
	for (const [name, value] of Object.entries(values)) {
		if (value === null) url.searchParams.delete(name);
		else url.searchParams.set(name, value);
	}
	if (how === "push") history.pushState(null, "", url);
	else history.replaceState(null, "", url);
}

/** @param {string} text */
function announce(text) {
	if (text === "") return;
	live.append(h("p", null, text));
	while (live.childElementCount > 5) live.firstElementChild?.remove();
}

/**
 * Draws a part again only when what it shows has changed, so that focus stays where it is.
 *
 * @param {HTMLElement} element
 * @param {unknown} shown
 * @param {() => readonly Node[]} view
 */
function redraw(element, shown, view) {
	const signature = JSON.stringify(shown);
	if (signatures.get(element) === signature) return;
	signatures.set(element, signature);
	element.replaceChildren(...view());
}

/**
 * @param {string} id
 * @param {string} text
 */
function setText(id, text) {
	const element = slot(id);
	if (element.textContent !== text) element.textContent = text;
}

/** A place in index.html. @param {string} id */
function slot(id) {
	const element = document.getElementById(id);
	if (!element) throw new Error(`index.html has no #${id}`);
	return element;
}
