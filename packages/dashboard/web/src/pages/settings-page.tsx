/** All other settings of the server. */
import { MEDIA_TYPES } from "@atelier/media-protocol/model";
import { SHOWCASE_STARS_MAX } from "../../../src/limits.ts";
import { PINGS } from "../../../src/server-settings.ts";
import { useApp, useServer } from "../app-context.ts";
import { Card, PageHead } from "../card.tsx";
import { ChannelDefaultsCard } from "../channel-defaults-card.tsx";
import { DownloadLink } from "../download-link.tsx";
import {
	ChannelField,
	channelOptions,
	CheckField,
	IdList,
	NumberField,
	SelectField,
	UnlessListed,
} from "../fields.tsx";
import { ImportSettings } from "../import-settings.tsx";
import { SettingsForm, useSettings } from "../settings-form.tsx";
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
				<div class="columns">
					<ResultsCard />
					<MediaCard />
					<AccessCard list="channels" />
					<AccessCard list="roles" />
					<JobsCard />
					<ServerCard />
					<ChannelDefaultsCard />
					<StylesCard />
				</div>
			</SettingsForm>
		</>
	);
}

function ResultsCard() {
	const { t } = useApp();
	const { settings, directory, set } = useSettings();
	const { media } = settings;
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
					onChange={(isOn) => set(["media", name], isOn)}
				/>
			))}
		</Card>
	);
}

function MediaCard() {
	const { t } = useApp();
	const { settings, directory, set } = useSettings();
	const { mediaOff, modelsOff } = settings.access;
	return (
		<Card title={t("dashboard.mediaAndModels")} lead={t("dashboard.mediaAndModelsLead")}>
			{MEDIA_TYPES.map((mediaType) => {
				const models = directory.models.filter((model) => model.mediaType === mediaType);
				return (
					<fieldset key={mediaType} class="stack tight model-group">
						<legend class="sr-only">{t("mediaType.title", { mediaType })}</legend>
						<UnlessListed
							label={t("mediaType.title", { mediaType })}
							value={mediaType}
							off={mediaOff}
							onChange={(off) => set(["access", "mediaOff"], off)}
						/>
						{!mediaOff.includes(mediaType) && (
							<div class="stack tight models">
								{models.map(({ id, name }) => (
									<UnlessListed
										key={id}
										label={name}
										value={id}
										off={modelsOff}
										onChange={(off) => set(["access", "modelsOff"], off)}
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
function AccessCard({ list }: { readonly list: "channels" | "roles" }) {
	const { t } = useApp();
	const { settings, directory, set } = useSettings();
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
					ids={settings.access[list][rule]}
					options={options}
					onChange={(ids) => set(["access", list, rule], ids)}
				/>
			))}
		</Card>
	);
}

function JobsCard() {
	const { t, formats } = useApp();
	const { settings, set } = useSettings();
	return (
		<Card title={t("dashboard.page", { page: "jobs" })}>
			<NumberField
				label={t("dashboard.confirmAbove")}
				hint={t("dashboard.confirmAboveHint")}
				placeholder={t("dashboard.off")}
				value={settings.confirmAbove}
				onChange={(credits) => set(["confirmAbove"], credits)}
			/>
			<SelectField
				label={t("field.pings")}
				value={settings.pings}
				options={PINGS.map((rule) => [rule, formats.capitalized(t(`pingRule.${rule}`))])}
				onChange={(rule) => set(["pings"], rule)}
			/>
		</Card>
	);
}

function ServerCard() {
	const { t } = useApp();
	const { settings, directory, set } = useSettings();
	const { showcase } = settings;
	return (
		<Card title={t("dashboard.server")}>
			<ChannelField
				path={["showcase", "channelId"]}
				label={t("field.showcaseChannel")}
				hint={t("dashboard.showcaseHint")}
			/>
			{showcase.channelId !== null && (
				<NumberField
					label={t("dashboard.showcaseStars")}
					value={showcase.stars}
					isOptional={false}
					min={1}
					max={SHOWCASE_STARS_MAX}
					onChange={(stars) => set(["showcase", "stars"], stars ?? 1)}
				/>
			)}
			<ChannelField path={["logChannelId"]} label={t("field.logChannel")} hint={t("dashboard.logChannelHint")} />
			<ChannelField
				path={["reportChannelId"]}
				label={t("field.reportChannel")}
				hint={t("dashboard.reportChannelHint")}
			/>
			<SelectField
				label={t("field.language")}
				value={settings.language ?? ""}
				options={[
					["", t("dashboard.languageServer")],
					...directory.languages.map(({ code, name }) => [code, name] as const),
				]}
				onChange={(code) => set(["language"], code || null)}
			/>
		</Card>
	);
}
