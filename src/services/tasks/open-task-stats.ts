import type { Clock } from "@atelier/common/clock";
import { isEnded, isPending, type Task } from "./task.ts";

/** Another process may have continued the task, so it no longer counts after this time. */
const SEEN_WITHIN_MS = 5 * 60_000;
/** A task ends at the first poll after its deadline, which may wait for the poll budget or the service. */
const OVERDUE_AFTER_MS = 2 * 60_000;

interface KnownTask {
	readonly state: Task["state"];
	readonly model: string;
	readonly createdAtMs: number;
	readonly deadlineAtMs: number;
	readonly hasHold: boolean;
	readonly seenAtMs: number;
}

export interface OpenTaskCount {
	readonly byState: readonly { readonly state: string; readonly model: string; readonly tasks: number }[];
	readonly openHolds: number;
	/** The age of the oldest hold; 0 without one. */
	readonly oldestHoldMs: number;
	/** Tasks past their deadline whose member has no final reply. */
	readonly overdueTasks: number;
	/** The longest time past a deadline; 0 without such a task. */
	readonly oldestOverdueTaskMs: number;
}

export type OpenTaskStats = ReturnType<typeof createOpenTaskStats>;

interface OpenTaskStatsDeps {
	readonly clock: Clock;
	/** True if other processes can continue tasks that this process has seen. */
	readonly isStoreShared: boolean;
}

/** Counts the open tasks in memory as this process last saw them, so that a scrape does not read the store. */
export function createOpenTaskStats({ clock, isStoreShared }: OpenTaskStatsDeps) {
	// Ordered by the time when they were last seen.
	const known = new Map<string, KnownTask>();

	function forgetStale(nowMs: number): void {
		if (!isStoreShared) return;
		for (const [taskId, { seenAtMs }] of known) {
			if (nowMs - seenAtMs < SEEN_WITHIN_MS) return;
			known.delete(taskId);
		}
	}

	function count(): OpenTaskCount {
		const nowMs = clock.nowMs();
		forgetStale(nowMs);
		const groups = new Map<string, { state: string; model: string; tasks: number }>();
		let [openHolds, oldestHoldMs, overdueTasks, oldestOverdueTaskMs] = [0, 0, 0, 0];
		for (const { state, model, hasHold, createdAtMs, deadlineAtMs, seenAtMs } of known.values()) {
			const key = `${state} ${model}`;
			const group = groups.get(key) ?? { state, model, tasks: 0 };
			group.tasks++;
			groups.set(key, group);
			if (hasHold) {
				openHolds++;
				oldestHoldMs = Math.max(oldestHoldMs, nowMs - createdAtMs);
			}
			// A delivered task is open until its reply is checked or its cancellation has ended, but its member no longer waits.
			// With a shared store, another process may have ended it since this one saw it.
			const openAtMs = isStoreShared ? seenAtMs : nowMs;
			if (state !== "delivered" && openAtMs - deadlineAtMs > OVERDUE_AFTER_MS) {
				overdueTasks++;
				oldestOverdueTaskMs = Math.max(oldestOverdueTaskMs, nowMs - deadlineAtMs);
			}
		}
		return { byState: [...groups.values()], openHolds, oldestHoldMs, overdueTasks, oldestOverdueTaskMs };
	}

	return {
		record(task: Task): void {
			known.delete(task.id);
			if (isEnded(task)) return;
			known.set(task.id, {
				state: task.state,
				model: task.request.model,
				createdAtMs: task.createdAtMs,
				deadlineAtMs: task.deadlineAtMs,
				hasHold: task.request.costCredits > 0 && isPending(task),
				seenAtMs: clock.nowMs(),
			});
		},
		forget: (taskId: string): void => void known.delete(taskId),
		count,
	};
}
