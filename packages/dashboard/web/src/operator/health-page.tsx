/** The state of the bot, and the doctor's checks. */
import { useSignal } from "@preact/signals";
import { Fragment, type ComponentChildren } from "preact";
import type { OperatorChecks, OperatorHealth } from "../../../src/schemas/operator.ts";
import { useApp } from "../app-context.ts";
import { Card, Time } from "../card.tsx";
import { MentionText } from "../mention-text.tsx";
import { PageHead } from "../page-head.tsx";
import { Failure, Loaded, Skeleton, useAction, useReadEvery, useResource } from "../load-data.tsx";
import { Table } from "../table.tsx";

type Checks = OperatorChecks["checks"];

const READ_EVERY_MS = 10_000;

const GRADE_CLASSES = { ok: "succeeded", note: "", warn: "running", fix: "failed" } as const;
const STATE_CLASSES = { up: "succeeded", degraded: "running", down: "failed" } as const;
const OUTCOMES = ["delivered", "undelivered", "delayed", "failed"] as const;

export function HealthPage() {
	const { t, call } = useApp();
	const health = useResource(() => call("operatorHealth"), []);
	useReadEvery(health, READ_EVERY_MS);
	return (
		<>
			<PageHead title={t("dashboard.operatorPage", { page: "health" })} />
			<div class="stack">
				<Loaded resource={health} lines={8}>
					{(value) => (
						<div class="stack">
							<div class="columns">
								<ProcessCard health={value} />
								<DeliveriesCard deliveries={value.deliveries} />
							</div>
							{value.studio && <EnginesCard engines={value.studio.engines} />}
						</div>
					)}
				</Loaded>
				<ChecksCard />
			</div>
		</>
	);
}

function Facts({ facts }: { readonly facts: readonly (readonly [name: string, value: ComponentChildren])[] }) {
	return (
		<dl class="rows fact-list">
			{facts.map(([name, value]) => (
				<div key={name}>
					<dt>{name}</dt>
					<dd>{value}</dd>
				</div>
			))}
		</dl>
	);
}

function ProcessCard({ health }: { readonly health: OperatorHealth }) {
	const { t, formats } = useApp();
	const { media, queue, audit } = health;
	const auditText = audit && {
		time: formats.age(audit.atMs),
		accounts: audit.accounts,
		findings: audit.findings,
	};
	return (
		<Card title={t("dashboard.healthProcess")}>
			<Facts
				facts={[
					[t("dashboard.healthFact", { fact: "version" }), health.version],
					[t("dashboard.healthFact", { fact: "started" }), <Time key="started" atMs={health.startedAtMs} />],
					[
						t("dashboard.healthFact", { fact: "gateway" }),
						<State key="gateway" state={health.isGatewayUp ? "up" : "down"} />,
					],
					[
						t("dashboard.healthFact", { fact: "media" }),
						media.sinceMs === null ? (
							<State key="media" state={media.isUp ? "up" : "down"} />
						) : (
							<Fragment key="media">
								<span class="badge failed">{t("dashboard.downSince", { time: formats.moment(media.sinceMs) })}</span>{" "}
								{media.reason}
							</Fragment>
						),
					],
					[
						t("dashboard.healthFact", { fact: "queue" }),
						t("dashboard.queueKind", { kind: queue.isShared ? "shared" : "own" }),
					],
					[t("dashboard.healthFact", { fact: "openTasks" }), formats.number(queue.openTasks)],
					[t("dashboard.healthFact", { fact: "overdue" }), formats.number(queue.overdueTasks)],
					[
						t("dashboard.healthFact", { fact: "lag" }),
						queue.oldestOverdueRunMs === null
							? t("dashboard.unknown")
							: t("dashboard.lagSeconds", { seconds: Math.round(queue.oldestOverdueRunMs / 1000) }),
					],
					[
						t("dashboard.healthFact", { fact: "audit" }),
						auditText ? t("dashboard.auditResult", auditText) : t("dashboard.auditNone"),
					],
				]}
			/>
		</Card>
	);
}

function State({ state }: { readonly state: keyof typeof STATE_CLASSES }) {
	const { t } = useApp();
	return <span class={`badge ${STATE_CLASSES[state]}`}>{t("dashboard.healthState", { state })}</span>;
}

function DeliveriesCard({ deliveries }: { readonly deliveries: OperatorHealth["deliveries"] }) {
	const { t, formats } = useApp();
	return (
		<Card title={t("dashboard.deliveries")}>
			<Facts
				facts={OUTCOMES.map((outcome) => [
					t("dashboard.deliveryOutcome", { outcome }),
					formats.number(deliveries[outcome]),
				])}
			/>
		</Card>
	);
}

function EnginesCard({ engines }: { readonly engines: NonNullable<OperatorHealth["studio"]>["engines"] }) {
	const { t } = useApp();
	return (
		<Card title={t("dashboard.engines")}>
			<Table
				caption={t("dashboard.engines")}
				rows={engines}
				rowKey={({ name }) => name}
				columns={[
					{ title: t("dashboard.columnEngine"), cell: ({ name }) => name },
					{
						title: t("dashboard.columnState"),
						cell: ({ health }) => <State state={health} />,
					},
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
	const { isBusy, error, run: runAction } = useAction();
	const run = (): void => {
		if (isBusy.value) return;
		void runAction(async () => {
			({ checks: checks.value } = await call("operatorChecks"));
		});
	};
	return (
		<Card
			title={t("dashboard.checks")}
			lead={t("dashboard.checksLead")}
			tools={
				<button type="button" class="button small" aria-disabled={isBusy.value} onClick={run}>
					{t("dashboard.checksRun")}
				</button>
			}
		>
			{error.value !== null && <Failure error={error.value} retry={run} />}
			<div class="checks" role="status" aria-busy={isBusy.value}>
				{isBusy.value ? (
					<Skeleton lines={3} />
				) : (
					checks.value?.map((part) => <CheckedPart key={part.title} part={part} />)
				)}
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
						<span class={`badge ${GRADE_CLASSES[grade]}`}>{t("dashboard.checkGrade", { grade })}</span>
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
