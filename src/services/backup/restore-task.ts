import { baseOf, withoutCheck, type Task } from "../tasks/task.ts";

/**
 * Adapts an open task from a backup so that nothing happens twice. After the backup it may have been submitted, charged and
 * delivered:
 *
 * - an unsent task is canceled and its credits return, because it may have been submitted since;
 * - a task in submission is looked up at the service and never sent again;
 * - a submitted task is polled: a poll is free, and the restored ledger misses its charge;
 * - the reply of a task gets no notices and no new message: only an edit may show the result again. `/job` returns it too;
 * - a delivered task is not checked again for an overwritten reply.
 */
export function restoreTask(task: Task, atMs: number): Task {
	const isRestored = true;
	const reply = { ...task.reply, tokenExpiresAtMs: 0 };
	switch (task.state) {
		case "reserved":
			return { ...task, isRestored, reply, cancel: { by: "operator", atMs } };
		case "submitting":
		case "unconfirmed":
			return { ...baseOf(task), isRestored, reply, state: "unconfirmed", sentAtMs: task.sentAtMs, sinceMs: atMs };
		case "delivered":
			return { ...withoutCheck(task), isRestored, reply };
		case "submitted":
		case "settled":
		case "withdrawn":
			return { ...task, isRestored, reply };
	}
}
