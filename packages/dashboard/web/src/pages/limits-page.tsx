/** The limits of members, roles, media types and the whole server. */
import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { MEDIA_TYPES } from "@atelier/media-protocol/model";
import { LIMIT_EXCEPTIONS_MAX } from "../../../src/limits.ts";
import { parseTimeZone } from "../../../src/parse-typed.ts";
import { PERIODS, type ServerSettings } from "../../../src/server-settings.ts";
import { useApp, useServer } from "../app-context.ts";
import { Card, RemoveButton } from "../card.tsx";
import { withEntry, withoutKey } from "../edit-value.ts";
import { AddSelect, ChannelField, NumberField, ParsedField, SelectField, UnlessFull } from "../fields.tsx";
import { MemberForm } from "../member-field.tsx";
import { MemberName } from "../member-name.tsx";
import { PageHead } from "../page-head.tsx";
import { SettingsForm, type SettingsProps } from "../settings-form.tsx";

type Allowance = ServerSettings["allowance"];
type Limits = Readonly<Record<string, number | null>>;
interface AllowanceProps extends SettingsProps {
	readonly updateAllowance: (change: Partial<Allowance>) => void;
}

export function LimitsPage() {
	const { t } = useApp();
	return (
		<>
			<PageHead title={t("dashboard.page", { page: "limits" })} lead={t("dashboard.limitsLead")} />
			<SettingsForm>
				{(form) => {
					const { allowance } = form.settings;
					const updateAllowance = (change: Partial<Allowance>): void =>
						form.update({ allowance: { ...allowance, ...change } });
					return (
						<div class="columns">
							<EveryoneCard {...form} updateAllowance={updateAllowance} />
							<MediaCard {...form} updateAllowance={updateAllowance} />
							<RolesCard {...form} updateAllowance={updateAllowance} />
							<MembersCard {...form} updateAllowance={updateAllowance} />
							<ServerLimitCard {...form} />
							<TimeCard {...form} />
						</div>
					);
				}}
			</SettingsForm>
		</>
	);
}

function EveryoneCard({ settings: { allowance }, updateAllowance }: AllowanceProps) {
	const { t } = useApp();
	return (
		<Card title={t("dashboard.everyone")} lead={t("dashboard.everyoneLead")}>
			<div class="field-row">
				<NumberField
					label={t("field.memberLimit")}
					hint={t("dashboard.limitHint")}
					value={allowance.everyone}
					onChange={(everyone) => updateAllowance({ everyone })}
				/>
				<PeriodField value={allowance.per} onChange={(per) => updateAllowance({ per })} />
			</div>
		</Card>
	);
}

interface PeriodFieldProps {
	readonly value: Allowance["per"];
	readonly onChange: (per: Allowance["per"]) => void;
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

function MediaCard({ settings: { allowance }, updateAllowance }: AllowanceProps) {
	const { t } = useApp();
	return (
		<Card title={t("dashboard.mediaLimits")} lead={t("dashboard.mediaLimitsLead", { per: allowance.per })}>
			<div class="field-row">
				{MEDIA_TYPES.map((mediaType) => (
					<NumberField
						key={mediaType}
						label={t("mediaType.title", { mediaType })}
						value={allowance.media[mediaType] ?? null}
						onChange={(credits) =>
							updateAllowance({ media: withEntry(allowance.media, mediaType, credits ?? undefined) })
						}
					/>
				))}
			</div>
		</Card>
	);
}

interface LimitRowsProps {
	readonly limits: Limits;
	readonly nameOf: (id: string) => { readonly text: string; readonly shown: ComponentChildren };
	readonly onChange: (limits: Record<string, number | null>) => void;
}

/** One row per role or member: its name, its limit, and a button to remove it. */
function LimitRows({ limits, nameOf, onChange }: LimitRowsProps) {
	const { t } = useApp();
	const ids = Object.keys(limits);
	if (ids.length === 0) return <p class="empty">{t("dashboard.exceptionsEmpty")}</p>;
	return (
		<ul class="rows">
			{ids.map((id) => {
				const { text, shown } = nameOf(id);
				return (
					<li key={id} class="row">
						<span class="row-name">{shown}</span>
						<NumberField
							label={t("dashboard.limitOf", { name: text })}
							isLabelHidden
							value={limits[id] ?? null}
							onChange={(credits) => onChange(withEntry(limits, id, credits))}
						/>
						<RemoveButton name={text} onRemove={() => onChange(withoutKey(limits, id))} />
					</li>
				);
			})}
		</ul>
	);
}

function RolesCard({ settings: { allowance }, directory, updateAllowance }: AllowanceProps) {
	const { t } = useApp();
	const names = new Map(directory.roles.map(({ id, name }) => [id, name] as const));
	const rest = directory.roles.filter(({ id }) => !Object.hasOwn(allowance.roles, id));
	return (
		<Card title={t("dashboard.roles")} lead={t("dashboard.rolesLead")}>
			<LimitRows
				limits={allowance.roles}
				nameOf={(id) => ({ text: names.get(id) ?? id, shown: names.get(id) ?? id })}
				onChange={(roles) => updateAllowance({ roles })}
			/>
			<UnlessFull count={Object.keys(allowance.roles).length} max={LIMIT_EXCEPTIONS_MAX}>
				<AddSelect
					label={t("dashboard.addTo", { name: t("dashboard.roles") })}
					options={rest.map(({ id, name }) => [id, name])}
					onAdd={(id) => updateAllowance({ roles: { ...allowance.roles, [id]: allowance.everyone } })}
				/>
			</UnlessFull>
		</Card>
	);
}

function MembersCard({ settings: { allowance }, updateAllowance }: AllowanceProps) {
	const { t } = useApp();
	const { names } = useServer();
	return (
		<Card title={t("dashboard.members")} lead={t("dashboard.membersLead")}>
			<LimitRows
				limits={allowance.members}
				nameOf={(id) => ({ text: names.known.value.get(id)?.name ?? id, shown: <MemberName id={id} withAvatar /> })}
				onChange={(members) => updateAllowance({ members })}
			/>
			<UnlessFull count={Object.keys(allowance.members).length} max={LIMIT_EXCEPTIONS_MAX}>
				<MemberForm
					label={t("dashboard.addMember")}
					hint={t("dashboard.memberHint")}
					action={t("dashboard.add")}
					onMember={(id) => updateAllowance({ members: { [id]: allowance.everyone, ...allowance.members } })}
				/>
			</UnlessFull>
		</Card>
	);
}

function ServerLimitCard({ settings: { serverLimit }, update }: SettingsProps) {
	const { t } = useApp();
	/** Stays while the field for the credits is empty. */
	const chosenPer = useSignal<Allowance["per"]>("month");
	const per = serverLimit?.per ?? chosenPer.value;
	const set = (credits: number | null, next: Allowance["per"]): void => {
		chosenPer.value = next;
		update({ serverLimit: credits === null ? null : { credits, per: next } });
	};
	return (
		<Card title={t("field.serverLimit")} lead={t("dashboard.serverLimitLead")}>
			<div class="field-row">
				<NumberField
					label={t("field.serverLimit")}
					hint={t("dashboard.limitHint")}
					value={serverLimit?.credits ?? null}
					onChange={(credits) => set(credits, per)}
				/>
				<PeriodField value={per} onChange={(next) => set(serverLimit?.credits ?? null, next)} />
			</div>
		</Card>
	);
}

function TimeCard({ settings, directory, update }: SettingsProps) {
	const { t, formats } = useApp();
	return (
		<Card title={t("dashboard.monthAndTime")}>
			<SelectField
				label={t("field.unusedCredits")}
				value={settings.unusedCredits}
				options={(["expire", "carryOver"] as const).map((rule) => [rule, formats.capitalized(t(`choice.${rule}`))])}
				onChange={(unusedCredits) => update({ unusedCredits })}
			/>
			<ParsedField
				label={t("field.timeZone")}
				hint={t("dashboard.timeZoneHint")}
				value={settings.timeZone}
				valueText={settings.timeZone}
				parse={(text) => parseTimeZone(text, directory.timeZones)}
				invalidText={t("dashboard.timeZoneInvalid")}
				suggestions={directory.timeZones}
				onChange={(timeZone) => update({ timeZone })}
			/>
			<ChannelField
				path="warnChannelId"
				label={t("field.warnChannel")}
				hint={t("dashboard.warnChannelHint")}
				directory={directory}
				value={settings.warnChannelId}
				onChange={(warnChannelId) => update({ warnChannelId })}
			/>
		</Card>
	);
}
