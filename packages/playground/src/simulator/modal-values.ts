/** Validates the values of a modal against the modal that the bot opened, and converts them for the submit. */
import { ComponentType } from "discord-api-types/v10";
import type { ModalField } from "../page-contract.ts";
import { chosenValues, isMenu, optionValues } from "./chosen-values.ts";
import { type InteractiveComponent, interactiveComponents } from "./components.ts";
import { type Lookup, type Resolved, InvalidInputError } from "./option-values.ts";

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
