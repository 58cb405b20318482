/** Reads the jobs of a server or a member in pages. */
import { CorruptDocumentError } from "@atelier/store/store-errors";
import type { Task } from "../../../services/tasks/task.ts";
import type { DashboardServices } from "../dashboard-services.ts";
import { jobOf, stateOf, type Job, type JobState } from "./job-document.ts";
import type { Reader } from "../api-request.ts";

const PAGE_JOBS = 25;
/** Jobs read for one page: bounds the search for a rare state. */
const READ_MAX = 500;
/** Jobs among which running ones are looked for. */
const RECENT_MAX = 100;

interface JobFilter {
	readonly userId?: string | undefined;
	readonly model?: string | undefined;
	readonly state?: JobState | undefined;
}

interface JobsPage {
	readonly jobs: Job[];
	/** `before` of the next page; `null` at the end. */
	readonly nextBefore: string | null;
}

/** Reads a page of jobs from an index, newest first. */
export async function readJobsPage(
	index: AsyncIterable<string>,
	filter: JobFilter,
	reader: Reader,
	services: Pick<DashboardServices, "tasks" | "mayManagersGrant">,
): Promise<JobsPage> {
	const jobs: Job[] = [];
	let read = 0;
	let lastId: string | null = null;
	for await (const taskId of index) {
		if (jobs.length === PAGE_JOBS || read === READ_MAX) return { jobs, nextBefore: lastId };
		read++;
		lastId = taskId;
		const task = await loadReadable(services.tasks, taskId);
		if (task && isMatch(task, filter, reader)) jobs.push(jobFor(task, reader, services));
	}
	return { jobs, nextBefore: null };
}

/** Reads the newest tasks of a server. */
export async function readRecentTasks(
	guildId: string,
	{ tasks }: Pick<DashboardServices, "tasks">,
): Promise<readonly Task[]> {
	const ids: string[] = [];
	for await (const taskId of tasks.ofGuild(guildId)) {
		ids.push(taskId);
		if (ids.length === RECENT_MAX) break;
	}
	const found = await Promise.all(ids.map((taskId) => loadReadable(tasks, taskId)));
	return found.filter((task) => task !== undefined);
}

export function jobFor(
	task: Task,
	{ userId, locale, permissions }: Reader,
	{ mayManagersGrant }: Pick<DashboardServices, "mayManagersGrant">,
): Job {
	return jobOf(task, { userId, locale, isManager: permissions.isManager, mayRefund: mayManagersGrant });
}

/** `undefined` for a corrupt task: it must not hide the others. */
async function loadReadable(tasks: DashboardServices["tasks"], taskId: string): Promise<Task | undefined> {
	try {
		return (await tasks.load(taskId))?.task;
	} catch (error) {
		if (error instanceof CorruptDocumentError) return undefined;
		throw error;
	}
}

/** A filter by member must not reveal whose private results are listed. */
function isMatch(task: Task, { userId, model, state }: JobFilter, reader: Reader): boolean {
	const isHidden = task.reply.ephemeral && task.userId !== reader.userId;
	if (userId !== undefined && (isHidden || task.userId !== userId)) return false;
	return (model === undefined || task.request.modelName === model) && (state === undefined || stateOf(task) === state);
}
