/**
 * Validates the values of a select menu as Discord's client does: the bot receives only values that could be chosen.
 */
import { ComponentType } from "discord-api-types/v10";
import type { InteractiveComponent } from "./components.ts";
import { type Lookup, type Resolved, InvalidInputError } from "./option-values.ts";

const { StringSelect, UserSelect, RoleSelect, MentionableSelect, ChannelSelect, CheckboxGroup, FileUpload } =
	ComponentType;
const MENU_TYPES = [
	StringSelect,
	UserSelect,
	RoleSelect,
	MentionableSelect,
	ChannelSelect,
	CheckboxGroup,
	FileUpload,
] as const;
type Menu = InteractiveComponent & { readonly type: (typeof MENU_TYPES)[number] };

/** Returns whether several values may be chosen: menus, checkbox groups, files. */
export function isMenu(control: InteractiveComponent): control is Menu {
	return MENU_TYPES.some((type) => type === control.type);
}

const numberOr = (value: unknown, other: number): number => (typeof value === "number" ? value : other);

/** Returns the values for the bot, and adds the objects that they refer to to `resolved`. */
export function chosenValues(
	menu: Menu,
	values: readonly string[],
	known: Lookup,
	resolved: Resolved,
	name = "This menu",
): readonly string[] {
	if (new Set(values).size < values.length) throw new InvalidInputError(`${name}: each value can be chosen only once.`);
	const options = optionValues(menu);
	const least = numberOr(menu["min_values"], 1);
	const most = numberOr(menu["max_values"], menu.type === CheckboxGroup ? options.length : 1);
	if (values.length < least) throw new InvalidInputError(`${name}: choose at least ${least}.`);
	if (values.length > most) throw new InvalidInputError(`${name}: choose at most ${most}.`);
	for (const value of values) choose(menu, value, options, known, resolved, name);
	return values;
}

/** Returns the values of the options of a menu, radio group or checkbox group. */
export function optionValues(control: InteractiveComponent): readonly string[] {
	const options: unknown = control["options"];
	return Array.isArray(options) ? (options as { value: string }[]).map(({ value }) => value) : [];
}

function choose(
	menu: Menu,
	value: string,
	options: readonly string[],
	known: Lookup,
	resolved: Resolved,
	name: string,
): void {
	const note = (isKnown: (id: string) => boolean, list: string[], what: string): void => {
		if (!isKnown(value)) throw new InvalidInputError(`${name}: ${what}`);
		list.push(value);
	};
	switch (menu.type) {
		case UserSelect:
			return note(known.isUser, resolved.users, "unknown user.");
		case RoleSelect:
			return note(known.isRole, resolved.roles, "there is no such role here.");
		case MentionableSelect:
			return known.isUser(value)
				? note(known.isUser, resolved.users, "")
				: note(known.isRole, resolved.roles, "unknown user or role.");
		case ChannelSelect: {
			const types: unknown = menu["channel_types"];
			// Every channel of this guild is a text channel (type 0).
			const fits = !Array.isArray(types) || types.length === 0 || types.includes(0);
			return note((id) => fits && known.isChannel(id), resolved.channels, "unknown channel.");
		}
		case FileUpload: {
			const attachment = known.attachment(value);
			if (!attachment) throw new InvalidInputError(`${name} takes files that you uploaded.`);
			resolved.attachments.push(attachment);
			return;
		}
		case StringSelect:
		case CheckboxGroup:
			if (!options.includes(value)) throw new InvalidInputError(`${name}: ${value} cannot be chosen.`);
	}
}
