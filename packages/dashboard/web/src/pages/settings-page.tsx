/** All other settings of the server. */
import { MEDIA_TYPES } from "@atelier/media-protocol/model";
import { SHOWCASE_STARS_MAX } from "../../../src/limits.ts";
import { PINGS, type ServerSettings } from "../../../src/server-settings.ts";
import { useApp, useServer } from "../app-context.ts";
import { Card } from "../card.tsx";
import { ChannelDefaultsCard } from "../channel-defaults-card.tsx";
import { DownloadLink } from "../download-link.tsx";
import { toggled } from "../edit-value.ts";
import { ChannelField, channelOptions, CheckField, IdList, NumberField, SelectField } from "../fields.tsx";
import { ImportSettings } from "../import-settings.tsx";
import { PageHead } from "../page-head.tsx";
import { SettingsForm, type SettingsProps } from "../settings-form.tsx";
import { StylesCard } from "../styles-card.tsx";

const RESULT_SETTINGS = ["private", "spoiler", "promptInFiles", "improvePrompts"] as const;
const LISTS = ["allowed", "denied"] as const;

export function SettingsPage() {
	const { t } = useApp();
	const { params } = useServer();
	return (
		<>
			<PageHead title={t("dashboard.page", { page: "settings" })}>
				<DownloadLink file="exportSettings" input={{ params }}>
					{t("dashboard.export")}
				</DownloadLink>
				<ImportSettings />
			</PageHead>
			<SettingsForm>
				{(form) => (
					<div class="columns">
						<ResultsCard {...form} />
						<MediaCard {...form} />
						<AccessCard {...form} list="channels" />
						<AccessCard {...form} list="roles" />
						<JobsCard {...form} />
						<ServerCard {...form} />
						<ChannelDefaultsCard {...form} />
						<StylesCard {...form} />
					</div>
				)}
			</SettingsForm>
		</>
	);
}

function ResultsCard({ settings: { media }, directory, update }: SettingsProps) {
	const { t } = useApp();
	// A switch without effect can only be turned off.
	const names = RESULT_SETTINGS.filter((name) => name !== "improvePrompts" || directory.hasImprover || media[name]);
	return (
		<Card title={t("dashboard.results")}>
			{names.map((name) => (
				<CheckField
					key={name}
					label={t(`field.${name}`)}
					hint={t("dashboard.resultSettingHint", { name })}
					isOn={media[name]}
					onChange={(isOn) => update({ media: { ...media, [name]: isOn } })}
				/>
			))}
		</Card>
	);
}

function MediaCard({ settings: { access }, directory, update }: SettingsProps) {
	const { t } = useApp();
	const change = (part: Partial<ServerSettings["access"]>): void => update({ access: { ...access, ...part } });
	return (
		<Card title={t("dashboard.mediaAndModels")} lead={t("dashboard.mediaAndModelsLead")}>
			{MEDIA_TYPES.map((mediaType) => {
				const isOff = access.mediaOff.includes(mediaType);
				const models = directory.models.filter((model) => model.mediaType === mediaType);
				return (
					<fieldset key={mediaType} class="stack tight model-group">
						<legend class="sr-only">{t("mediaType.title", { mediaType })}</legend>
						<CheckField
							label={t("mediaType.title", { mediaType })}
							isOn={!isOff}
							onChange={(isOn) => change({ mediaOff: toggled(access.mediaOff, mediaType, !isOn) })}
						/>
						{!isOff && (
							<div class="stack tight models">
								{models.map(({ id, name }) => (
									<CheckField
										key={id}
										label={name}
										isOn={!access.modelsOff.includes(id)}
										onChange={(isOn) => change({ modelsOff: toggled(access.modelsOff, id, !isOn) })}
									/>
								))}
							</div>
						)}
					</fieldset>
				);
			})}
		</Card>
	);
}

/** The channels or roles in which members may generate. */
function AccessCard({
	settings: { access },
	directory,
	update,
	list,
}: SettingsProps & { readonly list: "channels" | "roles" }) {
	const { t } = useApp();
	const options =
		list === "channels"
			? channelOptions(directory.channels)
			: directory.roles.map(({ id, name }) => [id, name] as const);
	return (
		<Card
			title={list === "channels" ? t("dashboard.channels") : t("dashboard.roles")}
			lead={t("dashboard.accessLead", { list })}
		>
			{LISTS.map((rule) => (
				<IdList
					key={rule}
					label={t("dashboard.accessRule", { rule })}
					ids={access[list][rule]}
					options={options}
					onChange={(ids) => update({ access: { ...access, [list]: { ...access[list], [rule]: ids } } })}
				/>
			))}
		</Card>
	);
}

function JobsCard({ settings: { confirmAbove, pings }, update }: SettingsProps) {
	const { t, formats } = useApp();
	return (
		<Card title={t("dashboard.page", { page: "jobs" })}>
			<NumberField
				label={t("dashboard.confirmAbove")}
				hint={t("dashboard.confirmAboveHint")}
				placeholder={t("dashboard.off")}
				value={confirmAbove}
				onChange={(credits) => update({ confirmAbove: credits })}
			/>
			<SelectField
				label={t("field.pings")}
				value={pings}
				options={PINGS.map((rule) => [rule, formats.capitalized(t(`pingRule.${rule}`))])}
				onChange={(rule) => update({ pings: rule })}
			/>
		</Card>
	);
}

function ServerCard({ settings, directory, update }: SettingsProps) {
	const { t } = useApp();
	const { showcase } = settings;
	return (
		<Card title={t("dashboard.server")}>
			<ChannelField
				path="showcase.channelId"
				label={t("field.showcaseChannel")}
				hint={t("dashboard.showcaseHint")}
				directory={directory}
				value={showcase.channelId}
				onChange={(channelId) => update({ showcase: { ...showcase, channelId } })}
			/>
			{showcase.channelId !== null && (
				<NumberField
					label={t("dashboard.showcaseStars")}
					value={showcase.stars}
					isOptional={false}
					min={1}
					max={SHOWCASE_STARS_MAX}
					onChange={(stars) => update({ showcase: { ...showcase, stars: stars ?? 1 } })}
				/>
			)}
			<ChannelField
				path="logChannelId"
				label={t("field.logChannel")}
				hint={t("dashboard.logChannelHint")}
				directory={directory}
				value={settings.logChannelId}
				onChange={(logChannelId) => update({ logChannelId })}
			/>
			<ChannelField
				path="reportChannelId"
				label={t("field.reportChannel")}
				hint={t("dashboard.reportChannelHint")}
				directory={directory}
				value={settings.reportChannelId}
				onChange={(reportChannelId) => update({ reportChannelId })}
			/>
			<SelectField
				label={t("field.language")}
				value={settings.language ?? ""}
				options={[
					["", t("dashboard.languageServer")],
					...directory.languages.map(({ code, name }) => [code, name] as const),
				]}
				onChange={(code) => update({ language: code === "" ? null : code })}
			/>
		</Card>
	);
}
