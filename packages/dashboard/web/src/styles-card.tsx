/** The styles of the server, with a preview of the prompt that each makes. */
import { STYLE_NAME_CHARS_MAX, STYLES_MAX } from "../../src/limits.ts";
import type { Directory } from "../../src/schemas/directory.ts";
import { useApp, useServer } from "./app-context.ts";
import { Card, RemovableHead } from "./card.tsx";
import { withoutKey } from "./edit-value.ts";
import { TextField, UnlessFull } from "./fields.tsx";
import { Form, SubmitButton } from "./form.tsx";
import type { SettingsProps } from "./settings-form.tsx";
import { StyleFields, StylePreview } from "./style-fields.tsx";
import { NEW_STYLE_DRAFT, type Style } from "./style-options.ts";

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
					<RemovableHead name={name} onRemove={() => update({ styles: withoutKey(styles, name) })} />
					<StylePreview style={style} models={models} />
					<details class="more-details">
						<summary>{t("button.edit")}</summary>
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
	const { styleDraft } = useServer();
	const { name, style } = styleDraft.value;
	const typed = name.trim();
	const text = style.text.trim();
	const isTaken = names.some((each) => each.toLowerCase() === typed.toLowerCase());
	const isEmpty = text === "" && style.model === null && Object.keys(style.options).length === 0;
	const add = (): void => {
		onAdd(typed, { ...style, text });
		styleDraft.value = NEW_STYLE_DRAFT;
	};
	return (
		<fieldset class="group">
			<legend class="sr-only">{t("dashboard.styleNew")}</legend>
			<h3 aria-hidden="true">{t("dashboard.styleNew")}</h3>
			<Form run={add}>
				<TextField
					label={t("dashboard.name")}
					chars={[0, STYLE_NAME_CHARS_MAX]}
					value={name}
					problem={typed === "" || isTaken || isEmpty ? t("dashboard.styleInvalid") : undefined}
					onInput={(value) => (styleDraft.value = { name: value, style })}
				/>
				<StyleFields
					style={style}
					models={models}
					onChange={(changed) => (styleDraft.value = { name, style: changed })}
				/>
				{!isEmpty && <StylePreview style={style} models={models} />}
				<SubmitButton>{t("dashboard.add")}</SubmitButton>
			</Form>
		</fieldset>
	);
}
