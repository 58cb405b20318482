/** The settings of single channels. */
import { MEDIA_TYPES } from "@atelier/media-protocol/model";
import { LIST_ENTRIES_MAX } from "../../src/limits.ts";
import { changedPaths } from "../../src/setting-paths.ts";
import { NO_DEFAULTS, type ServerSettings } from "../../src/server-settings.ts";
import { useApp } from "./app-context.ts";
import { Card, RemovableHead } from "./card.tsx";
import { toggled, withEntry, withoutKey } from "./edit-value.ts";
import { AddSelect, channelOptions, CheckField, SelectField, UnlessFull } from "./fields.tsx";
import type { SettingsProps } from "./settings-form.tsx";

type Defaults = ServerSettings["channelDefaults"][string];

const PRIVACY = ["server", "private", "public"] as const;

export function ChannelDefaultsCard(form: SettingsProps) {
	const { t } = useApp();
	const { settings, directory, update } = form;
	const { channelDefaults } = settings;
	const names = new Map(channelOptions(directory.channels));
	const rest = [...names].filter(([id]) => !Object.hasOwn(channelDefaults, id));
	return (
		<Card title={t("dashboard.channelDefaults")} lead={t("dashboard.channelDefaultsLead")}>
			{Object.keys(channelDefaults).length === 0 && <p class="empty">{t("dashboard.channelDefaultsEmpty")}</p>}
			{Object.entries(channelDefaults).map(([id, defaults]) => (
				<ChannelFields
					key={id}
					{...form}
					name={names.get(id) ?? id}
					defaults={defaults}
					onChange={(change) => update({ channelDefaults: { ...channelDefaults, [id]: { ...defaults, ...change } } })}
					onRemove={() => update({ channelDefaults: withoutKey(channelDefaults, id) })}
				/>
			))}
			<UnlessFull count={Object.keys(channelDefaults).length} max={LIST_ENTRIES_MAX}>
				<AddSelect
					label={t("dashboard.addTo", { name: t("dashboard.channelDefaults") })}
					options={rest}
					onAdd={(id) => update({ channelDefaults: { ...channelDefaults, [id]: NO_DEFAULTS } })}
				/>
			</UnlessFull>
		</Card>
	);
}

interface ChannelFieldsProps extends SettingsProps {
	readonly name: string;
	readonly defaults: Defaults;
	readonly onChange: (change: Partial<Defaults>) => void;
	readonly onRemove: () => void;
}

function ChannelFields({ name, defaults, directory, settings, onChange, onRemove }: ChannelFieldsProps) {
	const { t, formats } = useApp();
	const none = ["", t("dashboard.defaultNone")] as const;
	return (
		<fieldset class="group">
			<legend class="sr-only">{name}</legend>
			<RemovableHead name={name} onRemove={onRemove} />
			{changedPaths(NO_DEFAULTS, defaults).length === 0 && <p class="hint">{t("dashboard.channelDefaultsUnset")}</p>}
			<div class="group-fields">
				{MEDIA_TYPES.map((mediaType) => (
					<SelectField
						key={mediaType}
						label={t("dashboard.defaultModel", { mediaType })}
						value={defaults.models[mediaType] ?? ""}
						options={[
							none,
							...directory.models
								.filter((model) => model.mediaType === mediaType)
								.map((model) => [model.id, model.name] as const),
						]}
						onChange={(model) => onChange({ models: withEntry(defaults.models, mediaType, model || undefined) })}
					/>
				))}
				<SelectField
					label={t("dashboard.style")}
					value={defaults.style ?? ""}
					options={[none, ...Object.keys(settings.styles).map((style) => [style, style] as const)]}
					onChange={(style) => onChange({ style: style === "" ? null : style })}
				/>
				<SelectField<(typeof PRIVACY)[number]>
					label={t("form.visibility")}
					value={privacyOf(defaults)}
					options={PRIVACY.map((rule) => [rule, formats.capitalized(t(`visibility.${rule}`))])}
					onChange={(rule) => onChange({ private: rule === "server" ? null : rule === "private" })}
				/>
			</div>
			<div class="group-checks">
				{MEDIA_TYPES.map((mediaType) => (
					<CheckField
						key={mediaType}
						label={t("mediaType.title", { mediaType })}
						isOn={!defaults.mediaOff.includes(mediaType)}
						onChange={(isOn) => onChange({ mediaOff: toggled(defaults.mediaOff, mediaType, !isOn) })}
					/>
				))}
				<CheckField
					label={t("dashboard.threads")}
					isOn={defaults.threads}
					onChange={(threads) => onChange({ threads })}
				/>
			</div>
		</fieldset>
	);
}

function privacyOf(defaults: Defaults): (typeof PRIVACY)[number] {
	if (defaults.private === null) return "server";
	return defaults.private ? "private" : "public";
}
