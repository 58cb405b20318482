/** The settings of single channels. */
import { MEDIA_TYPES } from "@atelier/media-protocol/model";
import { LIST_ENTRIES_MAX } from "../../src/limits.ts";
import { changedPaths } from "../../src/setting-paths.ts";
import { NO_DEFAULTS, type ServerSettings } from "../../src/server-settings.ts";
import { useApp } from "./app-context.ts";
import { Card, RemovableHead } from "./card.tsx";
import { AddSelect, channelOptions, CheckField, SelectField, UnlessFull, UnlessListed } from "./fields.tsx";
import { useSettings } from "./settings-form.tsx";

type Defaults = ServerSettings["channelDefaults"][string];

const PRIVACY = ["server", "private", "public"] as const;

export function ChannelDefaultsCard() {
	const { t } = useApp();
	const { settings, directory, set } = useSettings();
	const { channelDefaults } = settings;
	const names = new Map(channelOptions(directory.channels));
	const rest = [...names].filter(([id]) => !Object.hasOwn(channelDefaults, id));
	return (
		<Card title={t("dashboard.channelDefaults")} lead={t("dashboard.channelDefaultsLead")}>
			{Object.keys(channelDefaults).length === 0 && <p class="empty">{t("dashboard.channelDefaultsEmpty")}</p>}
			{Object.entries(channelDefaults).map(([id, defaults]) => (
				<ChannelFields key={id} id={id} name={names.get(id) ?? id} defaults={defaults} />
			))}
			<UnlessFull count={Object.keys(channelDefaults).length} max={LIST_ENTRIES_MAX}>
				<AddSelect
					label={t("dashboard.addTo", { name: t("dashboard.channelDefaults") })}
					options={rest}
					onAdd={(id) => set(["channelDefaults", id], NO_DEFAULTS)}
				/>
			</UnlessFull>
		</Card>
	);
}

interface ChannelFieldsProps {
	readonly id: string;
	readonly name: string;
	readonly defaults: Defaults;
}

function ChannelFields({ id, name, defaults }: ChannelFieldsProps) {
	const { t, formats } = useApp();
	const { settings, directory, set } = useSettings();
	const none = ["", t("dashboard.defaultNone")] as const;
	return (
		<fieldset class="group">
			<legend class="sr-only">{name}</legend>
			<RemovableHead name={name} onRemove={() => set(["channelDefaults", id], undefined)} />
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
						onChange={(model) => set(["channelDefaults", id, "models", mediaType], model || undefined)}
					/>
				))}
				<SelectField
					label={t("dashboard.style")}
					value={defaults.style ?? ""}
					options={[none, ...Object.keys(settings.styles).map((style) => [style, style] as const)]}
					onChange={(style) => set(["channelDefaults", id, "style"], style || null)}
				/>
				<SelectField<(typeof PRIVACY)[number]>
					label={t("form.visibility")}
					value={privacyOf(defaults)}
					options={PRIVACY.map((rule) => [rule, formats.capitalized(t(`visibility.${rule}`))])}
					onChange={(rule) => set(["channelDefaults", id, "private"], rule === "server" ? null : rule === "private")}
				/>
			</div>
			<div class="group-checks">
				{MEDIA_TYPES.map((mediaType) => (
					<UnlessListed
						key={mediaType}
						label={t("mediaType.title", { mediaType })}
						value={mediaType}
						off={defaults.mediaOff}
						onChange={(off) => set(["channelDefaults", id, "mediaOff"], off)}
					/>
				))}
				<CheckField
					label={t("dashboard.threads")}
					isOn={defaults.threads}
					onChange={(threads) => set(["channelDefaults", id, "threads"], threads)}
				/>
			</div>
		</fieldset>
	);
}

function privacyOf(defaults: Defaults): (typeof PRIVACY)[number] {
	if (defaults.private === null) return "server";
	return defaults.private ? "private" : "public";
}
