/** The model and options of a style, as its form offers them. */
import { z } from "zod";
import type { Directory, StyleOption } from "../../src/schemas/directory.ts";
import { Style } from "../../src/server-settings.ts";

export type { Style };
/** The form of a new style. */
export const StyleDraft = z.object({ name: z.string(), style: Style });
/** The form before the reader types. */
export const NEW_STYLE_DRAFT: z.infer<typeof StyleDraft> = {
	name: "",
	style: { text: "", mediaType: null, model: null, options: {} },
};
type Models = Directory["models"];

/** Returns the models of a media type that a style can use. */
export function modelsOf(models: Models, mediaType: Style["mediaType"]): Models {
	return models.filter((model) => model.mediaType === mediaType && model.styleOptions !== null);
}

/** Returns the options of the chosen model. Without one, a style may set what any model of its media type has. */
export function optionsOf(
	models: Models,
	{ mediaType, model }: Pick<Style, "mediaType" | "model">,
): readonly StyleOption[] {
	const offered = modelsOf(models, mediaType).filter(({ id }) => model === null || id === model);
	const byName = new Map<string, StyleOption>();
	for (const option of offered.flatMap(({ styleOptions }) => styleOptions ?? [])) {
		const other = byName.get(option.name);
		byName.set(option.name, other ? joined(other, option) : option);
	}
	return [...byName.values()];
}

/** Returns the style with another media type or model, without the options and values that the new choice does not accept. */
export function withModel(style: Style, models: Models, choice: Pick<Style, "mediaType" | "model">): Style {
	const offered = new Map(optionsOf(models, choice).map((option) => [option.name as string, option] as const));
	const options = Object.entries(style.options).filter(([name, value]) => {
		const option = offered.get(name);
		return option !== undefined && accepts(option, value);
	});
	return { ...style, ...choice, options: Object.fromEntries(options) };
}

function joined(one: StyleOption, other: StyleOption): StyleOption {
	const choices = [...new Set([...one.choices, ...other.choices])];
	return { ...one, choices, min: Math.min(one.min, other.min), max: Math.max(one.max, other.max) };
}

function accepts({ kind, choices, min, max }: StyleOption, value: Style["options"][string]): boolean {
	switch (kind) {
		case "choice":
			return choices.includes(String(value));
		case "number":
			return typeof value === "number" && value >= min && value <= max;
		case "text":
			return typeof value === "string" && value.length <= max;
		case "switch":
			return typeof value === "boolean";
	}
}
