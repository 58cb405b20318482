/** Rules for modals that Discord enforces beyond its schema. */
import { ComponentType } from "discord-api-types/v10";
import type { FieldError } from "../simulator/api-error.ts";
import { componentErrors } from "./component-validation.ts";

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
	const found = componentErrors(components, ["components"]);
	const fault = (path: readonly (string | number)[], code: string, message: string): void =>
		void found.push({ path: ["components", ...path], code, message });

	if (components.length > COMPONENTS_MAX)
		fault([], "BASE_TYPE_BAD_LENGTH", `Must be between 1 and ${COMPONENTS_MAX} in length.`);
	const seen = new Set<string>();
	for (const [at, { components: inRow, component }] of components.entries()) {
		if ((inRow?.length ?? 1) > 1) fault([at], "COMPONENT_LAYOUT_WIDTH_EXCEEDED", "A row of a modal has one field.");
		const fields = [
			...(inRow ?? []).map((field, n) => ({ field, path: [at, "components", n], isLabelled: false })),
			...(component ? [{ field: component, path: [at, "component"], isLabelled: true }] : []),
		];
		for (const { field, path, isLabelled } of fields) {
			if (seen.has(field.custom_id))
				fault([...path, "custom_id"], "COMPONENT_CUSTOM_ID_DUPLICATED", "Component custom id cannot be duplicated");
			seen.add(field.custom_id);
			if (!isLabelled && !field.label) fault([...path, "label"], "BASE_TYPE_REQUIRED", "This field is required");
			if (isLabelled && field.label)
				fault([...path, "label"], "COMPONENT_LABEL_DUPLICATED", "The label that it stands in names this field.");
			if (field.disabled)
				fault([...path, "disabled"], "COMPONENT_DISABLED_IN_MODAL", "Nothing in a modal is disabled.");
			if (field.type === ComponentType.TextInput && (field.value ?? "").length > (field.max_length ?? Infinity))
				fault([...path, "value"], "BASE_TYPE_MAX_LENGTH", `Must be ${field.max_length} or fewer in length.`);
		}
	}
	return found;
}
