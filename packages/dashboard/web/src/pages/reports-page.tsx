/** Reported results, and what moderators can do about them. */
import { useSignal } from "@preact/signals";
import { REPORT_STATES, type Report } from "../../../src/schemas/reports.ts";
import { useApp, useServer } from "../app-context.ts";
import { PageHead, Time } from "../card.tsx";
import { ConfirmButton } from "../confirm-dialog.tsx";
import { Choice } from "../fields.tsx";
import { Icon } from "../icon.tsx";
import { MemberName } from "../member-name.tsx";
import { OpenLink } from "../open-link.tsx";
import { PagedList, usePages } from "../load-data.tsx";

type Action = Report["actions"][number];
type State = (typeof REPORT_STATES)[number];

export function ReportsPage() {
	const { t, call, notify } = useApp();
	const { params } = useServer();
	const state = useSignal<State>("open");
	const pages = usePages(
		(before?: number) => call("reports", { params, query: { state: state.value, before } }),
		[state.value],
	);
	const act = async ({ taskId }: Report, action: Action): Promise<void> => {
		const { isChannelUpdated } = await call("actOnReport", { params: { ...params, job: taskId }, body: { action } });
		notify(isChannelUpdated ? t("dashboard.reportDone", { action }) : t("report.messageStale"));
	};
	return (
		<>
			<PageHead title={t("dashboard.page", { page: "reports" })} lead={t("dashboard.reportsLead")}>
				<Choice<State>
					label={t("dashboard.columnState")}
					value={state.value}
					options={REPORT_STATES.map((each) => [each, t("dashboard.reportState", { state: each })])}
					onChange={(value) => (state.value = value)}
				/>
			</PageHead>
			<div class="card">
				<PagedList pages={pages} empty={t("dashboard.reportsEmpty", { state: state.value })}>
					{(items) => (
						<ul class="rows">
							{items.map((report) => (
								<ReportItem
									key={report.taskId}
									report={report}
									act={(action) => act(report, action)}
									reload={pages.reload}
								/>
							))}
						</ul>
					)}
				</PagedList>
			</div>
		</>
	);
}

interface ReportItemProps {
	readonly report: Report;
	readonly act: (action: Action) => Promise<void>;
	readonly reload: () => void;
}

function ReportItem({ report, act, reload }: ReportItemProps) {
	const { t } = useApp();
	const { prompt, userId, model, credits, url, reports, done, actions } = report;
	return (
		<li class="stack report">
			<ul class="stack tight">
				{reports.map(({ userId: reporterId, reason, atMs }) => (
					<li key={reporterId}>
						<p class="report-reason">{reason}</p>
						<p class="facts">
							<MemberName id={reporterId} withAvatar />
							<Time atMs={atMs} />
						</p>
					</li>
				))}
			</ul>
			<div class="stack tight report-result">
				<p>{prompt}</p>
				<p class="facts">
					<span>
						{t("dashboard.reportAuthor")} <MemberName id={userId} />
					</span>
					<span>{model}</span>
					<span>{t("credits.amount", { credits })}</span>
					{url === null && done.every(({ action }) => action !== "delete") && (
						<span class="badge">{t("dashboard.jobPrivateBadge")}</span>
					)}
				</p>
				{done.map(({ action, byUserId, atMs }) => (
					<p key={action} class="facts done">
						<Icon name="check" />
						<span>{t("dashboard.reportDone", { action })}</span>
						{byUserId !== null && <MemberName id={byUserId} />}
						<Time atMs={atMs} />
					</p>
				))}
			</div>
			<div class="job-actions">
				<OpenLink url={url} />
				{actions.map((action) => (
					<ConfirmButton
						key={action}
						class={action === "delete" || action === "block" ? "button small danger" : "button small"}
						title={t("dashboard.reportConfirmTitle", { action })}
						text={t("dashboard.reportConfirm", { action, credits })}
						action={t("button.reportAction", { action })}
						run={() => act(action)}
						reload={reload}
					/>
				))}
			</div>
		</li>
	);
}
