/** The fields of a style: words, media type, model and options, and the preview of a prompt. */
import { MEDIA_TYPES } from "@atelier/media-protocol/model";
import { STYLE_CHARS_MAX } from "../../src/limits.ts";
import type { StyleOption } from "../../src/schemas/directory.ts";
import { useApp } from "./app-context.ts";
import { withValue } from "../../src/setting-paths.ts";
import { NumberField, SelectField, TextField } from "./fields.tsx";
import { useSettings } from "./settings-form.tsx";
import { modelsOf, optionsOf, withModel, type Style } from "./style-options.ts";

type Value = Style["options"][string];
type MediaTypeChoice = NonNullable<Style["mediaType"]> | "";

interface StyleFieldsProps {
	readonly style: Style;
	readonly onChange: (style: Style) => void;
}

export function StyleFields({ style, onChange }: StyleFieldsProps) {
	const { t } = useApp();
	const { models } = useSettings().directory;
	const { mediaType, model, text } = style;
	const none = ["", t("dashboard.defaultNone")] as const;
	return (
		<>
			<TextField
				label={t("form.styleWordsLabel")}
				chars={[0, STYLE_CHARS_MAX]}
				value={text}
				onInput={(typed) => onChange({ ...style, text: typed })}
			/>
			<div class="group-fields">
				<SelectField<MediaTypeChoice>
					label={t("dashboard.kind")}
					value={mediaType ?? ""}
					options={[
						["", t("dashboard.all")],
						...MEDIA_TYPES.map((each) => [each, t("mediaType.title", { mediaType: each })] as const),
					]}
					onChange={(value) => onChange(withModel(style, models, { mediaType: value || null, model: null }))}
				/>
				{mediaType !== null && (
					<SelectField
						label={t("dashboard.defaultModel", { mediaType })}
						value={model ?? ""}
						options={[none, ...modelsOf(models, mediaType).map(({ id, name }) => [id, name] as const)]}
						onChange={(value) => onChange(withModel(style, models, { mediaType, model: value || null }))}
					/>
				)}
				{optionsOf(models, style).map((option) => (
					<OptionField
						key={option.name}
						option={option}
						value={style.options[option.name]}
						onChange={(value) => onChange(withValue(style, ["options", option.name], value) as Style)}
					/>
				))}
			</div>
		</>
	);
}

interface OptionFieldProps {
	readonly option: StyleOption;
	readonly value: Value | undefined;
	readonly onChange: (value: Value | undefined) => void;
}

function OptionField({ option: { name, kind, choices, min, max }, value, onChange }: OptionFieldProps) {
	const { t, formats } = useApp();
	const label = t("dashboard.styleOption", { option: name });
	const none = ["", t("dashboard.defaultNone")] as const;
	switch (kind) {
		case "choice":
			return (
				<SelectField
					label={label}
					value={String(value ?? "")}
					options={[none, ...choices.map((each) => [each, each] as const)]}
					onChange={(chosen) => onChange(chosen || undefined)}
				/>
			);
		case "switch":
			return (
				<SelectField<"" | "true" | "false">
					label={label}
					value={value === undefined ? "" : value === true ? "true" : "false"}
					options={[
						none,
						["true", formats.capitalized(t("choice.yes"))],
						["false", formats.capitalized(t("choice.no"))],
					]}
					onChange={(chosen) => onChange(chosen === "" ? undefined : chosen === "true")}
				/>
			);
		case "number":
			return (
				<NumberField
					label={label}
					placeholder={t("dashboard.defaultNone")}
					min={min}
					max={max}
					value={typeof value === "number" ? value : null}
					onChange={(number) => onChange(number ?? undefined)}
				/>
			);
		case "text":
			return (
				<TextField
					label={label}
					chars={[0, max]}
					value={String(value ?? "")}
					onInput={(typed) => onChange(typed === "" ? undefined : typed)}
				/>
			);
	}
}

/** Shows an example of a prompt with the words of the style, and the model and the options. */
export function StylePreview({ style }: Pick<StyleFieldsProps, "style">) {
	const { t, formats } = useApp();
	const { models } = useSettings().directory;
	const { mediaType, model, options } = style;
	const words = [t("dashboard.stylePromptExample"), style.text.trim()].filter(Boolean).join(", ");
	const facts = [
		mediaType === null ? t("dashboard.all") : t("mediaType.title", { mediaType }),
		...(model === null ? [] : [models.find(({ id }) => id === model)?.name ?? model]),
		...optionsOf(models, { mediaType, model: null }).flatMap(({ name }) => {
			const value = options[name];
			if (value === undefined) return [];
			const shown = typeof value === "boolean" ? formats.capitalized(t(value ? "choice.yes" : "choice.no")) : value;
			return [`${t("dashboard.styleOption", { option: name })}: ${shown}`];
		}),
	];
	return (
		<div class="stack tight style-preview">
			<p>
				{t("dashboard.stylePreview")} <q>{words}</q>
			</p>
			<p class="facts">
				{facts.map((fact) => (
					<span key={fact} class="badge">
						{fact}
					</span>
				))}
			</p>
		</div>
	);
}
