/** Jobs with their state, prompt and actions. */
import { RUNNING_JOB_STATES, type Job } from "../../src/schemas/jobs.ts";
import { useApp } from "./app-context.ts";
import { Time } from "./card.tsx";
import { Icon } from "./icon.tsx";
import { JobButtons, type JobAction } from "./job-actions.tsx";
import { JobPreview } from "./job-preview.tsx";
import { MemberName } from "./member-name.tsx";
import { MentionText } from "./mention-text.tsx";

interface JobListProps {
	readonly jobs: readonly Job[];
	/** The actions that this list offers. */
	readonly actions: readonly JobAction[];
	/** Runs after an action, to read the list again. */
	readonly reload: () => void;
	/** The list is the reader's own: it needs no names. */
	readonly isOwn?: boolean;
	/** Shows tiles with previews, instead of one job below the other. */
	readonly asTiles?: boolean;
}

export function JobList({ jobs, actions, reload, isOwn = false, asTiles = false }: JobListProps) {
	return (
		<ul class={asTiles ? "gallery" : "rows"}>
			{jobs.map((job) => (
				<li key={job.id} class={asTiles ? "job-tile" : "job"}>
					{asTiles && <JobPreview job={job} />}
					<JobText job={job} isOwn={isOwn} />
					<JobButtons job={job} actions={actions} reload={reload} />
				</li>
			))}
		</ul>
	);
}

/** The time until a list of jobs is read again while it shows a running one. */
const READ_EVERY_MS = 5_000;

/** Returns after which time a list of jobs is to be read again. `null` if no job of it runs. */
export function readJobsEveryMs(jobs: readonly Job[] = []): number | null {
	return jobs.some(isRunning) ? READ_EVERY_MS : null;
}

export function isRunning({ state }: Job): boolean {
	return RUNNING_JOB_STATES.some((each) => each === state);
}

function JobText({ job, isOwn }: { readonly job: Job; readonly isOwn: boolean }) {
	const { t } = useApp();
	const { mediaType, model, prompt, isPrivate, isDeleted, isRefunded, state, reason, credits, createdAtMs, userId } =
		job;
	return (
		<div class="job-text">
			<p class={prompt === null ? "job-prompt quiet" : "job-prompt"}>
				<Icon name={mediaType} />
				<span class="sr-only">{t("dashboard.mediumOne", { mediaType })}: </span>
				{/* Tiles show a few lines of it. */}
				<span class="job-words">{prompt ?? t("dashboard.jobPrivate")}</span>
			</p>
			<p class="facts">
				<span class={`badge ${isRunning(job) ? "running" : state}`}>{t(`state.${state}`)}</span>
				{isPrivate && prompt !== null && <span class="badge">{t("dashboard.jobPrivateBadge")}</span>}
				{isDeleted && <span class="badge">{t("dashboard.jobDeleted")}</span>}
				{isRefunded && <span class="badge">{t("dashboard.jobRefunded")}</span>}
				{!isOwn && userId !== null && <MemberName id={userId} />}
				<span>{model}</span>
				<span>{t("credits.amount", { credits })}</span>
				<Time atMs={createdAtMs} />
			</p>
			{reason !== null && (
				<p class={state === "failed" ? "job-reason failed" : "job-reason"}>
					<MentionText text={reason} />
				</p>
			)}
		</div>
	);
}
