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

/** The rules for the whole message: an edit may change its components without its flags, or the reverse. */
export function layoutErrors({
	components,
	flags,
	content,
	embeds,
	poll,
}: Pick<StoredMessage, "components" | "flags" | "content" | "embeds" | "poll">): FieldError[] {
	const all = Array.from(walkComponents(components), ({ component }) => component);
	const errors = componentErrors(components, ["components"]);
	const addError = (code: string, message: string, field = "components"): void =>
		void errors.push({ path: [field], code, message });

	for (const [field, code, name] of [
		["custom_id", "COMPONENT_CUSTOM_ID_DUPLICATED", "custom id"],
		["id", "COMPONENT_ID_DUPLICATED", "id"],
	] as const) {
		const ids = all.map((component) => component[field]).filter((id) => id !== undefined);
		if (new Set(ids).size < ids.length) addError(code, `Component ${name} cannot be duplicated`);
	}
	if ((flags & MessageFlags.IsComponentsV2) === 0) {
		if (components.some(({ type }) => type !== ComponentType.ActionRow))
			addError("UNION_TYPE_CHOICES", "Without the flag IS_COMPONENTS_V2 only action rows can stand here.");
		if (components.length > ACTION_ROWS_MAX)
			addError("BASE_TYPE_MAX_LENGTH", `Must be ${ACTION_ROWS_MAX} or fewer in length.`);
		return errors;
	}
	if (all.length > COMPONENTS_MAX)
		addError("BASE_TYPE_MAX_LENGTH", `Must be ${COMPONENTS_MAX} or fewer components in total.`);
	const chars = textsOf(components).reduce((sum, text) => sum + text.length, 0);
	if (chars > TEXT_DISPLAY_CHARS_MAX)
		addError("BASE_TYPE_MAX_LENGTH", `Text displays may have ${TEXT_DISPLAY_CHARS_MAX} characters together.`);
	for (const [field, isUsed] of Object.entries({ content: content !== "", embeds: embeds.length > 0, poll })) {
		if (isUsed)
			addError(
				"MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2",
				`${field} cannot be used with components v2; an edit must empty it.`,
				field,
			);
	}
	return errors;
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
	readonly components: readonly ModalComponent[];
}

interface ModalComponent {
	readonly type: ComponentType;
	readonly components?: readonly Field[];
	readonly component?: Field;
}

interface Field {
	readonly type: ComponentType;
	readonly custom_id: string;
	readonly label?: string | null;
	readonly value?: string | null;
	readonly max_length?: number | null;
	readonly disabled?: boolean | null;
}

export function modalErrors({ components }: ModalBody): FieldError[] {
	const errors = componentErrors(components, ["components"]);
	const addError = (path: JsonPath, code: string, message: string): void =>
		void errors.push({ path: ["components", ...path], code, message });

	if (components.length > MODAL_COMPONENTS_MAX)
		addError([], "BASE_TYPE_BAD_LENGTH", `Must be between 1 and ${MODAL_COMPONENTS_MAX} in length.`);
	const seen = new Set<string>();
	for (const [index, { components: inRow, component }] of components.entries()) {
		const fields = [
			...(inRow ?? []).map((field, n) => ({ field, path: [index, "components", n], isLabelled: false })),
			...(component ? [{ field: component, path: [index, "component"], isLabelled: true }] : []),
		];
		for (const { field, path, isLabelled } of fields) {
			if (seen.has(field.custom_id))
				addError([...path, "custom_id"], "COMPONENT_CUSTOM_ID_DUPLICATED", "Component custom id cannot be duplicated");
			seen.add(field.custom_id);
			if (!isLabelled && !field.label) addError([...path, "label"], "BASE_TYPE_REQUIRED", "This field is required");
			if (isLabelled && field.label)
				addError([...path, "label"], "COMPONENT_LABEL_DUPLICATED", "The label that it stands in names this field.");
			if (field.disabled)
				addError([...path, "disabled"], "COMPONENT_DISABLED_IN_MODAL", "Nothing in a modal is disabled.");
			if (field.type === ComponentType.TextInput && (field.value ?? "").length > (field.max_length ?? Infinity))
				addError([...path, "value"], "BASE_TYPE_MAX_LENGTH", `Must be ${field.max_length} or fewer in length.`);
		}
	}
	return errors;
}
