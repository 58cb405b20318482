/** Fields of forms, and what was submitted in them. Pure. */
import {
	ComponentType,
	SelectMenuDefaultValueType,
	TextInputStyle,
	type APIComponentInLabel,
	type APILabelComponent,
	type APITextInputComponent,
	type ModalSubmitFields,
} from "discord.js";
import type { MessageDescriptor } from "../../i18n/message-descriptor.ts";
import { t } from "../../i18n/messages.ts";
import type { SubmittedValues } from "../../services/settings/denied-forms.ts";

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
