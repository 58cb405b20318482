/** Credits, spending, running jobs and last results at a glance. */
import { useSignal } from "@preact/signals";
import type { z } from "zod";
import { useEffect } from "preact/hooks";
import { RunningJobs, type Overview as OverviewSchema } from "../../../src/schemas.ts";
import { addressOf } from "../api-addresses.ts";
import { useApp, useServer } from "../app-context.ts";
import { BalanceFigures } from "../balance-figures.tsx";
import { Callout, Card, LimitTile, SpentTile } from "../card.tsx";
import { JobList } from "../job-list.tsx";
import { PageHead } from "../page-head.tsx";
import { Loaded, useResource } from "../load-data.tsx";

type Overview = z.infer<typeof OverviewSchema>;
type Running = z.infer<typeof RunningJobs>;

/** A stream that the browser gave up is opened again after this time. */
const REOPEN_MS = 15_000;

export function OverviewPage() {
	const { t, call } = useApp();
	const { params } = useServer();
	const overview = useResource(() => call("overview", { params }), []);
	return (
		<>
			<PageHead title={t("dashboard.page", { page: "overview" })} />
			<Loaded resource={overview} lines={8}>
				{(value) => <OverviewContent overview={value} reload={overview.reload} />}
			</Loaded>
		</>
	);
}

/** Follows the running jobs. Calls `onEnded` when a job is gone from the list. */
function useRunningJobs(overview: Overview, onEnded: () => void): Running & { readonly isLive: boolean } {
	const { params } = useServer();
	const { running: first, hasMoreRunning, balance } = overview;
	const fromOverview = { running: first, hasMoreRunning, availableCredits: balance.availableCredits };
	const running = useSignal<Running>(fromOverview);
	const isLive = useSignal(false);
	useEffect(() => {
		// The stream is newer than an overview that was read before its last event.
		if (!isLive.value) running.value = fromOverview;
	}, [overview]);
	useEffect(() => {
		let timer = 0;
		let source: EventSource | undefined;
		const open = (): void => {
			source = new EventSource(addressOf("events", { params }));
			source.addEventListener("open", () => (isLive.value = true));
			source.addEventListener("message", ({ data }: MessageEvent<string>) => {
				const { data: next } = RunningJobs.safeParse(JSON.parse(data));
				if (!next) return;
				const stillRunning = new Set(next.running.map(({ id }) => id));
				const hasEnded = running.value.running.some(({ id }) => !stillRunning.has(id));
				running.value = next;
				if (hasEnded) onEnded();
			});
			source.addEventListener("error", () => {
				isLive.value = false;
				if (source?.readyState !== EventSource.CLOSED) return;
				// Reads the overview too: it notices that the session has ended.
				timer = window.setTimeout(() => {
					onEnded();
					open();
				}, REOPEN_MS);
			});
		};
		open();
		return () => {
			clearTimeout(timer);
			source?.close();
		};
	}, []);
	return { ...running.value, isLive: isLive.value };
}

function OverviewContent({ overview, reload }: { readonly overview: Overview; readonly reload: () => void }) {
	const { t } = useApp();
	const { warnings, recent } = overview;
	const { running, hasMoreRunning, availableCredits, isLive } = useRunningJobs(overview, reload);
	return (
		<div class="stack">
			{warnings.map((warning) => (
				<Callout key={warning} kind={warning === "service_down" || warning === "month_100" ? "danger" : "warning"}>
					{t("dashboard.warning", { warning })}
				</Callout>
			))}
			<div class="tiles">
				<BalanceTile overview={overview} availableCredits={availableCredits} />
				<SpentTile {...overview} />
				<LimitTile title={t("dashboard.serverLimit")} limit={overview.serverLimit} />
			</div>
			<Card title={t("dashboard.runningJobs")} tools={isLive && <span class="live">{t("dashboard.live")}</span>}>
				<p class="sr-only" role="status">
					{t("dashboard.runningCount", { count: running.length })}
				</p>
				{hasMoreRunning && <Callout kind="info">{t("dashboard.runningMore")}</Callout>}
				{running.length === 0 ? (
					<p class="empty">{t("dashboard.runningEmpty")}</p>
				) : (
					<JobList jobs={running} actions={["cancel"]} onChanged={reload} />
				)}
			</Card>
			<Card title={t("dashboard.lastResults")}>
				{recent.length === 0 ? (
					<p class="empty">{t("dashboard.jobsEmpty")}</p>
				) : (
					<JobList jobs={recent} actions={[]} onChanged={reload} />
				)}
			</Card>
		</div>
	);
}

interface BalanceTileProps {
	readonly overview: Overview;
	readonly availableCredits: number;
}

function BalanceTile({ overview, availableCredits }: BalanceTileProps) {
	const { t, formats } = useApp();
	const { balance, monthlyCredits, refillsAtMs, creditPrice } = overview;
	return (
		<Card title={t("dashboard.creditsLeft")} class="tile">
			<BalanceFigures balance={{ ...balance, availableCredits }}>
				{creditPrice && <li>{formats.money(availableCredits * creditPrice.amount, creditPrice.currency)}</li>}
				{refillsAtMs !== null && monthlyCredits > 0 && (
					<li>{t("dashboard.creditsRefill", { credits: monthlyCredits, date: formats.date(refillsAtMs) })}</li>
				)}
			</BalanceFigures>
		</Card>
	);
}
