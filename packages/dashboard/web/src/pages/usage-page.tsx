/** Spending by day, media type, member and model. */
import { useSignal } from "@preact/signals";
import { MEDIA_TYPES } from "@atelier/media-protocol/model";
import { USAGE_DAYS, type Usage } from "../../../src/schemas/usage.ts";
import { useApp, useServer } from "../app-context.ts";
import { Callout, Card, PageHead } from "../card.tsx";
import { DownloadLink } from "../download-link.tsx";
import { MemberName } from "../member-name.tsx";
import { differenceOf } from "../spending-difference.ts";
import { Choice } from "../fields.tsx";
import { Loaded, useResource } from "../load-data.tsx";
import { Table } from "../table.tsx";
import { UsageChart } from "../usage-chart.tsx";

type Days = `${(typeof USAGE_DAYS)[number]}`;

export function UsagePage() {
	const { t, call } = useApp();
	const { params } = useServer();
	const days = useSignal<Days>("30");
	const usage = useResource(() => call("usage", { params, query: { days: days.value } }), [days.value]);
	return (
		<>
			<PageHead title={t("dashboard.page", { page: "usage" })}>
				<Choice<Days>
					label={t("dashboard.usageRange")}
					value={days.value}
					options={USAGE_DAYS.map((count) => [`${count}`, t("dashboard.usageDays", { days: count })])}
					onChange={(value) => (days.value = value)}
				/>
				<DownloadLink file="usageCsv" input={{ params, query: { days: days.value } }}>
					{t("dashboard.csv")}
				</DownloadLink>
			</PageHead>
			<Loaded resource={usage}>{(value) => <UsageContent usage={value} />}</Loaded>
		</>
	);
}

function UsageContent({ usage }: { readonly usage: Usage }) {
	const { t, formats } = useApp();
	const { total, before, days, members, otherMembers, models, completeAfterMs, timeZone } = usage;
	const memberRows = [...members, ...(otherMembers.count > 0 ? [{ ...otherMembers, userId: null }] : [])];
	const credits = { title: t("dashboard.columnCredits"), isNumber: true } as const;
	const results = { title: t("dashboard.results"), isNumber: true } as const;
	return (
		<div class="stack">
			{completeAfterMs !== null && (
				<Callout kind="info">
					{t("dashboard.usageCompleteFrom", { date: formats.dateIn(timeZone, completeAfterMs) })}
				</Callout>
			)}
			<div class="tiles">
				<TotalTile
					title={t("dashboard.creditsSpent")}
					now={total.credits}
					before={before?.credits}
					days={days.length}
				/>
				<TotalTile title={t("dashboard.resultsMade")} now={total.results} before={before?.results} days={days.length} />
			</div>
			<Card title={t("usage.chartTitle")}>
				{total.credits === 0 ? <p class="empty">{t("dashboard.usageEmpty")}</p> : <DayChart usage={usage} />}
				<p class="hint">{t("dashboard.usageTimeZone", { timeZone })}</p>
			</Card>
			<div class="columns">
				<Card title={t("dashboard.byMember")}>
					<Table
						caption={t("dashboard.byMember")}
						rows={memberRows}
						rowKey={({ userId }) => userId ?? ""}
						columns={[
							{
								title: t("dashboard.columnMember"),
								cell: ({ userId }) =>
									userId === null ? (
										t("dashboard.otherMembers", { count: otherMembers.count })
									) : (
										<MemberName id={userId} withAvatar />
									),
							},
							{ ...credits, cell: (row) => formats.number(row.credits) },
							{ ...results, cell: (row) => formats.number(row.results) },
						]}
					/>
				</Card>
				<Card title={t("dashboard.byModel")}>
					<Table
						caption={t("dashboard.byModel")}
						rows={models}
						rowKey={({ model }) => model}
						columns={[
							{ title: t("dashboard.columnModel"), cell: ({ model }) => model },
							{ ...credits, cell: (row) => formats.number(row.credits) },
							{ ...results, cell: (row) => formats.number(row.results) },
						]}
					/>
				</Card>
			</div>
		</div>
	);
}

interface TotalTileProps {
	readonly title: string;
	readonly now: number;
	/** `undefined`: unknown. */
	readonly before: number | undefined;
	readonly days: number;
}

function TotalTile({ title, now, before, days }: TotalTileProps) {
	const { t, formats } = useApp();
	const difference = before === undefined ? undefined : differenceOf(now, before);
	return (
		<Card title={title} class="tile">
			<p class="figure">{formats.number(now)}</p>
			{difference && (
				<p class="figure-notes">
					{t("dashboard.usageDifference", { kind: difference.kind, percent: formats.percent(difference.share), days })}
				</p>
			)}
		</Card>
	);
}

function DayChart({ usage: { days, total } }: { readonly usage: Usage }) {
	const { t, formats } = useApp();
	return (
		<>
			<UsageChart
				days={days}
				description={t("dashboard.chartDescription", { days: days.length, credits: total.credits })}
			/>
			<details class="more-details">
				<summary>{t("dashboard.chartTable")}</summary>
				<Table
					caption={t("usage.chartTitle")}
					rows={days.toReversed()}
					rowKey={({ day }) => day}
					columns={[
						{ title: t("dashboard.columnDay"), cell: ({ day }) => formats.day(day) },
						...MEDIA_TYPES.map((mediaType) => ({
							title: t("mediaType.title", { mediaType }),
							isNumber: true,
							cell: (row: Usage["days"][number]) => formats.number(row[mediaType]),
						})),
					]}
				/>
			</details>
		</>
	);
}
