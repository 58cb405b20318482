/** Fields of forms, and what was submitted in them. No I/O. */
import {
	ComponentType,
	TextInputStyle,
	type APIComponentInLabel,
	type APILabelComponent,
	type APITextInputComponent,
	type ModalSubmitFields,
} from "discord.js";
import type { MessageDescriptor } from "../../i18n/message-descriptor.ts";
import { t } from "../../i18n/messages.ts";

/** The chosen values of menus and the texts of text fields, by the custom id of the field. */
export type SubmittedValues = Readonly<Record<string, readonly string[]>>;

export function labelFor(
	locale: string,
	name: MessageDescriptor,
	component: APIComponentInLabel,
	hint?: MessageDescriptor,
): APILabelComponent {
	return {
		type: ComponentType.Label,
		label: t(locale, name),
		...(hint && { description: t(locale, hint) }),
		component,
	};
}

/** Discord's maximum for a text input. */
export const INPUT_CHARS_MAX = 4000;

/** Builds the field for the prompt of a generation, which must not stay empty. */
export function promptField(locale: string, value = ""): APILabelComponent {
	const input = textInput("prompt", value, INPUT_CHARS_MAX, { style: TextInputStyle.Paragraph, required: true });
	return labelFor(locale, { key: "form.prompt" }, input);
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

/** Returns the texts and the chosen values of a form by the custom ids of its fields. */
export function submittedValues({ fields }: ModalSubmitFields): SubmittedValues {
	return Object.fromEntries(
		[...fields].flatMap(([customId, field]) => {
			if ("values" in field) return [[customId, field.values]];
			return "value" in field && typeof field.value === "string" ? [[customId, [field.value]]] : [];
		}),
	);
}

/** Returns the texts that the member typed, without empty ones. */
export function typedTexts({ fields }: ModalSubmitFields): readonly string[] {
	return [...fields.values()].flatMap((field) =>
		"value" in field && typeof field.value === "string" && field.value.trim() !== "" ? [field.value] : [],
	);
}
