/** Formats the outcome of a cancellation, and what happens to the credits. No I/O. */
import type { MessageDescriptor } from "../../i18n/message-descriptor.ts";
import { toTimestampS } from "../../i18n/message-param-values.ts";
import type { Task } from "./task.ts";

/** Returns whether a task ended by cancellation. */
export function wasCanceled(task: Task): boolean {
	return "outcome" in task && task.outcome.kind === "failed" && task.outcome.cause === "canceled";
}

/** Formats the reply to a cancel request, by the task as it is now. */
export function formatCancel(task: Task): MessageDescriptor {
	const { costCredits } = task.request;
	switch (task.state) {
		case "reserved":
			return { key: "cancel.requested" };
		case "submitting":
		case "unconfirmed":
			return { key: "cancel.whenKnown", params: { costCredits } };
		case "submitted": {
			const deadlineAtS = toTimestampS(task.deadlineAtMs);
			if (task.cancelResponse === undefined) return { key: "cancel.requested" };
			return task.cancelResponse === "requested"
				? { key: "cancel.requestedFromService", params: { costCredits, deadlineAtS } }
				: { key: "cancel.notSupported", params: { deadlineAtS } };
		}
		case "settled":
		case "delivered":
		case "withdrawn":
			if (task.outcome.kind === "succeeded") return { key: "cancel.tooLate", params: { costCredits } };
			return wasCanceled(task) ? { key: "cancel.done" } : { key: "cancel.notNeeded" };
	}
}
