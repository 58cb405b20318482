/** The styles of the server, with a preview of the prompt that each makes. */
import { useSignal } from "@preact/signals";
import { MEDIA_TYPES } from "@atelier/media-protocol/model";
import type { ServerSettings } from "../../src/schemas.ts";
import { useApp } from "./app-context.ts";
import { Card, RemovableHead } from "./card.tsx";
import { SelectField, TextField } from "./fields.tsx";
import type { FormProps } from "./settings-form.tsx";

type Style = ServerSettings["styles"][string];
type MediaTypeChoice = NonNullable<Style["mediaType"]> | "";

const NAME_CHARS_MAX = 32;
const TEXT_CHARS_MAX = 500;
const PROMPT_CHARS_MAX = 200;

export function StylesCard({ settings: { styles }, directory, update }: FormProps) {
	const { t } = useApp();
	const prompt = useSignal("");
	const names = Object.keys(styles);
	const modelNames = new Map(directory.models.map(({ id, name }) => [id, name] as const));
	return (
		<Card title={t("dashboard.styles")} lead={t("dashboard.stylesLead")}>
			{names.length === 0 ? (
				<p class="empty">{t("dashboard.stylesEmpty")}</p>
			) : (
				<>
					<TextField
						label={t("dashboard.stylePrompt")}
						maxLength={PROMPT_CHARS_MAX}
						value={prompt.value}
						onInput={(typed) => (prompt.value = typed)}
					/>
					{Object.entries(styles).map(([name, style]) => (
						<StyleFields
							key={name}
							name={name}
							style={style}
							prompt={prompt.value}
							modelName={style.model === null ? null : (modelNames.get(style.model) ?? style.model)}
							onText={(text) => update({ styles: { ...styles, [name]: { ...style, text } } })}
							onRemove={() => {
								const { [name]: _, ...others } = styles;
								update({ styles: others });
							}}
						/>
					))}
				</>
			)}
			<NewStyle names={names} onAdd={(name, style) => update({ styles: { ...styles, [name]: style } })} />
		</Card>
	);
}

interface StyleFieldsProps {
	readonly name: string;
	readonly style: Style;
	readonly prompt: string;
	readonly modelName: string | null;
	readonly onText: (text: string) => void;
	readonly onRemove: () => void;
}

function StyleFields({ name, style, prompt, modelName, onText, onRemove }: StyleFieldsProps) {
	const { t } = useApp();
	const { mediaType, text, options } = style;
	const facts = [
		mediaType === null ? t("dashboard.all") : t("dashboard.mediaType", { mediaType }),
		...(modelName === null ? [] : [modelName]),
		...Object.entries(options).map(([option, value]) => `${option.replaceAll("_", " ")}: ${value}`),
	];
	return (
		<div class="group">
			<RemovableHead name={name} onRemove={onRemove} />
			<p class="facts">
				{facts.map((fact) => (
					<span key={fact} class="badge">
						{fact}
					</span>
				))}
			</p>
			<TextField
				label={t("dashboard.styleWordsOf", { name })}
				isLabelHidden
				maxLength={TEXT_CHARS_MAX}
				value={text}
				onInput={onText}
			/>
			{prompt.trim() !== "" && (
				<p class="style-preview">
					{t("dashboard.stylePreview")} <q>{text === "" ? prompt.trim() : `${prompt.trim()}, ${text}`}</q>
				</p>
			)}
		</div>
	);
}

interface NewStyleProps {
	readonly names: readonly string[];
	readonly onAdd: (name: string, style: Style) => void;
}

function NewStyle({ names, onAdd }: NewStyleProps) {
	const { t } = useApp();
	const name = useSignal("");
	const text = useSignal("");
	const chosenType = useSignal<MediaTypeChoice>("");
	const isInvalid = useSignal(false);
	const add = (): void => {
		const typed = name.value.trim();
		const isTaken = names.some((each) => each.toLowerCase() === typed.toLowerCase());
		isInvalid.value = typed === "" || isTaken || text.value.trim() === "";
		if (isInvalid.value) return;
		onAdd(typed, { text: text.value.trim(), mediaType: chosenType.value || null, model: null, options: {} });
		name.value = "";
		text.value = "";
	};
	const change = (field: typeof name) => (typed: string) => {
		field.value = typed;
		isInvalid.value = false;
	};
	return (
		<div class="form block-form">
			<div class="field-row">
				<TextField
					label={t("dashboard.styleName")}
					maxLength={NAME_CHARS_MAX}
					value={name.value}
					error={isInvalid.value ? t("dashboard.styleInvalid") : undefined}
					onInput={change(name)}
				/>
				<SelectField<MediaTypeChoice>
					label={t("dashboard.kind")}
					value={chosenType.value}
					options={[
						["", t("dashboard.all")],
						...MEDIA_TYPES.map((mediaType) => [mediaType, t("dashboard.mediaType", { mediaType })] as const),
					]}
					onChange={(value) => (chosenType.value = value)}
				/>
			</div>
			<div class="field-row">
				<TextField
					label={t("dashboard.styleWords")}
					maxLength={TEXT_CHARS_MAX}
					value={text.value}
					onInput={change(text)}
					onEnter={add}
				/>
				<button type="button" class="button" onClick={add}>
					{t("dashboard.add")}
				</button>
			</div>
		</div>
	);
}
