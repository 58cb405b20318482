/** Rules for components and modals that Discord enforces beyond its schema. */
import { ButtonStyle, ComponentType, MessageFlags } from "discord-api-types/v10";
import { type FieldError, REQUIRED, errorIf } from "../simulator/api-error.ts";
import { textsOf, walkComponents } from "../simulator/components.ts";
import type { StoredMessage } from "../simulator/documents.ts";
import { isUnicodeEmoji } from "../simulator/emojis.ts";
import { isJsonObject, type JsonObject, type JsonPath } from "../json.ts";

const isFilled = (value: unknown): boolean => value !== undefined && value !== null && value !== "";

const COMPONENTS_MAX = 40;
const TEXT_DISPLAY_CHARS_MAX = 4_000;
const ACTION_ROWS_MAX = 5;
const DUPLICATED_CUSTOM_ID = ["COMPONENT_CUSTOM_ID_DUPLICATED", "Component custom id cannot be duplicated"] as const;

/** The rules for the whole message: an edit may change its components without its flags, or the reverse. */
export function layoutErrors({
	components,
	flags,
	content,
	embeds,
	poll,
}: Pick<StoredMessage, "components" | "flags" | "content" | "embeds" | "poll">): FieldError[] {
	const all = Array.from(walkComponents(components), ({ component }) => component);
	const path = ["components"];
	const errors = [
		...componentErrors(components, path),
		...errorIf(hasDuplicates(all, "custom_id"), path, ...DUPLICATED_CUSTOM_ID),
		...errorIf(hasDuplicates(all, "id"), path, "COMPONENT_ID_DUPLICATED", "Component id cannot be duplicated"),
	];
	if ((flags & MessageFlags.IsComponentsV2) === 0) {
		const hasOther = components.some(({ type }) => type !== ComponentType.ActionRow);
		const onlyRows = "Without the flag IS_COMPONENTS_V2 only action rows can stand here.";
		const fewer = `Must be ${ACTION_ROWS_MAX} or fewer in length.`;
		return [
			...errors,
			...errorIf(hasOther, path, "UNION_TYPE_CHOICES", onlyRows),
			...errorIf(components.length > ACTION_ROWS_MAX, path, "BASE_TYPE_MAX_LENGTH", fewer),
		];
	}
	const chars = textsOf(components).reduce((sum, text) => sum + text.length, 0);
	const fewer = `Must be ${COMPONENTS_MAX} or fewer components in total.`;
	const shorter = `Text displays may have ${TEXT_DISPLAY_CHARS_MAX} characters together.`;
	const legacyFields = { content: content !== "", embeds: embeds.length > 0, poll: Boolean(poll) };
	return [
		...errors,
		...errorIf(all.length > COMPONENTS_MAX, path, "BASE_TYPE_MAX_LENGTH", fewer),
		...errorIf(chars > TEXT_DISPLAY_CHARS_MAX, path, "BASE_TYPE_MAX_LENGTH", shorter),
		...Object.entries(legacyFields).flatMap(([field, isUsed]) => {
			const message = `${field} cannot be used with components v2; an edit must empty it.`;
			return errorIf(isUsed, [field], "MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2", message);
		}),
	];
}

function hasDuplicates(components: readonly JsonObject[], field: string): boolean {
	const values = components.map((component) => component[field]).filter((value) => value !== undefined);
	return new Set(values).size < values.length;
}

/** Returns the errors of every component, at any depth. */
function componentErrors(components: readonly unknown[], parent: JsonPath): FieldError[] {
	return [...walkComponents(components, parent)].flatMap(({ component, path }) =>
		component["type"] === ComponentType.Button
			? [...buttonErrors(component, path), ...emojiErrors(component, path)]
			: [
					...rangeErrors(component, path),
					...defaultErrors(component, path),
					...optionErrors(component, path),
					...rowErrors(component, path),
					...fileErrors(component, path),
				],
	);
}

/** A row has up to five buttons, or one other component. */
function rowErrors({ type, components }: JsonObject, path: JsonPath): FieldError[] {
	const isTooWide =
		type === ComponentType.ActionRow &&
		Array.isArray(components) &&
		components.length > 1 &&
		!(components as JsonObject[]).every((child) => child["type"] === ComponentType.Button);
	const message = "The specified component exceeds the maximum width";
	return errorIf(isTooWide, path, "COMPONENT_LAYOUT_WIDTH_EXCEEDED", message);
}

function fileErrors({ type, file }: JsonObject, path: JsonPath): FieldError[] {
	const isElsewhere = type === ComponentType.File && !String((file as JsonObject)["url"]).startsWith("attachment://");
	const message = "A file component shows a file of its message: attachment://name.";
	return errorIf(isElsewhere, [...path, "file", "url"], "URL_TYPE_INVALID_SCHEME", message);
}

/** Without an id, the name of an emoji is the Unicode emoji itself. */
function emojiErrors({ emoji }: JsonObject, path: JsonPath): FieldError[] {
	const isUnknown = isJsonObject(emoji) && !isFilled(emoji["id"]) && !isUnicodeEmoji(String(emoji["name"]));
	return errorIf(isUnknown, [...path, "emoji", "name"], "COMPONENT_INVALID_EMOJI", "Invalid emoji");
}

function buttonErrors(button: JsonObject, path: JsonPath): FieldError[] {
	const { Link, Premium } = ButtonStyle;
	const style = button["style"];
	const requiredField = style === Link ? "url" : style === Premium ? "sku_id" : "custom_id";
	const otherFields = ["url", "sku_id", "custom_id"].filter((field) => field !== requiredField);
	const isShown = style === Premium || isFilled(button["label"]) || isFilled(button["emoji"]);
	return [
		...errorIf(!isFilled(button[requiredField]), [...path, requiredField], ...REQUIRED),
		...otherFields.flatMap((field) => {
			const message = `A button of this style has no ${field}.`;
			return errorIf(isFilled(button[field]), [...path, field], "BUTTON_COMPONENT_FIELD_INVALID", message);
		}),
		...errorIf(!isShown, [...path, "label"], "BUTTON_COMPONENT_INVALID_STYLE", "A button needs a label or an emoji."),
	];
}

/** The minimum must not exceed the maximum. */
export function rangeErrors(control: JsonObject, path: JsonPath): FieldError[] {
	return [
		["min_values", "max_values"],
		["min_length", "max_length"],
		["min_value", "max_value"],
	].flatMap(([least = "", most = ""]) => {
		const [from, to] = [control[least], control[most] ?? (most === "max_values" ? 1 : undefined)];
		const isUnbounded = control["type"] === ComponentType.CheckboxGroup && !isFilled(control[most]);
		const isEmpty = typeof from === "number" && typeof to === "number" && from > to && !isUnbounded;
		return errorIf(isEmpty, [...path, least], "NUMBER_TYPE_MAX", `${least} is more than ${most}.`);
	});
}

/** The defaults of a menu are a valid choice: none, or a number between `min_values` and `max_values`. */
function defaultErrors(control: JsonObject, path: JsonPath): FieldError[] {
	const field = Array.isArray(control["default_values"]) ? "default_values" : "options";
	const listed = Array.isArray(control[field]) ? (control[field] as JsonObject[]) : [];
	const count = listed.filter((each) => field === "default_values" || each["default"] === true).length;
	const isMultiple = control["type"] === ComponentType.CheckboxGroup && !isFilled(control["max_values"]);
	const [least, most] = [Number(control["min_values"] ?? 1), isMultiple ? count : Number(control["max_values"] ?? 1)];
	const isOutside = count > 0 && (count < least || count > most);
	return errorIf(
		isOutside,
		[...path, field],
		"BASE_TYPE_BAD_LENGTH",
		`${count} defaults, but ${least} to ${most} values.`,
	);
}

function optionErrors(control: JsonObject, path: JsonPath): FieldError[] {
	const options = control["options"];
	if (!Array.isArray(options)) return [];
	const values = (options as JsonObject[]).map((option) => option["value"]);
	const valuesMax = control["max_values"];
	return [
		...(options as JsonObject[]).flatMap((option, index) => emojiErrors(option, [...path, "options", index])),
		...values.flatMap((value, index) =>
			errorIf(
				values.indexOf(value) < index,
				[...path, "options", index, "value"],
				"SELECT_COMPONENT_OPTION_VALUE_DUPLICATED",
				"The specified option value is already used",
			),
		),
		...errorIf(
			typeof valuesMax === "number" && valuesMax > options.length,
			[...path, "max_values"],
			"NUMBER_TYPE_MAX",
			`max_values is more than the ${options.length} options.`,
		),
	];
}

const MODAL_COMPONENTS_MAX = 5;

export interface ModalBody {
	readonly custom_id: string;
	readonly title: string;
	readonly components: readonly object[];
}

export function modalErrors({ components }: ModalBody): FieldError[] {
	const path = ["components"];
	const fields = [...walkComponents(components, path)].filter(({ component }) => isFilled(component["custom_id"]));
	const ids = fields.map(({ component }) => component["custom_id"]);
	const message = `Must be between 1 and ${MODAL_COMPONENTS_MAX} in length.`;
	return [
		...componentErrors(components, path),
		...errorIf(components.length > MODAL_COMPONENTS_MAX, path, "BASE_TYPE_BAD_LENGTH", message),
		...fields.flatMap(({ component, path: place }, index) => [
			...errorIf(ids.indexOf(ids[index]) < index, [...place, "custom_id"], ...DUPLICATED_CUSTOM_ID),
			...modalFieldErrors(component, place),
		]),
	];
}

/** The label around a field names it; a field in a row names itself. */
function modalFieldErrors(field: JsonObject, path: JsonPath): FieldError[] {
	const isLabelled = path.at(-1) === "component";
	const hasLabel = isFilled(field["label"]);
	const { type, value, max_length: charsMax } = field;
	const text = type === ComponentType.TextInput && typeof value === "string" ? value : "";
	const isTooLong = typeof charsMax === "number" && text.length > charsMax;
	const labelled = "The label that it stands in names this field.";
	return [
		...errorIf(!isLabelled && !hasLabel, [...path, "label"], ...REQUIRED),
		...errorIf(isLabelled && hasLabel, [...path, "label"], "COMPONENT_LABEL_DUPLICATED", labelled),
		...errorIf(
			field["disabled"] === true,
			[...path, "disabled"],
			"COMPONENT_DISABLED_IN_MODAL",
			"Nothing in a modal is disabled.",
		),
		...errorIf(
			isTooLong,
			[...path, "value"],
			"BASE_TYPE_MAX_LENGTH",
			`Must be ${String(charsMax)} or fewer in length.`,
		),
	];
}
