/** Rules for components and modals that Discord enforces beyond its schema. */
import { ButtonStyle, ComponentType } from "discord-api-types/v10";
import type { FieldError } from "../simulator/api-error.ts";
import { walkComponents } from "../simulator/components.ts";
import type { JsonObject, JsonPath } from "../json.ts";

const isFilled = (value: unknown): boolean => value !== undefined && value !== null && value !== "";

/** Returns the errors of every component, at any depth. */
export function componentErrors(components: readonly unknown[], parent: JsonPath): FieldError[] {
	return [...walkComponents(components, parent)].flatMap(({ component, path }) =>
		component["type"] === ComponentType.Button
			? buttonErrors(component, path)
			: [...rangeErrors(component, path), ...optionErrors(component, path)],
	);
}

function buttonErrors(button: JsonObject, path: JsonPath): FieldError[] {
	const { Link, Premium } = ButtonStyle;
	const errorAt = (field: string, code: string, message: string): FieldError => ({
		path: [...path, field],
		code,
		message,
	});
	const style = button["style"];
	const requiredField = style === Link ? "url" : style === Premium ? "sku_id" : "custom_id";
	const errors: FieldError[] = [];
	if (!isFilled(button[requiredField]))
		errors.push(errorAt(requiredField, "BASE_TYPE_REQUIRED", "This field is required"));
	for (const other of ["url", "sku_id", "custom_id"]) {
		if (other !== requiredField && isFilled(button[other]))
			errors.push(errorAt(other, "BUTTON_COMPONENT_FIELD_INVALID", `A button of this style has no ${other}.`));
	}
	const isBlank = style !== Premium && !isFilled(button["label"]) && !isFilled(button["emoji"]);
	if (isBlank) errors.push(errorAt("label", "BUTTON_COMPONENT_INVALID_STYLE", "A button needs a label or an emoji."));
	return errors;
}

/** The minimum must not exceed the maximum. */
function rangeErrors(control: JsonObject, path: JsonPath): FieldError[] {
	return [
		["min_values", "max_values"],
		["min_length", "max_length"],
	].flatMap(([least = "", most = ""]) => {
		const [from, to] = [control[least], control[most] ?? (most === "max_values" ? 1 : undefined)];
		if (typeof from !== "number" || typeof to !== "number" || from <= to) return [];
		const isUnbounded = control["type"] === ComponentType.CheckboxGroup && !isFilled(control[most]);
		if (isUnbounded) return [];
		return [{ path: [...path, least], code: "NUMBER_TYPE_MAX", message: `${least} is more than ${most}.` }];
	});
}

function optionErrors(control: JsonObject, path: JsonPath): FieldError[] {
	const options = control["options"];
	if (!Array.isArray(options)) return [];
	const values = (options as JsonObject[]).map((option) => option["value"]);
	const duplicateErrors = values.flatMap((value, index) =>
		values.indexOf(value) === index
			? []
			: [
					{
						path: [...path, "options", index, "value"],
						code: "SELECT_COMPONENT_OPTION_VALUE_DUPLICATED",
						message: "The specified option value is already used",
					},
				],
	);
	const valuesMax = control["max_values"];
	if (typeof valuesMax !== "number" || valuesMax <= options.length) return duplicateErrors;
	const message = `max_values is more than the ${options.length} options.`;
	return [...duplicateErrors, { path: [...path, "max_values"], code: "NUMBER_TYPE_MAX", message }];
}

const COMPONENTS_MAX = 5;

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

	if (components.length > COMPONENTS_MAX)
		addError([], "BASE_TYPE_BAD_LENGTH", `Must be between 1 and ${COMPONENTS_MAX} in length.`);
	const seen = new Set<string>();
	for (const [index, { components: inRow, component }] of components.entries()) {
		if ((inRow?.length ?? 1) > 1)
			addError([index], "COMPONENT_LAYOUT_WIDTH_EXCEEDED", "A row of a modal has one field.");
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
