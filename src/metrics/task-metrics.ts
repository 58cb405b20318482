import { MEDIA_TYPES } from "@atelier/media-protocol/model";
import { isEnded, type Task } from "../services/tasks/task.ts";
import type { LoadedTask, TaskStore } from "../services/tasks/task-store.ts";
import { NO_LABELS, type Metrics } from "./metrics.ts";
import type { OpenTaskCount, OpenTaskStats } from "../services/tasks/open-task-stats.ts";

const STATES = [
	"reserved",
	"submitting",
	"submitted",
	"settled",
	"delivered",
	"withdrawn",
] as const satisfies readonly Task["state"][];
/** Further models are counted together: a service may list hundreds. */
const MODELS = { max: 50 } as const;
/** Keys of messages, so their number is limited. */
const REASONS = { max: 60 } as const;
/** In seconds. */
const ANSWER_BUCKETS = [1, 2.5, 5, 10, 20, 40, 90, 180, 600, 1800, 3600] as const;

/** Measures the state changes of tasks, and records them in the stats of open tasks. */
export function withTaskStoreMetrics(taskStore: TaskStore, metrics: Metrics, openTaskStats: OpenTaskStats): TaskStore {
	const finished = metrics.counter("atelier_tasks_finished_total", "Tasks that ended with a result or a reason.", {
		media_type: MEDIA_TYPES,
		outcome: ["succeeded", "failed"],
	});
	const failures = metrics.counter(
		"atelier_tasks_failed_total",
		"Tasks that ended without a result, by the reason shown to the member.",
		{
			reason: REASONS,
		},
	);
	const unconfirmedSubmits = metrics.counter(
		"atelier_submits_unconfirmed_total",
		"Submits without a usable response.",
		NO_LABELS,
	);
	const answered = metrics.histogram(
		"atelier_task_seconds",
		"From the command to the final reply.",
		{ media_type: MEDIA_TYPES, outcome: ["succeeded", "failed"] },
		ANSWER_BUCKETS,
	);
	metrics.gauge("atelier_tasks_pending", "Open tasks that this process knows.", { state: STATES, model: MODELS }, () =>
		openTaskStats.count().byState.map(({ state, model, tasks: value }) => ({ labels: { state, model }, value })),
	);
	const ofOpenTasks = (name: string, help: string, read: (count: OpenTaskCount) => number): void =>
		metrics.value(name, help, () => read(openTaskStats.count()));
	ofOpenTasks("atelier_holds_open", "Open tasks with held credits.", ({ openHolds }) => openHolds);
	ofOpenTasks(
		"atelier_hold_age_seconds_max",
		"Time of the oldest hold of an open task.",
		({ oldestHoldMs }) => oldestHoldMs / 1000,
	);
	ofOpenTasks("atelier_tasks_overdue", "Open tasks past their deadline.", ({ overdueTasks }) => overdueTasks);

	function recordMove(from: Task, next: Task): void {
		openTaskStats.record(next);
		const { mediaType: media_type } = next.request;
		if (isUnconfirmed(next) && !isUnconfirmed(from)) unconfirmedSubmits.add({});
		if ("outcome" in next && !("outcome" in from)) {
			finished.add({ media_type, outcome: next.outcome.kind });
			if (next.outcome.kind === "failed") failures.add({ reason: next.outcome.why.key });
		}
		if (next.state === "delivered" && from.state === "settled") {
			const seconds = (next.deliveredAtMs - next.createdAtMs) / 1000;
			answered.observe({ media_type, outcome: next.outcome.kind }, seconds);
		}
	}

	async function recorded(from: LoadedTask, moving: Promise<LoadedTask | undefined>): Promise<LoadedTask | undefined> {
		const loaded = await moving;
		if (loaded) recordMove(from.task, loaded.task);
		return loaded;
	}

	return {
		...taskStore,
		async create(task) {
			const loaded = await taskStore.create(task);
			if (loaded) openTaskStats.record(task);
			return loaded;
		},
		async load(taskId) {
			const loaded = await taskStore.load(taskId);
			if (loaded) openTaskStats.record(loaded.task);
			return loaded;
		},
		async createWith(task, write) {
			const loaded = await taskStore.createWith(task, write);
			openTaskStats.record(task);
			return loaded;
		},
		async move(from, next, writes) {
			const loaded = await recorded(from, taskStore.move(from, next, writes));
			if (loaded && isEnded(loaded.task)) openTaskStats.forget(loaded.task.id);
			return loaded;
		},
		async moveWith(from, nextWith, write) {
			const loaded = await taskStore.moveWith(from, nextWith, write);
			recordMove(from.task, loaded.task);
			return loaded;
		},
		reopen: (from, next) => recorded(from, taskStore.reopen(from, next)),
		async removeOpenMarker(taskId) {
			await taskStore.removeOpenMarker(taskId);
			openTaskStats.forget(taskId);
		},
		async remove(task) {
			await taskStore.remove(task);
			openTaskStats.forget(task.id);
		},
	};
}

function isUnconfirmed(task: Task): boolean {
	return task.state === "submitting" && task.unconfirmedSinceMs !== undefined;
}
