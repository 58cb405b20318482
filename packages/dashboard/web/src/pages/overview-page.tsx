/** Credits, spending, running jobs and last results at a glance. */
import type { Overview } from "../../../src/schemas/overview.ts";
import { useApp, useServer } from "../app-context.ts";
import { Callout, Card, PageHead } from "../card.tsx";
import { JobList } from "../job-list.tsx";
import { BalanceTile, LimitTile, SpentTile } from "../tiles.tsx";
import { Loaded, useReadEvery, useResource } from "../load-data.tsx";

/** The time until the page shows a job that has started or ended. */
const READ_EVERY_MS = 3_000;

export function OverviewPage() {
	const { t, call } = useApp();
	const { params } = useServer();
	const overview = useResource(() => call("overview", { params }), []);
	useReadEvery(overview, READ_EVERY_MS);
	return (
		<>
			<PageHead title={t("dashboard.page", { page: "overview" })} />
			<Loaded resource={overview}>{(value) => <OverviewContent overview={value} reload={overview.reload} />}</Loaded>
		</>
	);
}

function OverviewContent({ overview, reload }: { readonly overview: Overview; readonly reload: () => void }) {
	const { t, formats } = useApp();
	const { warnings, recent, running, hasMoreRunning, balance, monthlyCredits, refillsAtMs, creditPrice } = overview;
	return (
		<div class="stack">
			{warnings.map((warning) => (
				<Callout key={warning} kind={warning === "service_down" || warning === "month_100" ? "danger" : "warning"}>
					{t("dashboard.warning", { warning })}
				</Callout>
			))}
			<div class="tiles">
				<BalanceTile balance={balance} creditPrice={creditPrice}>
					{refillsAtMs !== null && monthlyCredits > 0 && (
						<li>{t("dashboard.creditsRefill", { credits: monthlyCredits, date: formats.date(refillsAtMs) })}</li>
					)}
				</BalanceTile>
				<SpentTile {...overview} />
				<LimitTile title={t("field.serverLimit")} limit={overview.serverLimit} />
			</div>
			<Card title={t("dashboard.runningJobs")}>
				<p class="sr-only" role="status">
					{t("dashboard.runningCount", { count: running.length })}
				</p>
				{hasMoreRunning && <Callout kind="info">{t("dashboard.runningMore")}</Callout>}
				{running.length === 0 ? (
					<p class="empty">{t("dashboard.runningEmpty")}</p>
				) : (
					<JobList jobs={running} actions={["cancel"]} reload={reload} />
				)}
			</Card>
			<Card title={t("dashboard.latestFinishedJobs")}>
				{recent.length === 0 ? (
					<p class="empty">{t("dashboard.jobsEmpty")}</p>
				) : (
					<JobList jobs={recent} actions={[]} reload={reload} />
				)}
			</Card>
		</div>
	);
}
