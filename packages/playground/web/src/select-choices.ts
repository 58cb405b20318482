/** The choices of a menu: its own options, or the users, roles and channels of the open guild. */
import type { APISelectMenuComponent } from "discord-api-types/v10";
import { COMPONENT } from "./discord-constants.ts";
import { memberName, userName } from "./display-names.ts";
import type { Page } from "./state.ts";

export interface SelectChoice {
	readonly value: string;
	readonly label: string;
	readonly note?: string | undefined;
	readonly isDefault: boolean;
}

export function selectChoices(select: APISelectMenuComponent, page: Page): readonly SelectChoice[] {
	if ("options" in select)
		return select.options.map(({ value, label, description, default: isDefault = false }) => ({
			value,
			label,
			note: description,
			isDefault,
		}));
	const defaults = new Set((select.default_values ?? []).map(({ id }) => id));
	const choice = (value: string, label: string): SelectChoice => ({ value, label, isDefault: defaults.has(value) });
	const users = [
		...page.members.map((member) => choice(member.user.id, memberName(member))),
		choice(page.bot.user.id, userName(page.bot.user)),
	];
	const roles = page.roles.map(({ id, name }) => choice(id, `@${name}`));
	switch (select.type) {
		case COMPONENT.userSelect:
			return users;
		case COMPONENT.roleSelect:
			return roles;
		case COMPONENT.channelSelect:
			return page.channels.filter(({ isDirect }) => !isDirect).map(({ id, name }) => choice(id, `#${name}`));
		default:
			return [...users, ...roles];
	}
}
