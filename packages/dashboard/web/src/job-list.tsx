/** Jobs with their state, prompt and actions. */
import { useSignal } from "@preact/signals";
import type { Job } from "../../src/schemas.ts";
import { useApp, useServer } from "./app-context.ts";
import { MemberName, Time } from "./card.tsx";
import { Confirm } from "./confirm.tsx";
import { Icon } from "./icon.tsx";

type Action = Job["actions"][number];

interface JobListProps {
	readonly jobs: readonly Job[];
	/** The actions that this list offers. */
	readonly actions: readonly Action[];
	/** Runs after an action, to read the list again. */
	readonly onChanged: () => void;
	/** The list is the reader's own: it needs no names. */
	readonly isOwn?: boolean;
}

const CALLS = { cancel: "cancelJob", delete: "deleteResult", refund: "refundJob" } as const;

export function JobList({ jobs, actions, onChanged, isOwn = false }: JobListProps) {
	const { t, call, notify } = useApp();
	const { params } = useServer();
	const asked = useSignal<{ readonly job: Job; readonly action: Action } | null>(null);
	const run = async (): Promise<void> => {
		if (!asked.value) return;
		const { job, action } = asked.value;
		const { message } = await call(CALLS[action], { params: { ...params, job: job.id } });
		notify(message);
		onChanged();
	};
	return (
		<>
			<ul class="jobs">
				{jobs.map((job) => (
					<li key={job.id} class="job">
						<JobText job={job} isOwn={isOwn} />
						<div class="job-actions">
							{job.url !== null && (
								<a class="button small" href={job.url} target="_blank" rel="noreferrer">
									<Icon name="open" />
									{t("dashboard.jobOpen")}
								</a>
							)}
							{job.actions
								.filter((action) => actions.includes(action))
								.map((action) => (
									<button
										key={action}
										type="button"
										class="button small"
										onClick={() => (asked.value = { job, action })}
									>
										{t("dashboard.jobAction", { action })}
									</button>
								))}
						</div>
					</li>
				))}
			</ul>
			{asked.value && (
				<Confirm
					title={t("dashboard.jobConfirmTitle", { action: asked.value.action })}
					text={t("dashboard.jobConfirm", { action: asked.value.action, credits: asked.value.job.credits })}
					action={t("dashboard.jobAction", { action: asked.value.action })}
					run={run}
					onClose={() => (asked.value = null)}
				/>
			)}
		</>
	);
}

function JobText({ job, isOwn }: { readonly job: Job; readonly isOwn: boolean }) {
	const { t } = useApp();
	const { mediaType, model, prompt, isPrivate, state, reason, credits, createdAtMs, userId } = job;
	return (
		<div class="job-text">
			<p class={prompt === null ? "job-prompt quiet" : "job-prompt"}>
				<Icon name={mediaType} />
				<span class="sr-only">{t("dashboard.mediumOne", { mediaType })}: </span>
				{prompt ?? t("dashboard.jobPrivate")}
			</p>
			<p class="facts">
				<span class={`badge ${state}`}>{t("dashboard.jobState", { state })}</span>
				{isPrivate && prompt !== null && <span class="badge">{t("dashboard.jobPrivateBadge")}</span>}
				{!isOwn && userId !== null && <MemberName id={userId} />}
				<span>{model}</span>
				<span>{t("dashboard.credits", { credits })}</span>
				<Time atMs={createdAtMs} />
			</p>
			{reason !== null && <p class="job-reason">{reason}</p>}
		</div>
	);
}
