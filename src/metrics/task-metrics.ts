import { MEDIA_TYPES } from "@atelier/media-protocol/model";
import type { OpenTaskCount, OpenTaskStats } from "../services/tasks/open-task-stats.ts";
import type { Task } from "../services/tasks/task.ts";
import type { TaskEvents } from "../services/tasks/task-store.ts";
import { NO_LABELS, type Metrics } from "./metrics.ts";

const STATES = [
	"reserved",
	"submitting",
	"unconfirmed",
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
export function createTaskMetrics(metrics: Metrics, openTaskStats: OpenTaskStats): TaskEvents {
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

	return {
		loaded: (task) => openTaskStats.record(task),
		moved(task, before) {
			openTaskStats.record(task);
			const { mediaType: media_type } = task.request;
			if (task.state === "unconfirmed" && before.state !== "unconfirmed") unconfirmedSubmits.add({});
			if ("outcome" in task && !("outcome" in before)) {
				finished.add({ media_type, outcome: task.outcome.kind });
				if (task.outcome.kind === "failed") failures.add({ reason: task.outcome.why.key });
			}
			if (task.state === "delivered" && before.state === "settled") {
				const seconds = (task.deliveredAtMs - task.createdAtMs) / 1000;
				answered.observe({ media_type, outcome: task.outcome.kind }, seconds);
			}
		},
		removed: (taskId) => openTaskStats.forget(taskId),
	};
}
