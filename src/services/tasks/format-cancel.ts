/** Formats the outcome of a cancellation and what happens to the credits. Pure. */
import type { MessageRef } from "../../i18n/messages.ts";
import { toTimestampS } from "../../i18n/timestamp.ts";
import type { Task } from "./task.ts";

const CANCELED = new Set<string>(["canceledByMember", "canceledByModerator", "canceledByOperator"]);

/** Returns whether a task ended by cancellation. */
export function wasCanceled(task: Task): boolean {
	return "outcome" in task && task.outcome.kind === "failed" && CANCELED.has(task.outcome.why.key);
}

export function formatCancel(task: Task): MessageRef {
	const { costCredits } = task.request;
	switch (task.state) {
		case "created":
		case "reserved":
			return { key: "cancelAsked", params: { costCredits } };
		case "submitting":
			return { key: "cancelWhenKnown", params: { costCredits } };
		case "submitted": {
			const params = { costCredits, deadlineAtS: toTimestampS(task.deadlineAtMs) };
			if (task.cancelAnswer === undefined) return { key: "cancelAsked", params: { costCredits } };
			return task.cancelAnswer === "requested"
				? { key: "cancelPassedOn", params }
				: { key: "cancelNotSupported", params };
		}
		case "finished":
		case "settled":
		case "delivered":
		case "withdrawn":
			if (task.outcome.kind === "succeeded") return { key: "cancelTooLate", params: { costCredits } };
			return wasCanceled(task) ? { key: "cancelDone", params: { costCredits } } : { key: "cancelNotNeeded" };
	}
}
