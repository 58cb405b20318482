/** The styles of the server, with a preview of the prompt that each makes. */
import { STYLE_NAME_CHARS_MAX, STYLES_MAX } from "../../src/limits.ts";
import { useApp, useServer } from "./app-context.ts";
import { Card, RemovableHead } from "./card.tsx";
import { TextField, UnlessFull } from "./fields.tsx";
import { Form, SubmitButton } from "./form.tsx";
import { useSettings } from "./settings-form.tsx";
import { StyleFields, StylePreview } from "./style-fields.tsx";
import { NEW_STYLE_DRAFT } from "./style-options.ts";

export function StylesCard() {
	const { t } = useApp();
	const { settings, set } = useSettings();
	const names = Object.keys(settings.styles);
	return (
		<Card title={t("dashboard.styles")} lead={t("dashboard.stylesLead")}>
			{names.length === 0 && <p class="empty">{t("dashboard.stylesEmpty")}</p>}
			{Object.entries(settings.styles).map(([name, style]) => (
				<fieldset key={name} class="group">
					<legend class="sr-only">{name}</legend>
					<RemovableHead name={name} onRemove={() => set(["styles", name], undefined)} />
					<StylePreview style={style} />
					<details class="more-details">
						<summary>{t("button.edit")}</summary>
						<div class="form">
							<StyleFields style={style} onChange={(changed) => set(["styles", name], changed)} />
						</div>
					</details>
				</fieldset>
			))}
			<UnlessFull count={names.length} max={STYLES_MAX}>
				<NewStyle />
			</UnlessFull>
		</Card>
	);
}

function NewStyle() {
	const { t } = useApp();
	const { settings, set } = useSettings();
	const { styleDraft } = useServer();
	const { name, style } = styleDraft.value;
	const typed = name.trim();
	const text = style.text.trim();
	const isTaken = Object.keys(settings.styles).some((each) => each.toLowerCase() === typed.toLowerCase());
	const isEmpty = text === "" && style.model === null && Object.keys(style.options).length === 0;
	const add = (): void => {
		set(["styles", typed], { ...style, text });
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
				<StyleFields style={style} onChange={(changed) => (styleDraft.value = { name, style: changed })} />
				{!isEmpty && <StylePreview style={style} />}
				<SubmitButton>{t("dashboard.add")}</SubmitButton>
			</Form>
		</fieldset>
	);
}
