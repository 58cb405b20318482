/** The status of a task as members see it: the same word in the reply, in `/job` and on the dashboard. No I/O. */
import { wasCanceled } from "./format-cancel.ts";
import { awaitsReply, isPending, type Task } from "./task.ts";

/** `unconfirmed`: it is unknown whether the service has the task. */
export type TaskStatus = "waiting" | "in_progress" | "unconfirmed" | "canceling" | "succeeded" | "failed" | "canceled";

export function taskStatusOf(task: Task): TaskStatus {
	if (awaitsReply(task)) {
		if (isPending(task) && task.cancel) return "canceling";
		if (task.state === "reserved") return "waiting";
		return task.state === "unconfirmed" ? "unconfirmed" : "in_progress";
	}
	if (task.outcome.kind === "succeeded") return "succeeded";
	return wasCanceled(task) ? "canceled" : "failed";
}
