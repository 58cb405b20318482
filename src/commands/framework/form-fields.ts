/** Fields of forms, with stored values, and the values that were submitted. Pure. */
import {
	ComponentType,
	SelectMenuDefaultValueType,
	TextInputStyle,
	type APIChannelSelectComponent,
	type APIComponentInLabel,
	type APILabelComponent,
	type APIRoleSelectComponent,
	type APITextInputComponent,
	type ModalSubmitFields,
} from "discord.js";
import type { MessageDescriptor } from "../../i18n/message-descriptor.ts";
import { t } from "../../i18n/messages.ts";
import type { SubmittedValues } from "../../services/settings/denied-forms.ts";
import { POST_CHANNEL_TYPES, type COMMAND_CHANNEL_TYPES } from "../../discord/channel-types.ts";
import { CHOICES_MAX } from "../../discord/card.ts";

/** Texts by the custom id of their field. */
type TypedTexts = Readonly<Record<string, string>>;

export function labelFor(locale: string) {
	return (name: MessageDescriptor, component: APIComponentInLabel, hint?: MessageDescriptor): APILabelComponent => ({
		type: ComponentType.Label,
		label: t(locale, name),
		...(hint && { description: t(locale, hint) }),
		component,
	});
}

/** Discord's maximum for a text input. */
export const INPUT_CHARS_MAX = 4000;

/** Builds the field for the prompt of a generation, which must not stay empty. */
export function promptField(locale: string, value = ""): APILabelComponent {
	const input = textInput("prompt", value, INPUT_CHARS_MAX, { style: TextInputStyle.Paragraph, required: true });
	return labelFor(locale)({ key: "form.prompt" }, input);
}

/** Builds a text input, by default of one line, which may stay empty. */
export function textInput(
	customId: string,
	value: string,
	charsMax: number,
	fields: Pick<APITextInputComponent, "style" | "min_length" | "required"> = { style: TextInputStyle.Short },
): APITextInputComponent {
	return {
		type: ComponentType.TextInput,
		custom_id: customId,
		max_length: charsMax,
		required: false,
		...(value !== "" && { value }),
		...fields,
	};
}

interface Choice {
	readonly value: string;
	readonly label: string;
}

export function choiceOfOne(customId: string, choices: readonly Choice[], chosen: string): APIComponentInLabel {
	return { ...menu(customId, choices, [chosen]), min_values: 1, max_values: 1, required: true };
}

export function choiceOfMany(
	customId: string,
	choices: readonly Choice[],
	chosen: readonly string[],
): APIComponentInLabel {
	const max_values = Math.min(choices.length, CHOICES_MAX);
	return { ...menu(customId, choices, chosen), min_values: 0, max_values, required: false };
}

function menu(customId: string, choices: readonly Choice[], chosen: readonly string[]) {
	return {
		type: ComponentType.StringSelect as const,
		custom_id: customId,
		options: choices.slice(0, CHOICES_MAX).map((each) => ({ ...each, default: chosen.includes(each.value) })),
	};
}

export function channelMenu(
	customId: string,
	ids: readonly string[],
	types: typeof COMMAND_CHANNEL_TYPES | typeof POST_CHANNEL_TYPES,
	max = CHOICES_MAX,
): APIChannelSelectComponent {
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

export function roleMenu(customId: string, ids: readonly string[]): APIRoleSelectComponent {
	return {
		type: ComponentType.RoleSelect,
		custom_id: customId,
		min_values: 0,
		max_values: CHOICES_MAX,
		required: false,
		default_values: ids.slice(0, CHOICES_MAX).map((id) => ({ id, type: SelectMenuDefaultValueType.Role })),
	};
}

export function idListOf(id: string | null): readonly string[] {
	return id === null ? [] : [id];
}

/** Returns the fields with the values of an earlier submission, where it had any. */
export function withValues(labels: readonly APILabelComponent[], submitted: SubmittedValues): APILabelComponent[] {
	return labels.map((label) => {
		const values = submitted[label.component.custom_id];
		return values ? { ...label, component: withValue(label.component, values) } : label;
	});
}

function withValue(component: APIComponentInLabel, values: readonly string[]): APIComponentInLabel {
	const { Channel, Role } = SelectMenuDefaultValueType;
	if (component.type === ComponentType.TextInput) {
		const { value: _stored, ...input } = component;
		const [typed = ""] = values;
		return { ...input, ...(typed !== "" && { value: typed }) };
	}
	if (component.type === ComponentType.StringSelect)
		return {
			...component,
			options: component.options.map((each) => ({ ...each, default: values.includes(each.value) })),
		};
	if (component.type === ComponentType.ChannelSelect)
		return { ...component, default_values: values.map((id) => ({ id, type: Channel })) };
	if (component.type === ComponentType.RoleSelect)
		return { ...component, default_values: values.map((id) => ({ id, type: Role })) };
	return component;
}

/** Returns the texts and the chosen values of a form. */
export function submittedValues({ fields }: ModalSubmitFields): SubmittedValues {
	return Object.fromEntries(
		[...fields].flatMap(([customId, field]) => {
			if ("values" in field) return [[customId, field.values]];
			return "value" in field && typeof field.value === "string" ? [[customId, [field.value]]] : [];
		}),
	);
}

export function typedTexts({ fields }: ModalSubmitFields): TypedTexts {
	return Object.fromEntries(
		[...fields].flatMap(([customId, field]) =>
			"value" in field && typeof field.value === "string" ? [[customId, field.value]] : [],
		),
	);
}

export function chosenValues({ fields }: ModalSubmitFields, customId: string): readonly string[] {
	const field = fields.get(customId);
	return field && "values" in field ? field.values : [];
}

/** Builds the menu of a setting that names one channel for posts of the bot. */
export function postChannelMenu(channelId: string | null): APIChannelSelectComponent {
	return channelMenu("channel", idListOf(channelId), POST_CHANNEL_TYPES, 1);
}

/** Returns the channel that was chosen in `postChannelMenu`; `null` without one. */
export function chosenChannelId(fields: ModalSubmitFields): string | null {
	return chosenValues(fields, "channel")[0] ?? null;
}
