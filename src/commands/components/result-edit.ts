/** Edits the prompt and options of a result in a modal, and generates again. */
import { ComponentType, TextInputStyle, type APILabelComponent, type ModalSubmitInteraction } from "discord.js";
import { taskCustomIds } from "../../discord/task-buttons.ts";
import { COUNT_OPTION, countOf, type Model, type OptionSchema, type OptionValue } from "@atelier/media-protocol/model";
import { modelOf } from "../../services/generation/model-catalog.ts";
import { choicesOf, type GenerationRequest } from "../../services/generation/request.ts";
import { editOf, regenerationOf } from "../../services/generation/derive-request.ts";
import type { MessageKey } from "../../i18n/message-descriptor.ts";
import { t } from "../../i18n/messages.ts";
import { quote } from "../../i18n/quote.ts";
import { UserError } from "../../services/user-error.ts";
import { defineButton, defineModal } from "../framework/component.ts";
import { INPUT_CHARS_MAX, labelFor, promptField, submittedValues, textInput } from "../framework/form-fields.ts";
import { viewerOf } from "../framework/invoking-member.ts";
import { startFromResult } from "./result-actions.ts";
import { CHOICE_CHARS_MAX, CHOICES_MAX } from "../../discord/card.ts";

/** Discord's maximum for a modal. */
const FIELDS_MAX = 5;
const TEXT_CHARS_SHOWN = 40;

/** The options in the modal: those that the model has, up to the limit of fields. */
const FIELD_LABEL_KEYS = {
	aspect_ratio: "form.aspectRatio",
	resolution: "option.resolution",
	duration: "option.duration",
	lyrics: "form.lyrics",
	instrumental: "option.instrumental",
	[COUNT_OPTION]: "option.count",
	seed: "form.seed",
} as const satisfies Readonly<Record<string, MessageKey>>;
type Field = keyof typeof FIELD_LABEL_KEYS;

export const openEditForm = defineButton(taskCustomIds.edit, async (interaction, { taskId }, services) => {
	const { request } = await services.resultAccess.requireVisible(viewerOf(interaction), taskId);
	// Throws before the form opens, rather than after the member has filled it in.
	regenerationOf(request, services.clock.nowMs());
	if (request.prompt.length > INPUT_CHARS_MAX) {
		throw new UserError({ key: "request.promptTooLong", params: { charsMax: INPUT_CHARS_MAX } });
	}
	const model = modelOf(services.catalog, request);
	const { locale } = interaction;
	const fields = fieldsOf(model).map(([field, schema]) => labelOf(field, schema, request, model, locale));
	await interaction.showModal({
		custom_id: taskCustomIds.edit.encode({ taskId }),
		title: t(locale, { key: "form.editTitle" }),
		components: [promptField(locale, request.prompt), ...fields],
	});
});

export const generateEdited = defineModal(taskCustomIds.edit, async (interaction, { taskId }, services) => {
	const task = await services.resultAccess.requireVisible(viewerOf(interaction), taskId);
	const { request } = task;
	const fields = fieldsOf(modelOf(services.catalog, request));
	const options = Object.fromEntries(fields.map(([field, schema]) => [field, valueOf(interaction, field, schema)]));
	const edit = { prompt: interaction.fields.getTextInputValue("prompt"), options };
	const input = editOf(request, edit, services.clock.nowMs());
	const spec = { mediaType: request.mediaType, model: request.model, input, style: null };
	await startFromResult(interaction, { task, action: "edit", spec }, services);
});

function fieldsOf(model: Model | undefined): readonly (readonly [Field, OptionSchema])[] {
	const fields = (Object.keys(FIELD_LABEL_KEYS) as Field[]).flatMap((field) => {
		const schema = model?.options[field];
		return schema ? [[field, schema] as const] : [];
	});
	// One field is the prompt.
	return fields.slice(0, FIELDS_MAX - 1);
}

function labelOf(
	field: Field,
	schema: OptionSchema,
	{ options }: GenerationRequest,
	model: Model | undefined,
	locale: string,
): APILabelComponent {
	const value = shownValueOf(field, options);
	const name = { key: FIELD_LABEL_KEYS[field] };
	const choices = choicesIn(field, schema, model, locale);
	if (choices) {
		const selectable = choices.map((choice) => ({ ...choice, default: choice.value === String(value) }));
		return labelFor(locale, name, {
			type: ComponentType.StringSelect,
			custom_id: field,
			required: false,
			options: selectable,
		});
	}
	const style = field === "lyrics" ? TextInputStyle.Paragraph : TextInputStyle.Short;
	const input = textInput(field, String(value ?? "").slice(0, INPUT_CHARS_MAX), INPUT_CHARS_MAX, { style });
	return labelFor(locale, name, input, field === "seed" ? { key: "form.seedHint" } : undefined);
}

/** The seed stays empty, for another result. */
function shownValueOf(field: Field, options: GenerationRequest["options"]) {
	if (field === "seed") return undefined;
	return field === COUNT_OPTION ? countOf(options) : options[field];
}

/** Returns the choices of a menu for the field; `undefined` if the field is a text input. */
function choicesIn(field: Field, schema: OptionSchema, model: Model | undefined, locale: string) {
	if (schema.type === "boolean") {
		return (["true", "false"] as const).map((value) => ({
			label: t(locale, { key: value === "true" ? "choice.yes" : "choice.no" }),
			value,
		}));
	}
	const choices = (model && choicesOf(model, field, schema)) ?? [];
	const isMenu = choices.length > 0 && choices.length <= CHOICES_MAX;
	if (!isMenu || choices.some((value) => value === "" || value.length > CHOICE_CHARS_MAX)) return undefined;
	return choices.map((value) => ({ label: value, value }));
}

/** Reads the value of a field; `null` if it is empty, for the model's default or a random seed. Throws a `UserError` for an invalid number. */
function valueOf({ fields, locale }: ModalSubmitInteraction, field: Field, schema: OptionSchema): OptionValue | null {
	const [text = ""] = (submittedValues(fields)[field] ?? []).map((value) => value.trim());
	if (text === "") return null;
	if (schema.type === "boolean") return text === "true";
	if (schema.type !== "integer" && schema.type !== "number") return text;
	// Digits of East Asian keyboards may be wide.
	const number = Number(text.normalize("NFKC"));
	if (Number.isSafeInteger(number)) return number;
	const params = { field: t(locale, { key: FIELD_LABEL_KEYS[field] }), typed: quote(text, TEXT_CHARS_SHOWN) };
	throw new UserError({ key: "request.notWholeNumber", params });
}
