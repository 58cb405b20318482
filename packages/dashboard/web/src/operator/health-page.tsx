/** The state of the bot, and the doctor's checks. */
import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import type { OperatorChecks, OperatorHealth } from "../../../src/schemas/operator.ts";
import { useApp } from "../app-context.ts";
import { Card, PageHead, Time } from "../card.tsx";
import { MentionText } from "../mention-text.tsx";
import { Loaded, Skeleton, useReadEvery, useResource } from "../load-data.tsx";
import { Table } from "../table.tsx";
import { useAction } from "../use-action.ts";

type Checks = OperatorChecks["checks"];

const READ_EVERY_MS = 10_000;

export function HealthPage() {
	const { t, call } = useApp();
	const health = useResource(() => call("operatorHealth"), []);
	useReadEvery(health, READ_EVERY_MS);
	return (
		<>
			<PageHead title={t("dashboard.operatorPage", { page: "health" })} />
			<div class="stack">
				<Loaded resource={health}>
					{(value) => (
						<div class="stack">
							<div class="columns">
								<ProcessCard health={value} />
								<DeliveriesCard deliveries={value.deliveries} />
							</div>
							{value.studio && <EnginesCard {...value.studio} />}
						</div>
					)}
				</Loaded>
				<ChecksCard />
			</div>
		</>
	);
}

interface FactsProps<Name extends string> {
	readonly facts: Readonly<Record<Name, ComponentChildren>>;
	readonly nameOf: (name: Name) => string;
}

function Facts<Name extends string>({ facts, nameOf }: FactsProps<Name>) {
	const { formats } = useApp();
	return (
		<dl class="rows fact-list">
			{(Object.keys(facts) as Name[]).map((name) => (
				<div key={name}>
					<dt>{nameOf(name)}</dt>
					<dd>{typeof facts[name] === "number" ? formats.number(facts[name]) : facts[name]}</dd>
				</div>
			))}
		</dl>
	);
}

function ProcessCard({ health }: { readonly health: OperatorHealth }) {
	const { t, formats } = useApp();
	const { media, queue, audit } = health;
	const lagMs = queue.oldestOverdueRunMs;
	return (
		<Card title={t("dashboard.healthProcess")}>
			<Facts
				nameOf={(fact) => t("dashboard.healthFact", { fact })}
				facts={{
					version: health.version,
					started: <Time atMs={health.startedAtMs} />,
					gateway: <State state={health.isGatewayUp ? "up" : "down"} />,
					media:
						media.sinceMs === null ? (
							<State state={media.isUp ? "up" : "down"} />
						) : (
							<>
								<span class="badge failed">{t("dashboard.downSince", { time: formats.moment(media.sinceMs) })}</span>{" "}
								{media.reason}
							</>
						),
					queue: t("dashboard.queueKind", { kind: queue.isShared ? "shared" : "own" }),
					openTasks: queue.openTasks,
					overdue: queue.overdueTasks,
					lag:
						lagMs === null ? t("dashboard.unknown") : t("dashboard.lagSeconds", { seconds: Math.round(lagMs / 1000) }),
					audit: audit
						? t("dashboard.auditResult", { ...audit, time: formats.age(audit.atMs) })
						: t("dashboard.auditNone"),
				}}
			/>
		</Card>
	);
}

function State({ state }: { readonly state: "up" | "degraded" | "down" }) {
	const { t } = useApp();
	return <span class={`badge ${state}`}>{t("dashboard.healthState", { state })}</span>;
}

function DeliveriesCard({ deliveries }: Pick<OperatorHealth, "deliveries">) {
	const { t } = useApp();
	return (
		<Card title={t("dashboard.deliveries")}>
			<Facts facts={deliveries} nameOf={(outcome) => t("dashboard.deliveryOutcome", { outcome })} />
		</Card>
	);
}

function EnginesCard({ engines }: NonNullable<OperatorHealth["studio"]>) {
	const { t } = useApp();
	return (
		<Card title={t("dashboard.engines")}>
			<Table
				caption={t("dashboard.engines")}
				rows={engines}
				rowKey={({ name }) => name}
				columns={[
					{ title: t("dashboard.columnEngine"), cell: ({ name }) => name },
					{ title: t("dashboard.columnState"), cell: ({ health }) => <State state={health} /> },
					{
						title: t("dashboard.runningJobs"),
						isNumber: true,
						cell: ({ running, slots }) => t("dashboard.engineLoad", { running, slots }),
					},
				]}
			/>
		</Card>
	);
}

function ChecksCard() {
	const { t, call } = useApp();
	const checks = useSignal<Checks | null>(null);
	const { isBusy, run } = useAction();
	const check = async (): Promise<void> => {
		({ checks: checks.value } = await call("operatorChecks"));
	};
	return (
		<Card
			title={t("dashboard.checks")}
			lead={t("dashboard.checksLead")}
			tools={
				<button
					type="button"
					class="button small"
					aria-disabled={isBusy.value}
					onClick={() => void (isBusy.value || run(check))}
				>
					{t("dashboard.checksRun")}
				</button>
			}
		>
			<div class="checks" role="status" aria-busy={isBusy.value}>
				{isBusy.value ? <Skeleton /> : checks.value?.map((part) => <CheckedPart key={part.title} part={part} />)}
			</div>
		</Card>
	);
}

function CheckedPart({ part: { title, results } }: { readonly part: Checks[number] }) {
	const { t } = useApp();
	return (
		<section lang="en" class="checked-part">
			<h3>{title}</h3>
			<ul class="check-results">
				{results.map(({ grade, text, details, advice }, at) => (
					<li key={at}>
						<span class={`badge ${grade}`}>{t("dashboard.checkGrade", { grade })}</span>
						<div>
							<p>
								<MentionText text={text} />
							</p>
							{details.length > 0 && <p class="hint">{details.join(" · ")}</p>}
							{advice !== null && (
								<p class="hint">
									<MentionText text={advice} />
								</p>
							)}
						</div>
					</li>
				))}
			</ul>
		</section>
	);
}
