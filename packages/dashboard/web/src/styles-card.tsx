/** The styles of the server, with a preview of the prompt that each makes. */
import { useSignal } from "@preact/signals";
import { STYLE_NAME_CHARS_MAX, STYLES_MAX } from "../../src/limits.ts";
import type { Directory } from "../../src/schemas.ts";
import { useApp } from "./app-context.ts";
import { Card, RemovableHead } from "./card.tsx";
import { without } from "./edit-value.ts";
import { TextField, UnlessFull } from "./fields.tsx";
import { Form, SubmitButton } from "./form.tsx";
import type { SettingsProps } from "./settings-form.tsx";
import { StyleFields, StylePreview } from "./style-fields.tsx";
import type { Style } from "./style-options.ts";

const NEW_STYLE: Style = { text: "", mediaType: null, model: null, options: {} };

export function StylesCard({ settings: { styles }, directory: { models }, update }: SettingsProps) {
	const { t } = useApp();
	const names = Object.keys(styles);
	const set = (name: string, style: Style): void => update({ styles: { ...styles, [name]: style } });
	return (
		<Card title={t("dashboard.styles")} lead={t("dashboard.stylesLead")}>
			{names.length === 0 && <p class="empty">{t("dashboard.stylesEmpty")}</p>}
			{Object.entries(styles).map(([name, style]) => (
				<fieldset key={name} class="group">
					<legend class="sr-only">{name}</legend>
					<RemovableHead name={name} onRemove={() => update({ styles: without(styles, name) })} />
					<StylePreview style={style} models={models} />
					<details class="more-details">
						<summary>{t("dashboard.styleEdit")}</summary>
						<div class="form">
							<StyleFields style={style} models={models} onChange={(changed) => set(name, changed)} />
						</div>
					</details>
				</fieldset>
			))}
			<UnlessFull count={names.length} max={STYLES_MAX}>
				<NewStyle names={names} models={models} onAdd={set} />
			</UnlessFull>
		</Card>
	);
}

interface NewStyleProps {
	readonly names: readonly string[];
	readonly models: Directory["models"];
	readonly onAdd: (name: string, style: Style) => void;
}

function NewStyle({ names, models, onAdd }: NewStyleProps) {
	const { t } = useApp();
	const name = useSignal("");
	const style = useSignal(NEW_STYLE);
	const typed = name.value.trim();
	const text = style.value.text.trim();
	const isTaken = names.some((each) => each.toLowerCase() === typed.toLowerCase());
	const isEmpty = text === "" && style.value.model === null && Object.keys(style.value.options).length === 0;
	const add = (): void => {
		onAdd(typed, { ...style.value, text });
		name.value = "";
		style.value = NEW_STYLE;
	};
	return (
		<fieldset class="group">
			<legend class="sr-only">{t("dashboard.styleNew")}</legend>
			<h3 aria-hidden="true">{t("dashboard.styleNew")}</h3>
			<Form run={add}>
				<TextField
					label={t("dashboard.styleName")}
					maxLength={STYLE_NAME_CHARS_MAX}
					value={name.value}
					problem={typed === "" || isTaken || isEmpty ? t("dashboard.styleInvalid") : undefined}
					onInput={(value) => (name.value = value)}
				/>
				<StyleFields style={style.value} models={models} onChange={(changed) => (style.value = changed)} />
				{style.value !== NEW_STYLE && <StylePreview style={style.value} models={models} />}
				<SubmitButton>{t("dashboard.add")}</SubmitButton>
			</Form>
		</fieldset>
	);
}
