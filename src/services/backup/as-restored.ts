import type { Task } from "../tasks/task.ts";

/**
 * An open task of a backup, so that going on with it does nothing twice. After the backup it may have been sent, made, charged
 * and shown, and none of that is known:
 *
 * - what had not been sent may have been since, so it ends, with its credits back;
 * - what was being sent is looked up at the service, and never sent;
 * - what the service had is followed: looking costs nothing, and its charge is missing in the books;
 * - nothing is said in its reply, which may show the result already. A result that comes of it is put there by an edit, where
 *   that shows the same once more, and by nothing that makes a new message; `/job` has it all the same.
 */
export function asRestored(task: Task, atMs: number): Task {
	const reply = { ...task.reply, isRestored: true, tokenExpiresAtMs: 0 };
	switch (task.state) {
		case "created":
		case "reserved":
			return { ...task, reply, cancel: { by: "operator", atMs } };
		case "submitting":
			return { ...task, reply, unknown: { sinceMs: atMs, isTold: true } };
		case "delivered": {
			const { checkAtMs: _, ...shown } = task;
			return { ...shown, reply };
		}
		case "submitted":
		case "finished":
		case "settled":
		case "withdrawn":
			return { ...task, reply };
	}
}
