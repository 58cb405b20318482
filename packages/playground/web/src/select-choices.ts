/** The choices of menus and options: the users, roles and channels of the open guild, or the menu's own options. */
import type { APISelectMenuComponent, ChannelType } from "discord-api-types/v10";
import { CHANNEL, COMPONENT } from "./discord-constants.ts";
import { memberName, userName } from "./display-names.ts";
import { emojiText } from "./emoji-text.ts";
import type { Snapshot, PageChannel } from "./contract.ts";

/** The users, roles and channels that a choice can name. */
export type Directory = Pick<Snapshot, "members" | "roles"> & {
	readonly channels: readonly Pick<PageChannel, "id" | "type" | "name">[];
	readonly bot?: Snapshot["bot"];
	/** All users of the playground, also those who are not in the guild. */
	readonly users?: readonly { readonly user: Snapshot["users"][number]["user"] }[];
};

interface Entity {
	readonly value: string;
	readonly name: string;
	readonly note?: string | undefined;
}

export interface SelectChoice extends Entity {
	readonly isDefault: boolean;
}

export function usersIn({ members, bot }: Directory): readonly Entity[] {
	return [
		...members.map((member) => ({ value: member.user.id, name: memberName(member), note: member.user.username })),
		...(bot ? [{ value: bot.user.id, name: userName(bot.user) }] : []),
	];
}

/** The users that an option accepts: a command may concern a user who has left, or was banned. */
export function allUsersIn(directory: Directory): readonly Entity[] {
	const inGuild = usersIn(directory);
	const known = new Set(inGuild.map(({ value }) => value));
	const others = (directory.users ?? []).filter(({ user }) => !known.has(user.id));
	return [
		...inGuild,
		...others.map(({ user }) => ({ value: user.id, name: userName(user), note: "not in this server" })),
	];
}

export function rolesIn({ roles }: Directory): readonly Entity[] {
	return roles.map(({ id, name }) => ({ value: id, name: `@${name}` }));
}

/** The channels and threads of these types; of any type without `types`. */
export function channelsIn({ channels }: Directory, types?: readonly ChannelType[] | null): readonly Entity[] {
	return channels
		.filter(({ type }) => type !== CHANNEL.direct && (!types?.length || types.includes(type)))
		.map(({ id, name }) => ({ value: id, name: `#${name}` }));
}

export function selectChoices(select: APISelectMenuComponent, directory: Directory): readonly SelectChoice[] {
	if ("options" in select)
		return select.options.map(({ value, label, emoji, description, default: isDefault = false }) => ({
			value,
			name: emoji ? `${emojiText(emoji)} ${label}` : label,
			note: description,
			isDefault,
		}));
	const defaults = new Set((select.default_values ?? []).map(({ id }) => id));
	return entitiesOf(select, directory).map((entity) => ({ ...entity, isDefault: defaults.has(entity.value) }));
}

function entitiesOf(
	select: Exclude<APISelectMenuComponent, { options: unknown }>,
	directory: Directory,
): readonly Entity[] {
	switch (select.type) {
		case COMPONENT.userSelect:
			return usersIn(directory);
		case COMPONENT.roleSelect:
			return rolesIn(directory);
		case COMPONENT.channelSelect:
			return channelsIn(directory, select.channel_types);
		default:
			return [...usersIn(directory), ...rolesIn(directory)];
	}
}
