/**
 * Validates the values of select menus and modals as Discord's client does: the bot receives only values that could be
 * chosen.
 */
import { type ChannelType, ComponentType } from "discord-api-types/v10";
import type { FieldInput } from "../page/page-contract.ts";
import { type InteractiveComponent, interactiveComponents, optionsOf } from "../simulator/components.ts";
import type { IdResolver } from "./id-resolver.ts";
import { checkLength, InvalidInputError } from "./invalid-input.ts";

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
export function isMenu(component: InteractiveComponent): component is Menu {
	return MENU_TYPES.some((type) => type === component.type);
}

const numberOr = (value: unknown, other: number): number => (typeof value === "number" ? value : other);

/** Validates the values of a menu, and resolves the ids among them. */
export function menuValues(
	menu: Menu,
	values: readonly string[],
	resolver: IdResolver,
	name = "This menu",
): readonly string[] {
	if (new Set(values).size < values.length) throw new InvalidInputError(`${name}: each value can be chosen only once.`);
	const options = optionValuesOf(menu);
	const min = numberOr(menu["min_values"], 1);
	const max = numberOr(menu["max_values"], menu.type === CheckboxGroup ? options.length : 1);
	if (values.length < min) throw new InvalidInputError(`${name}: choose at least ${min}.`);
	if (values.length > max) throw new InvalidInputError(`${name}: choose at most ${max}.`);
	for (const value of values) {
		const problem = valueProblem(menu, value, options, resolver);
		if (problem !== undefined) throw new InvalidInputError(`${name}: ${problem}`);
	}
	return values;
}

function optionValuesOf(component: InteractiveComponent): readonly string[] {
	return optionsOf(component).map(({ value }) => value);
}

function valueProblem(menu: Menu, value: string, options: readonly string[], resolver: IdResolver): string | undefined {
	switch (menu.type) {
		case UserSelect:
			return resolver.member(value) ? undefined : "unknown user.";
		case RoleSelect:
			return resolver.role(value) ? undefined : "there is no such role here.";
		case MentionableSelect:
			return resolver.member(value) || resolver.role(value) ? undefined : "unknown user or role.";
		case ChannelSelect:
			return resolver.channel(value, menu["channel_types"] as ChannelType[] | undefined)
				? undefined
				: "unknown channel.";
		case FileUpload:
			return resolver.attachment(value) ? undefined : "choose files that you uploaded.";
		case StringSelect:
		case CheckboxGroup:
			return options.includes(value) ? undefined : `${value} cannot be chosen.`;
	}
}

interface Layout {
	readonly type: ComponentType;
	readonly id: number;
	readonly label?: string;
	readonly components?: readonly InteractiveComponent[];
	readonly component?: InteractiveComponent;
}

/** Validates the fields of a submitted modal, and returns its components with the values. */
export function modalValues(
	components: readonly object[],
	fields: readonly FieldInput[],
	resolver: IdResolver,
): readonly object[] {
	const ids = interactiveComponents(components).map(({ custom_id: customId }) => customId);
	for (const { customId } of fields) {
		if (!ids.includes(customId)) throw new InvalidInputError(`Unknown form field: ${customId}.`);
		if (fields.filter((field) => field.customId === customId).length > 1)
			throw new InvalidInputError(`Duplicate form field: ${customId}.`);
	}
	const submitted = (component: InteractiveComponent, label?: string): object => {
		const { type, id, custom_id: customId } = component;
		const field = fields.find((each) => each.customId === customId) ?? { customId };
		const name = label ?? (typeof component["label"] === "string" ? component["label"] : customId);
		return { type, id, custom_id: customId, ...fieldValue(component, field, name, resolver) };
	};
	return (components as readonly Layout[]).map(({ type, id, label, components: row, component }) => ({
		type,
		id,
		...(row && { components: row.map((each) => submitted(each)) }),
		...(component && { component: submitted(component, label) }),
	}));
}

function fieldValue(component: InteractiveComponent, field: FieldInput, name: string, resolver: IdResolver): object {
	// Fields are required by default.
	const isRequired = component["required"] !== false;
	if (isMenu(component)) {
		const values = field.values ?? [];
		if (values.length === 0 && !isRequired) return { values };
		if (values.length === 0 && component["min_values"] !== 0) throw new InvalidInputError(`${name} is required.`);
		return { values: menuValues(component, values, resolver, name) };
	}
	if (component.type === ComponentType.Checkbox) return { value: field.value === true };
	const text = String(field.value ?? "");
	if (text.trim() === "" && isRequired) throw new InvalidInputError(`${name} is required.`);
	if (component.type === ComponentType.RadioGroup) {
		if (text !== "" && !optionValuesOf(component).includes(text))
			throw new InvalidInputError(`${name}: ${text} cannot be chosen.`);
		return { value: text === "" ? null : text };
	}
	const limits = { min_length: component["min_length"], max_length: component["max_length"] };
	if (text !== "") checkLength("field", name, text, limits);
	return { value: text };
}
