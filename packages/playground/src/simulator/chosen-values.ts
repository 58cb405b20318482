/** What a person chose in a menu, checked as Discord's client does: the bot hears only of what could be chosen. */
import { ComponentType } from "discord-api-types/v10";
import type { Control } from "./components.ts";
import { type Known, type Resolved, InvalidInputError } from "./option-values.ts";

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
type Menu = Control & { readonly type: (typeof MENU_TYPES)[number] };

/** Whether several things may be chosen in it: menus, groups of checkboxes, files. */
export function isMenu(control: Control): control is Menu {
	return MENU_TYPES.some((type) => type === control.type);
}

const numberOr = (value: unknown, other: number): number => (typeof value === "number" ? value : other);

/** The values as they go to the bot; notes in `resolved` what they stand for. */
export function chosenValues(
	menu: Menu,
	values: readonly string[],
	known: Known,
	resolved: Resolved,
	name = "This menu",
): readonly string[] {
	if (new Set(values).size < values.length) throw new InvalidInputError(`${name}: nothing can be chosen twice.`);
	const options = optionValues(menu);
	const least = numberOr(menu["min_values"], 1);
	const most = numberOr(menu["max_values"], menu.type === CheckboxGroup ? options.length : 1);
	if (values.length < least) throw new InvalidInputError(`${name}: choose at least ${least}.`);
	if (values.length > most) throw new InvalidInputError(`${name}: choose at most ${most}.`);
	for (const value of values) choose(menu, value, options, known, resolved, name);
	return values;
}

/** The values that the options of a menu, a radio group or a checkbox group stand for. */
export function optionValues(control: Control): readonly string[] {
	const options: unknown = control["options"];
	return Array.isArray(options) ? (options as { value: string }[]).map(({ value }) => value) : [];
}

function choose(
	menu: Menu,
	value: string,
	options: readonly string[],
	known: Known,
	resolved: Resolved,
	name: string,
): void {
	const note = (isKnown: (id: string) => boolean, list: string[], what: string): void => {
		if (!isKnown(value)) throw new InvalidInputError(`${name}: ${what}`);
		list.push(value);
	};
	switch (menu.type) {
		case UserSelect:
			return note(known.isUser, resolved.users, "there is no such person here.");
		case RoleSelect:
			return note(known.isRole, resolved.roles, "there is no such role here.");
		case MentionableSelect:
			return known.isUser(value)
				? note(known.isUser, resolved.users, "")
				: note(known.isRole, resolved.roles, "there is no such person and no such role here.");
		case ChannelSelect: {
			const types: unknown = menu["channel_types"];
			// Every channel of this server is one for text, whose type is 0.
			const fits = !Array.isArray(types) || types.length === 0 || types.includes(0);
			return note((id) => fits && known.isChannel(id), resolved.channels, "there is no such channel to choose.");
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
