import type { APIMessage } from "discord-api-types/v10";

/** Returns the custom id of the button or menu with this label or placeholder. */
export function customIdOf({ components }: Pick<APIMessage, "components">, label: string): string {
	const controls = controlsOf(components);
	const found = controls.find((control) => control["label"] === label || control["placeholder"] === label);
	if (found) return String(found["custom_id"]);
	const labels = controls.flatMap((control) => control["label"] ?? control["placeholder"] ?? []).map(String);
	throw new Error(`this message has no "${label}"; it has: ${labels.join(", ") || "nothing to press"}`);
}

function controlsOf(value: unknown): { readonly [field: string]: unknown }[] {
	if (Array.isArray(value)) return value.flatMap((item) => controlsOf(item));
	if (typeof value !== "object" || value === null) return [];
	const component = value as { readonly [field: string]: unknown };
	const own = typeof component["custom_id"] === "string" ? [component] : [];
	return [...own, ...controlsOf(component["components"]), ...controlsOf(component["accessory"])];
}
