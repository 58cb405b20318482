/** Fields of forms by the kind of their value: the component with the stored value, and the value that was submitted. No I/O. */
import {
	ComponentType,
	SelectMenuDefaultValueType,
	type APIComponentInLabel,
	type ModalSubmitFields,
} from "discord.js";
import { CHOICE_CHARS_MAX, CHOICES_MAX } from "../../discord/card.ts";
import { COMMAND_CHANNEL_TYPES, POST_CHANNEL_TYPES } from "../../discord/channel-types.ts";
import type { MessageDescriptor } from "../../i18n/message-descriptor.ts";
import { t } from "../../i18n/messages.ts";
import { LIMIT_CREDITS_MAX } from "@atelier/dashboard/limits";
import { parseWholeNumber } from "@atelier/dashboard/parse-typed";
import { UserError } from "../../services/user-error.ts";
import { submittedValues, textInput } from "../framework/form-fields.ts";

export interface FormField<Stored, Submitted = Stored> {
	readonly name: MessageDescriptor;
	readonly hint?: MessageDescriptor | undefined;
	/**
	 * Returns a stored value as a form submits it. Written as a method, because TypeScript checks method parameters bivariantly: a
	 * field of any value is assignable to `FormField<unknown>`.
	 */
	format(value: Stored): readonly string[];
	readonly component: (customId: string, values: readonly string[], locale: string) => APIComponentInLabel;
	/** Throws a `UserError` for an invalid value. */
	readonly read: (fields: ModalSubmitFields, customId: string) => Submitted;
}

/** The longest number, with separators. */
const NUMBER_CHARS_MAX = 15;

/** A number that may be missing: the field is then empty. */
export function numberField(
	name: MessageDescriptor,
	max: number,
	hint?: MessageDescriptor,
): FormField<number | null | undefined, number | null> {
	return {
		name,
		hint,
		format: (value) => [String(value ?? "")],
		component: (customId, [typed = ""]) => textInput(customId, typed, NUMBER_CHARS_MAX),
		read: (fields, customId) => requireWholeNumber(name, textOf(fields, customId), max),
	};
}

/** A number of credits. An empty field means no limit. */
export function creditsField(name: MessageDescriptor, hint: MessageDescriptor) {
	return numberField(name, LIMIT_CREDITS_MAX, hint);
}

/** Returns `null` for an empty text. Throws a `UserError` for anything but a whole number up to `max`, with the name of the field. */
export function requireWholeNumber(field: MessageDescriptor, typed: string, max: number): number | null {
	const number = parseWholeNumber(typed, max);
	if (number !== undefined) return number;
	throw new UserError({ key: "settings.notNumber", params: { field, max } });
}

export function textField(name: MessageDescriptor, charsMax: number, hint: MessageDescriptor): FormField<string> {
	return {
		name,
		hint,
		format: (value) => [value],
		component: (customId, [typed = ""]) => textInput(customId, typed, charsMax),
		read: textOf,
	};
}

export interface MenuChoice<Value extends string = string> {
	readonly value: Value;
	/** A text that is not translated, or a message. A menu cuts it to its length. */
	readonly label: string | MessageDescriptor;
}

/** One of several choices, at most `CHOICES_MAX`. */
export function choiceField<Value extends string>(
	name: MessageDescriptor,
	choices: readonly MenuChoice<Value>[],
): FormField<string, Value> {
	return {
		name,
		format: (value) => [value],
		component: (customId, values, locale) => ({
			...menu(customId, choices, values, locale),
			min_values: 1,
			max_values: 1,
			required: true,
		}),
		read(fields, customId) {
			const chosen = choices.find(({ value }) => chosenValues(fields, customId).includes(value));
			// The choice has gone since the form was shown.
			if (!chosen) throw new UserError({ key: "settings.changedMeanwhile" });
			return chosen.value;
		},
	};
}

/** Stands for no choice in a menu, which has no empty value. No name of a style and no code of a language begins with it. */
const NO_CHOICE = "-";

/** One of several choices, or none: a choice of its own with the label `none`. */
export function optionalChoiceField<Value extends string>(
	name: MessageDescriptor,
	none: MessageDescriptor,
	choices: readonly MenuChoice<Value>[],
): FormField<string | null, Value | null> {
	const field = choiceField<Value | typeof NO_CHOICE>(name, [{ value: NO_CHOICE, label: none }, ...choices]);
	return {
		...field,
		format: (value) => [value ?? NO_CHOICE],
		read(fields, customId) {
			const chosen = field.read(fields, customId);
			return chosen === NO_CHOICE ? null : chosen;
		},
	};
}

/** Any number of choices, which are `CHOICES_MAX` at most. */
export function choicesField<Value extends string>(
	name: MessageDescriptor,
	choices: readonly MenuChoice<Value>[],
	hint?: MessageDescriptor,
): FormField<readonly string[], readonly Value[]> {
	return {
		name,
		hint,
		format: (values) => values,
		component: (customId, values, locale) => ({
			...menu(customId, choices, values, locale),
			min_values: 0,
			max_values: choices.length,
			required: false,
		}),
		read: (fields, customId) =>
			choices.map(({ value }) => value).filter((value) => chosenValues(fields, customId).includes(value)),
	};
}

/** Any number of choices. The form shows those that are included, and the setting stores the others. */
export function excludedChoicesField<Value extends string>(
	name: MessageDescriptor,
	choices: readonly MenuChoice<Value>[],
): FormField<readonly string[], readonly Value[]> {
	const field = choicesField(name, choices);
	const except = (excluded: readonly string[]): Value[] =>
		choices.map(({ value }) => value).filter((value) => !excluded.includes(value));
	return {
		...field,
		format: except,
		read: (fields, customId) => except(field.read(fields, customId)),
	};
}

function menu(customId: string, choices: readonly MenuChoice[], chosen: readonly string[], locale: string) {
	return {
		type: ComponentType.StringSelect as const,
		custom_id: customId,
		options: choices.map(({ value, label }) => ({
			value,
			label: (typeof label === "string" ? label : t(locale, label)).slice(0, CHOICE_CHARS_MAX),
			default: chosen.includes(value),
		})),
	};
}

/** Channels where members use commands. The menu shows only the first `CHOICES_MAX` of the stored ones. */
export function channelsField(name: MessageDescriptor, hint?: MessageDescriptor): FormField<readonly string[]> {
	return {
		name,
		hint,
		format: (ids) => ids,
		component: (customId, ids) => channelMenu(customId, ids, COMMAND_CHANNEL_TYPES, CHOICES_MAX),
		read: chosenValues,
	};
}

/** A channel for posts of the bot; `null` without one. */
export function postChannelField(name: MessageDescriptor, hint?: MessageDescriptor): FormField<string | null> {
	return {
		name,
		hint,
		format: (id) => (id === null ? [] : [id]),
		component: (customId, ids) => channelMenu(customId, ids, POST_CHANNEL_TYPES, 1),
		read: (fields, customId) => chosenValues(fields, customId)[0] ?? null,
	};
}

/** Roles. The menu shows only the first `CHOICES_MAX` of the stored ones. */
export function rolesField(name: MessageDescriptor, hint?: MessageDescriptor): FormField<readonly string[]> {
	return {
		name,
		hint,
		format: (ids) => ids,
		component: (customId, ids) => ({
			type: ComponentType.RoleSelect,
			custom_id: customId,
			min_values: 0,
			max_values: CHOICES_MAX,
			required: false,
			default_values: ids.slice(0, CHOICES_MAX).map((id) => ({ id, type: SelectMenuDefaultValueType.Role })),
		}),
		read: chosenValues,
	};
}

function channelMenu(
	customId: string,
	ids: readonly string[],
	types: typeof COMMAND_CHANNEL_TYPES | typeof POST_CHANNEL_TYPES,
	max: number,
): APIComponentInLabel {
	return {
		type: ComponentType.ChannelSelect,
		custom_id: customId,
		channel_types: [...types],
		min_values: 0,
		max_values: max,
		required: false,
		default_values: ids.slice(0, max).map((id) => ({ id, type: SelectMenuDefaultValueType.Channel })),
	};
}

function textOf(fields: ModalSubmitFields, customId: string): string {
	return chosenValues(fields, customId)[0] ?? "";
}

/** Returns no values for a field that the form does not have: it may be one of an earlier version. */
function chosenValues(fields: ModalSubmitFields, customId: string): readonly string[] {
	return submittedValues(fields)[customId] ?? [];
}
