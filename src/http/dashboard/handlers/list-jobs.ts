/** Reads the jobs of a server or a member in pages. */
import type { RequestOf, ResponseOf } from "@atelier/dashboard/contract";
import type { Job, JobFilterState } from "@atelier/dashboard/schemas/jobs";
import { inBatches } from "@atelier/common/in-batches";
import { taskStatusOf } from "../../../services/tasks/task-status.ts";
import { awaitsReply } from "../../../services/tasks/task.ts";
import type { Task } from "../../../services/tasks/task.ts";
import { loadReadableTask, type TaskStore } from "../../../services/tasks/task-store.ts";
import type { DashboardServices } from "../dashboard-services.ts";
import { jobOf, type JobViewer } from "./job-document.ts";
import type { Caller } from "../api-request.ts";

const PAGE_JOBS = 24;
/** Jobs read for one page: bounds the search for a rare state. */
const READ_MAX = 500;
/** Jobs among which running ones are looked for. */
const RECENT_MAX = 100;
/** Divides `RECENT_MAX`. Most servers have fewer jobs in an hour. */
const BATCH_TASKS = 20;
/** 2015: Discord counts the milliseconds in its ids from here. */
const DISCORD_EPOCH_MS = 1_420_070_400_000;
/** The clocks of Discord, which makes the ids, and of the bot may differ. */
const SLACK_MS = 60 * 60 * 1000;

type JobsQuery = RequestOf<"jobs">["query"];

/** Reads a page of jobs, newest first. `index`: yields ids, optionally those before one. */
export async function readJobsPage(
	index: (beforeId: string | undefined) => AsyncIterable<string>,
	{ before, ...filter }: JobsQuery,
	viewer: JobViewer,
	taskStore: Pick<TaskStore, "load">,
): Promise<ResponseOf<"jobs">> {
	const { fromMs = 0, untilMs } = filter;
	const items: Job[] = [];
	let read = 0;
	let lastId: string | null = null;
	for await (const taskId of index(before ?? (untilMs === undefined ? undefined : firstIdAfter(untilMs + SLACK_MS)))) {
		if (items.length === PAGE_JOBS || read === READ_MAX) return { items, next: lastId };
		read++;
		lastId = taskId;
		const task = await loadReadableTask(taskStore, taskId);
		if (task && task.createdAtMs < fromMs - SLACK_MS) break;
		if (task && isMatch(task, filter, viewer)) items.push(jobOf(task, viewer));
	}
	return { items, next: null };
}

function firstIdAfter(ms: number): string {
	return String(BigInt(Math.max(0, ms - DISCORD_EPOCH_MS)) << 22n);
}

interface RecentTasks {
	readonly tasks: readonly Task[];
	/** True if older tasks may be running: the oldest of these still may. */
	readonly hasMoreRunning: boolean;
}

interface RecentTasksDeps extends Pick<DashboardServices, "clock" | "deadlineMsMax"> {
	readonly taskStore: Pick<TaskStore, "load" | "ofGuild">;
}

/**
 * Reads the newest tasks of a server, up to `RECENT_MAX`: all that may be running, and at least `endedMin` others. It stops at a task
 * that is older than the longest deadline; a result that waits for moderators longer than that is found on the page of jobs.
 */
export async function readRecentTasks(
	guildId: string,
	{ taskStore, clock, deadlineMsMax }: RecentTasksDeps,
	endedMin = 0,
): Promise<RecentTasks> {
	const recent: Task[] = [];
	const endedBeforeMs = clock.nowMs() - deadlineMsMax;
	let read = 0;
	for await (const taskIds of inBatches(taskStore.ofGuild(guildId), BATCH_TASKS)) {
		if (read === RECENT_MAX) return { tasks: recent, hasMoreRunning: true };
		read += taskIds.length;
		const found = await Promise.all(taskIds.map((taskId) => loadReadableTask(taskStore, taskId)));
		recent.push(...found.filter((task) => task !== undefined));
		const oldest = recent.at(-1);
		const endedCount = recent.filter((task) => !awaitsReply(task)).length;
		if (oldest && oldest.createdAtMs <= endedBeforeMs && endedCount >= endedMin) break;
	}
	return { tasks: recent, hasMoreRunning: false };
}

export async function readJobViewer(
	caller: Caller,
	guildId: string,
	services: Pick<DashboardServices, "settings" | "mayManagersGrant">,
): Promise<JobViewer> {
	const { reportChannelId } = await services.settings.read(guildId);
	return jobViewerOf(caller, services, reportChannelId !== null);
}

export function jobViewerOf(
	{ userId, locale, permissions }: Caller,
	{ mayManagersGrant }: Pick<DashboardServices, "mayManagersGrant">,
	mayReport: boolean,
): JobViewer {
	return { userId, locale, mayRefund: permissions.isManager && mayManagersGrant, mayReport };
}

function isMatch(task: Task, filter: JobsQuery, viewer: JobViewer): boolean {
	const { userId, model, state, fromMs = 0, untilMs = Number.POSITIVE_INFINITY } = filter;
	// A filter by member must not reveal whose private results are listed.
	const isHidden = task.reply.isEphemeral && task.userId !== viewer.userId;
	if (userId !== undefined && isHidden) return false;
	if (task.createdAtMs < fromMs || task.createdAtMs >= untilMs) return false;
	return (model === undefined || task.request.model === model) && (state === undefined || isInState(task, state));
}

function isInState(task: Task, state: JobFilterState): boolean {
	return state === "running" ? awaitsReply(task) : taskStatusOf(task) === state;
}
