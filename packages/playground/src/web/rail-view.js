/**
 * The servers, one below the other: which is open, and where there is news.
 *
 * @import { PageServer, PageState } from "../page-contract.ts"
 */
import { h } from "./dom.js";
import { hueOf, initials, userName } from "./names.js";

/**
 * @param {PageState} page
 * @param {ReadonlySet<string>} unread
 * @param {(serverId: string) => void} onServer
 */
export function railView(page, unread, onServer) {
	const list = h(
		"ul.servers",
		{ "aria-label": "Servers" },
		page.servers.map((server) => h("li", null, serverButton(server, page, unread, onServer))),
	);
	list.addEventListener("keydown", (event) => {
		const buttons = [...list.querySelectorAll("button")];
		const now = buttons.findIndex((button) => button === document.activeElement);
		const next = { ArrowDown: now + 1, ArrowUp: now - 1, Home: 0, End: buttons.length - 1 }[event.key];
		if (next === undefined) return;
		event.preventDefault();
		buttons.at(next % buttons.length)?.focus();
	});
	const more = page.serversUnshown.toLocaleString();
	return page.serversUnshown === 0
		? [list]
		: [
				list,
				h("p.servers-more", { title: `${more} servers more` }, h("span.sr-only", null, "Servers more: "), `+${more}`),
			];
}

/**
 * @param {PageServer} server
 * @param {PageState} page
 * @param {ReadonlySet<string>} unread
 * @param {(serverId: string) => void} onServer
 */
function serverButton({ id, name, channelIds, hasBot }, page, unread, onServer) {
	const isOpen = id === page.guild.id;
	const isNew = !isOpen && channelIds.some((channelId) => unread.has(channelId));
	const label = [name, isNew && "unread messages", !hasBot && `without ${userName(page.bot.user)}`];
	return h(
		"button.server",
		{
			type: "button",
			"aria-current": isOpen ? "page" : null,
			"data-unread": isNew,
			"data-without-bot": !hasBot,
			title: name,
			style: { "--hue": String(hueOf(id)) },
			onclick: () => onServer(id),
		},
		h("span", { "aria-hidden": "true" }, initials(name)),
		h("span.sr-only", null, label.filter((words) => words !== false).join(", ")),
	);
}
