/** The fields of a modal: their values, what is wrong with them, and how they are sent. */
import { lengthProblem, TEXT_CHARS_MAX } from "../../src/limits.ts";
import type { FieldInput, Snapshot, PageModal } from "./contract.ts";
import { COMPONENT, PARAGRAPH_STYLE } from "./discord-constants.ts";
import { type SelectChoice, selectChoices } from "./select-choices.ts";

/** A control of a modal, with the properties of all types: Discord's schema has checked them. */
interface ModalControl {
	readonly type: number;
	readonly custom_id: string;
	readonly label?: string;
	readonly style?: number;
	readonly value?: string;
	readonly placeholder?: string;
	readonly default?: boolean;
	readonly required?: boolean;
	readonly min_length?: number;
	readonly max_length?: number;
	readonly min_values?: number;
	readonly max_values?: number;
	readonly file_types?: readonly string[];
}

type Component =
	| { readonly type: 10; readonly content: string }
	| { readonly type: 18; readonly label: string; readonly description?: string; readonly component: ModalControl }
	| { readonly type: 1; readonly components: readonly ModalControl[] };

export type FieldValue = string | boolean | readonly string[] | readonly File[];

interface FieldBase {
	readonly customId: string;
	readonly label: string;
	readonly note: string | undefined;
	readonly isRequired: boolean;
	readonly placeholder: string | undefined;
	/** Characters of a text, or number of choices or files. */
	readonly min: number;
	readonly max: number;
}

export type Field = FieldBase &
	(
		| { readonly kind: "line" | "paragraph"; readonly initial: string }
		| { readonly kind: "checkbox"; readonly isInitiallyOn: boolean }
		| { readonly kind: "files"; readonly accept: string }
		| { readonly kind: "select" | "radio" | "checkboxes"; readonly choices: readonly SelectChoice[] }
	);

type ModalPart = { readonly kind: "text"; readonly content: string } | Field;

export function modalParts(components: PageModal["components"], snapshot: Snapshot): readonly ModalPart[] {
	return (components as readonly Component[]).flatMap((component): ModalPart[] => {
		if (component.type === COMPONENT.text) return [{ kind: "text", content: component.content }];
		if (component.type === COMPONENT.label)
			return [fieldOf(component.component, component.label, component.description, snapshot)];
		return component.components.map((control) => fieldOf(control, control.label ?? "", undefined, snapshot));
	});
}

function fieldOf(control: ModalControl, label: string, note: string | undefined, snapshot: Snapshot): Field {
	const base = {
		customId: control.custom_id,
		label,
		note,
		isRequired: control.required !== false && control.type !== COMPONENT.checkbox,
		placeholder: control.placeholder,
	};
	const { min_values: min = 1 } = control;
	switch (control.type) {
		case COMPONENT.textInput: {
			const kind = control.style === PARAGRAPH_STYLE ? "paragraph" : "line";
			const { min_length = 0, max_length = TEXT_CHARS_MAX.field, value = "" } = control;
			return { ...base, kind, min: min_length, max: max_length, initial: value };
		}
		case COMPONENT.checkbox:
			return { ...base, kind: "checkbox", min: 0, max: 1, isInitiallyOn: control.default === true };
		case COMPONENT.fileUpload: {
			const accept = (control.file_types ?? []).map((type) => (type.startsWith(".") ? type : `${type}/*`)).join();
			return { ...base, kind: "files", min, max: control.max_values ?? 1, accept };
		}
		default: {
			const choices = selectChoices(control, snapshot);
			const isGroup = control.type === COMPONENT.checkboxGroup;
			const isRadio = control.type === COMPONENT.radioGroup;
			const max = control.max_values ?? (isGroup ? choices.length : 1);
			const kind = isRadio ? "radio" : max === 1 && !isGroup ? "select" : "checkboxes";
			return { ...base, kind, min, max, choices };
		}
	}
}

/** The name of a field in the form. The prefix keeps it apart from the properties of the form. */
export function fieldName({ customId }: Field): string {
	return `field ${customId}`;
}

/** The value of a field in a form. */
export function fieldValue(field: Field, data: FormData): FieldValue {
	const values = data.getAll(fieldName(field));
	const texts = values.filter((value) => typeof value === "string").filter((value) => value !== "");
	switch (field.kind) {
		case "line":
		case "paragraph":
			return texts[0] ?? "";
		case "checkbox":
			return values.length > 0;
		case "files":
			// Without a chosen file, the browser reports one without a name.
			return values.filter((value) => value instanceof File).filter(({ name }) => name !== "");
		default:
			return texts;
	}
}

/** Describes the problem with a value; empty if it can be sent. */
export function fieldError(field: Field, value: FieldValue): string {
	if (typeof value === "boolean") return "";
	const { kind, min, max, isRequired } = field;
	if (typeof value === "string") {
		if (isRequired && value.trim() === "") return "This is required.";
		const problem = value === "" ? undefined : lengthProblem(value, { min, max });
		return problem === undefined ? "" : `This ${problem}`;
	}
	if (value.length === 0) return isRequired && (min > 0 || kind === "files") ? "This is required." : "";
	if (kind === "files") return value.length > max ? `At most ${max} files.` : "";
	if (kind !== "checkboxes") return "";
	if (value.length < min) return `Choose at least ${min}.`;
	return value.length > max ? `Choose at most ${max}.` : "";
}

/** Converts a value for the request. Uploads files first. */
export async function readField(
	{ customId, kind }: Field,
	value: FieldValue,
	upload: (file: File) => Promise<{ readonly id: string }>,
): Promise<FieldInput> {
	if (typeof value === "string" || typeof value === "boolean") return { customId, value };
	if (kind === "files") {
		const uploaded = await Promise.all((value as readonly File[]).map(upload));
		return { customId, values: uploaded.map(({ id }) => id) };
	}
	const values = value as readonly string[];
	return kind === "radio" ? { customId, value: values[0] ?? "" } : { customId, values };
}
