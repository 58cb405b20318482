/**
 * What stands around the conversation: channels, members, and who one is.
 *
 * @import { PageChannel, PageMember, PagePerson, PageState } from "../page-contract.ts"
 * @import { MenuItem } from "./menu-view.js"
 * @import { ViewState } from "./state.js"
 */
import { avatarView } from "./avatar-view.js";
import { h, icon } from "./dom.js";
import { ICONS } from "./icons.js";
import { withMenu } from "./menu-view.js";
import { memberName, userName } from "./names.js";

/**
 * @param {ViewState & { page: PageState }} state
 * @param {(channelId: string) => void} onChannel
 */
export function channelsView(state, onChannel) {
	const direct = state.page.channels.filter(({ isDirect }) => isDirect === true);
	const shared = state.page.channels.filter(({ isDirect }) => isDirect !== true);
	return [
		channelList("Channels", shared, state, onChannel),
		direct.length > 0 && h("h2.side-label", null, "Direct messages"),
		direct.length > 0 && channelList("Direct messages", direct, state, onChannel),
	].filter((view) => view !== false);
}

/**
 * @param {string} label
 * @param {readonly PageChannel[]} channels
 * @param {ViewState} state
 * @param {(channelId: string) => void} onChannel
 */
function channelList(label, channels, { channelId, unread }, onChannel) {
	return h(
		"ul.channels",
		{ "aria-label": label },
		channels.map(({ id, name, isDirect, isAgeRestricted }) =>
			h(
				"li",
				null,
				h(
					"button.channel",
					{
						type: "button",
						"aria-current": id === channelId ? "page" : null,
						"data-unread": unread.has(id),
						onclick: () => onChannel(id),
					},
					icon(isDirect === true ? ICONS.at : ICONS.hash),
					h("span", null, name),
					isAgeRestricted === true && h("span.tag.quiet", { title: "Age-restricted" }, "18+"),
					unread.has(id) && h("span.sr-only", null, ", unread messages"),
				),
			),
		),
	);
}

/**
 * The person at the keyboard, and everybody they can be instead.
 *
 * @param {PageState} page
 * @param {(userId: string) => void} onUser
 */
export function meView(page, onUser) {
	const menu = h(
		"div.me-menu",
		{ id: "me-menu", popover: "auto", "aria-label": "Who are you?" },
		h("p.menu-label", null, "Write as"),
		page.people.map((person) => {
			const { user } = person;
			const mine = user.id === page.me.user.id;
			const member = page.members.find((each) => each.user.id === user.id);
			return h(
				"button.menu-row",
				{
					type: "button",
					"aria-pressed": String(mine),
					onclick: () => {
						menu.hidePopover();
						if (!mine) onUser(user.id);
					},
				},
				avatarView(user, userName(user)),
				h(
					"span.menu-name",
					null,
					member ? memberName(member) : userName(user),
					h("span.menu-about", null, member ? aboutOf(member, page) : elsewhere(person, page)),
				),
				mine && icon(ICONS.check),
			);
		}),
		h("p.menu-note", null, "Open this page twice to be two people at once."),
	);
	const name = memberName(page.me);
	return [
		menu,
		h(
			"button.me",
			{ type: "button", popovertarget: "me-menu", title: "Change who you are" },
			avatarView(page.me.user, name, { presence: "online" }),
			h("span.sr-only", null, "You are "),
			h("span.me-text", null, h("b", null, name), h("span", null, aboutOf(page.me, page))),
			icon(ICONS.chevron, "icon up"),
		),
	];
}

/**
 * Somebody who is not in the open server, in a line.
 *
 * @param {PagePerson} person
 * @param {PageState} page
 */
function elsewhere({ serverIds, locale }, page) {
	const names = page.servers.filter(({ id }) => serverIds.includes(id)).map(({ name }) => name);
	return [names.length === 0 ? "In another server" : names.join(", "), ...spoken(locale, page)].join(" · ");
}

/**
 * @param {PageState} page
 * @param {(userId: string) => readonly MenuItem[]} menuOf
 * @param {(isThere: boolean) => void} onBot
 */
export function membersView(page, menuOf, onBot) {
	const people = page.members.filter(({ user }) => user.bot !== true);
	const hasBot = hasBotHere(page);
	return [
		h("h2.side-label", null, `Applications — ${hasBot ? 1 : 0}`),
		hasBot
			? h("ul", { "aria-label": "Applications" }, botRow(page, menuOf, onBot))
			: h(
					"div.member-gone",
					null,
					h("p.member-note", null, `${userName(page.bot.user)} is not in this server.`),
					page.mayManageBot &&
						h("button.bench-button", { type: "button", onclick: () => onBot(true) }, `Add ${userName(page.bot.user)}`),
				),
		h("h2.side-label", null, `Members — ${people.length}`),
		h(
			"ul",
			{ "aria-label": "Members" },
			people.map((member) => memberRow(member, page, menuOf)),
		),
	];
}

/** @param {PageState} page */
export function hasBotHere({ servers, guild }) {
	return servers.find(({ id }) => id === guild.id)?.hasBot !== false;
}

/**
 * @param {PageState} page
 * @param {(userId: string) => readonly MenuItem[]} menuOf
 * @param {(isThere: boolean) => void} onBot
 */
function botRow({ bot, mayManageBot }, menuOf, onBot) {
	const row = h(
		"li.member",
		{ "data-offline": !bot.online },
		avatarView(bot.user, userName(bot.user), { presence: bot.online ? "online" : "offline" }),
		h(
			"span.member-text",
			null,
			h("span.member-name", null, userName(bot.user), " ", h("span.tag", null, "Bot")),
			h("span.member-note", null, bot.online ? "Online" : "Offline"),
		),
	);
	const remove = { name: "Remove from this server", run: () => onBot(false) };
	withMenu(row, `Commands for ${userName(bot.user)}`, [...menuOf(bot.user.id), ...(mayManageBot ? [remove] : [])]);
	return row;
}

/**
 * Roles and language, in a line.
 *
 * @param {PageMember} member
 * @param {PageState} page
 */
function aboutOf({ isAdmin, roleIds, locale }, page) {
	const roles = page.roles.filter(({ id }) => roleIds.includes(id)).map(({ name }) => name);
	const named = [...(isAdmin ? ["Admin"] : []), ...roles.filter((name) => name !== "Admin")];
	const about = [...named, ...spoken(locale, page)];
	return about.length === 0 ? "Member" : about.join(" · ");
}

/**
 * What everybody here speaks is not worth a word.
 *
 * @param {string} locale
 * @param {PageState} page
 */
function spoken(locale, { guildLocale }) {
	return locale === guildLocale ? [] : [new Intl.DisplayNames(undefined, { type: "language" }).of(locale) ?? locale];
}

/**
 * @param {PageMember} member
 * @param {PageState} page
 * @param {(userId: string) => readonly MenuItem[]} menuOf
 */
function memberRow(member, page, menuOf) {
	const mine = member.user.id === page.me.user.id;
	const row = h(
		"li.member",
		null,
		avatarView(member.user, memberName(member), { presence: "online" }),
		h(
			"span.member-text",
			null,
			h(
				"span.member-name",
				null,
				memberName(member),
				mine && memberName(member) !== "You" && h("span.member-you", null, " (you)"),
			),
			h("span.member-note", null, aboutOf(member, page)),
		),
	);
	withMenu(row, `Commands for ${memberName(member)}`, menuOf(member.user.id));
	return row;
}
