/**
 * Validates the values of a select menu as Discord's client does: the bot receives only values that could be chosen.
 */
import { ComponentType } from "discord-api-types/v10";
import type { ModalField } from "../page-contract.ts";
import { type InteractiveComponent, interactiveComponents } from "./components.ts";
import { InvalidInputError, type Lookup, type Resolved } from "./option-values.ts";

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
function optionValues(control: InteractiveComponent): readonly string[] {
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

const TEXT_CHARS_MAX = 4_000;

interface Holder {
	readonly type: ComponentType;
	readonly id: number;
	readonly label?: string;
	readonly components?: readonly InteractiveComponent[];
	readonly component?: InteractiveComponent;
}

export function modalValues(
	components: readonly object[],
	fields: readonly ModalField[],
	known: Lookup,
): { components: object[]; resolved: Resolved } {
	const names = interactiveComponents(components).map(({ custom_id: customId }) => customId);
	for (const { customId } of fields) {
		if (!names.includes(customId)) throw new InvalidInputError(`Unknown form field: ${customId}.`);
		if (fields.filter((field) => field.customId === customId).length > 1)
			throw new InvalidInputError(`Duplicate form field: ${customId}.`);
	}
	const resolved: Resolved = { users: [], channels: [], roles: [], attachments: [] };
	const filled = (control: InteractiveComponent, label: string | undefined): object => {
		const { type, id, custom_id: customId } = control;
		const given = fields.find((field) => field.customId === customId) ?? { customId };
		const name = label ?? (typeof control["label"] === "string" ? control["label"] : customId);
		return { type, id, custom_id: customId, ...valueOf(control, given, name, known, resolved) };
	};
	const sent = (components as readonly Holder[]).map(({ type, id, label, components: inRow, component }) => ({
		type,
		id,
		...(inRow && { components: inRow.map((control) => filled(control, undefined)) }),
		...(component && { component: filled(component, label) }),
	}));
	return { components: sent, resolved };
}

function valueOf(
	control: InteractiveComponent,
	given: ModalField,
	name: string,
	known: Lookup,
	resolved: Resolved,
): object {
	// Fields are required by default.
	const isRequired = control["required"] !== false;
	if (isMenu(control)) {
		const values = given.values ?? [];
		if (values.length === 0 && !isRequired) return { values };
		if (values.length === 0 && control["min_values"] !== 0) throw new InvalidInputError(`${name} is required.`);
		return { values: chosenValues(control, values, known, resolved, name) };
	}
	if (control.type === ComponentType.Checkbox) return { value: given.value === true };
	const text = given.value === undefined ? "" : String(given.value);
	if (control.type === ComponentType.RadioGroup) {
		if (text === "" && isRequired) throw new InvalidInputError(`${name} is required.`);
		if (text !== "" && !optionValues(control).includes(text))
			throw new InvalidInputError(`${name}: ${text} cannot be chosen.`);
		return { value: text === "" ? null : text };
	}
	return { value: textOf(control, text, name, isRequired) };
}

function textOf(control: InteractiveComponent, text: string, name: string, isRequired: boolean): string {
	if (text.trim() === "" && isRequired) throw new InvalidInputError(`${name} is required.`);
	if (text === "") return text;
	const least = typeof control["min_length"] === "number" ? control["min_length"] : 0;
	const most = typeof control["max_length"] === "number" ? control["max_length"] : TEXT_CHARS_MAX;
	// Counts code points, not UTF-16 units: an emoji is one character.
	const chars = Array.from(text).length;
	if (chars < least) throw new InvalidInputError(`${name} must have at least ${least} characters.`);
	if (chars > most) throw new InvalidInputError(`${name} may have at most ${most} characters; this has ${chars}.`);
	return text;
}
