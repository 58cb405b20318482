/** The limits of members, roles, media types and the whole server. */
import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { MEDIA_TYPES } from "@atelier/media-protocol/model";
import { LIMIT_EXCEPTIONS_MAX } from "../../../src/limits.ts";
import { parseTimeZone } from "../../../src/parse-typed.ts";
import { PERIODS, type ServerSettings } from "../../../src/server-settings.ts";
import { useApp, useServer } from "../app-context.ts";
import { Card, PageHead, RemoveButton } from "../card.tsx";
import { AddSelect, ChannelField, NumberField, ParsedField, SelectField, UnlessFull } from "../fields.tsx";
import { MemberForm } from "../member-field.tsx";
import { MemberName } from "../member-name.tsx";
import { SettingsForm, useSettings } from "../settings-form.tsx";

type Period = ServerSettings["allowance"]["per"];

export function LimitsPage() {
	const { t } = useApp();
	return (
		<>
			<PageHead title={t("dashboard.page", { page: "limits" })} lead={t("dashboard.limitsLead")} />
			<SettingsForm>
				<div class="columns">
					<EveryoneCard />
					<MediaCard />
					<RolesCard />
					<MembersCard />
					<ServerLimitCard />
					<TimeCard />
				</div>
			</SettingsForm>
		</>
	);
}

function EveryoneCard() {
	const { t } = useApp();
	const { settings, set } = useSettings();
	const { everyone, per } = settings.allowance;
	return (
		<Card title={t("dashboard.everyone")} lead={t("dashboard.everyoneLead")}>
			<div class="field-row">
				<NumberField
					label={t("field.memberLimit")}
					hint={t("dashboard.limitHint")}
					value={everyone}
					onChange={(credits) => set(["allowance", "everyone"], credits)}
				/>
				<PeriodField value={per} onChange={(period) => set(["allowance", "per"], period)} />
			</div>
		</Card>
	);
}

interface PeriodFieldProps {
	readonly value: Period;
	readonly onChange: (period: Period) => void;
}

function PeriodField({ value, onChange }: PeriodFieldProps) {
	const { t, formats } = useApp();
	return (
		<SelectField
			label={t("field.period")}
			value={value}
			options={PERIODS.map((per) => [per, formats.capitalized(t(`choice.${per}`))])}
			onChange={onChange}
		/>
	);
}

function MediaCard() {
	const { t } = useApp();
	const { settings, set } = useSettings();
	const { media, per } = settings.allowance;
	return (
		<Card title={t("dashboard.mediaLimits")} lead={t("dashboard.mediaLimitsLead", { per })}>
			<div class="field-row">
				{MEDIA_TYPES.map((mediaType) => (
					<NumberField
						key={mediaType}
						label={t("mediaType.title", { mediaType })}
						value={media[mediaType] ?? null}
						onChange={(credits) => set(["allowance", "media", mediaType], credits ?? undefined)}
					/>
				))}
			</div>
		</Card>
	);
}

interface ExceptionsCardProps {
	readonly list: "roles" | "members";
	readonly title: string;
	readonly lead: string;
	readonly nameOf: (id: string) => string;
	/** The form below the list, which adds a limit. */
	readonly children: ComponentChildren;
}

/** One row per role or member: its name, its limit, and a button to remove it. */
function ExceptionsCard({ list, title, lead, nameOf, children }: ExceptionsCardProps) {
	const { t } = useApp();
	const { settings, set } = useSettings();
	const limits = Object.entries(settings.allowance[list]);
	return (
		<Card title={title} lead={lead}>
			{limits.length === 0 && <p class="empty">{t("dashboard.exceptionsEmpty")}</p>}
			<ul class="rows">
				{limits.map(([id, limit]) => (
					<li key={id} class="row">
						<span class="row-name">{list === "members" ? <MemberName id={id} withAvatar /> : nameOf(id)}</span>
						<NumberField
							label={t("dashboard.limitOf", { name: nameOf(id) })}
							isLabelHidden
							value={limit}
							onChange={(credits) => set(["allowance", list, id], credits)}
						/>
						<RemoveButton name={nameOf(id)} onRemove={() => set(["allowance", list, id], undefined)} />
					</li>
				))}
			</ul>
			<UnlessFull count={limits.length} max={LIMIT_EXCEPTIONS_MAX}>
				{children}
			</UnlessFull>
		</Card>
	);
}

function RolesCard() {
	const { t } = useApp();
	const { settings, directory, set } = useSettings();
	const { everyone, roles } = settings.allowance;
	const options = directory.roles.map(({ id, name }) => [id, name] as const);
	const names = new Map(options);
	return (
		<ExceptionsCard
			list="roles"
			title={t("dashboard.roles")}
			lead={t("dashboard.rolesLead")}
			nameOf={(id) => names.get(id) ?? id}
		>
			<AddSelect
				label={t("dashboard.addTo", { name: t("dashboard.roles") })}
				options={options.filter(([id]) => !Object.hasOwn(roles, id))}
				onAdd={(id) => set(["allowance", "roles", id], everyone)}
			/>
		</ExceptionsCard>
	);
}

function MembersCard() {
	const { t } = useApp();
	const { names } = useServer();
	const { settings, set } = useSettings();
	const { everyone, members } = settings.allowance;
	return (
		<ExceptionsCard
			list="members"
			title={t("dashboard.members")}
			lead={t("dashboard.membersLead")}
			nameOf={names.nameOf}
		>
			<MemberForm
				label={t("dashboard.addMember")}
				hint={t("dashboard.memberHint")}
				action={t("dashboard.add")}
				onMember={(id) => set(["allowance", "members"], { [id]: everyone, ...members })}
			/>
		</ExceptionsCard>
	);
}

function ServerLimitCard() {
	const { t } = useApp();
	const { settings, set } = useSettings();
	const { serverLimit } = settings;
	/** Stays while the field for the credits is empty. */
	const chosenPer = useSignal<Period>("month");
	const per = serverLimit?.per ?? chosenPer.value;
	const setLimit = (credits: number | null, next: Period): void => {
		chosenPer.value = next;
		set(["serverLimit"], credits === null ? null : { credits, per: next });
	};
	return (
		<Card title={t("field.serverLimit")} lead={t("dashboard.serverLimitLead")}>
			<div class="field-row">
				<NumberField
					label={t("field.serverLimit")}
					hint={t("dashboard.limitHint")}
					value={serverLimit?.credits ?? null}
					onChange={(credits) => setLimit(credits, per)}
				/>
				<PeriodField value={per} onChange={(next) => setLimit(serverLimit?.credits ?? null, next)} />
			</div>
		</Card>
	);
}

function TimeCard() {
	const { t, formats } = useApp();
	const { settings, directory, set } = useSettings();
	return (
		<Card title={t("dashboard.monthAndTime")}>
			<SelectField
				label={t("field.unusedCredits")}
				value={settings.unusedCredits}
				options={(["expire", "carryOver"] as const).map((rule) => [rule, formats.capitalized(t(`choice.${rule}`))])}
				onChange={(unusedCredits) => set(["unusedCredits"], unusedCredits)}
			/>
			<ParsedField
				label={t("field.timeZone")}
				hint={t("dashboard.timeZoneHint")}
				value={settings.timeZone}
				valueText={settings.timeZone}
				parse={(text) => parseTimeZone(text, directory.timeZones)}
				invalidText={t("dashboard.timeZoneInvalid")}
				suggestions={directory.timeZones}
				onChange={(timeZone) => set(["timeZone"], timeZone)}
			/>
			<ChannelField path={["warnChannelId"]} label={t("field.warnChannel")} hint={t("dashboard.warnChannelHint")} />
		</Card>
	);
}
