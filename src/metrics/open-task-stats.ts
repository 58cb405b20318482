import type { Clock } from "@atelier/common/clock";
import { isEnded, type Task } from "../services/tasks/task.ts";

/** Another process may have gone on with it: who has not seen it for so long counts it no more. */
const SEEN_WITHIN_MS = 5 * 60_000;
/** Counting goes through every open task: not more often than this, however many ask. */
const COUNT_EVERY_MS = 5_000;
/** A task is given up by the first look after its deadline, which may have to wait for its turn, or for the service. */
const OVERDUE_AFTER_MS = 2 * 60_000;

interface Known {
	readonly state: Task["state"];
	readonly model: string;
	readonly createdAtMs: number;
	readonly deadlineAtMs: number;
	/** Whether credits are set aside for it. */
	readonly hasHold: boolean;
	readonly seenAtMs: number;
}

interface Count {
	readonly byState: readonly { readonly state: string; readonly model: string; readonly tasks: number }[];
	readonly openHolds: number;
	/** Of the oldest hold; 0 where there is none. */
	readonly oldestHoldMs: number;
	/** Past their deadline, and not answered. */
	readonly overdueTasks: number;
	/** By how much the one that is longest past its deadline is; 0 where none is. */
	readonly oldestOverdueMs: number;
}

/** The open tasks as this process last saw them: so that nobody has to read the store to count them. */
export interface OpenTaskStats {
	record(task: Task): void;
	forget(taskId: string): void;
	count(): Count;
}

interface OpenTaskStatsDeps {
	readonly clock: Clock;
	/** Whether other processes go on with tasks that were seen here. */
	readonly isStoreShared: boolean;
}

export function createOpenTaskStats({ clock, isStoreShared }: OpenTaskStatsDeps): OpenTaskStats {
	// In the order in which they were last seen.
	const known = new Map<string, Known>();
	let counted: { readonly atMs: number; readonly count: Count } | undefined;

	function forgetStale(nowMs: number): void {
		if (!isStoreShared) return;
		for (const [taskId, { seenAtMs }] of known) {
			if (nowMs - seenAtMs < SEEN_WITHIN_MS) return;
			known.delete(taskId);
		}
	}

	function countAll(nowMs: number): Count {
		forgetStale(nowMs);
		const groups = new Map<string, { state: string; model: string; tasks: number }>();
		let [openHolds, oldestHoldMs, overdueTasks, oldestOverdueMs] = [0, 0, 0, 0];
		for (const { state, model, hasHold, createdAtMs, deadlineAtMs } of known.values()) {
			const key = `${state} ${model}`;
			const group = groups.get(key) ?? { state, model, tasks: 0 };
			group.tasks++;
			groups.set(key, group);
			if (hasHold) {
				openHolds++;
				oldestHoldMs = Math.max(oldestHoldMs, nowMs - createdAtMs);
			}
			// Who was answered waits for nothing any more, whatever the service is still asked.
			if (state !== "delivered" && nowMs - deadlineAtMs > OVERDUE_AFTER_MS) {
				overdueTasks++;
				oldestOverdueMs = Math.max(oldestOverdueMs, nowMs - deadlineAtMs);
			}
		}
		return { byState: [...groups.values()], openHolds, oldestHoldMs, overdueTasks, oldestOverdueMs };
	}

	return {
		record(task) {
			known.delete(task.id);
			if (isEnded(task)) return;
			known.set(task.id, {
				state: task.state,
				model: task.order.model,
				createdAtMs: task.createdAtMs,
				deadlineAtMs: task.deadlineAtMs,
				hasHold: task.order.costCredits > 0 && HOLDING.has(task.state),
				seenAtMs: clock.nowMs(),
			});
		},
		forget: (taskId) => void known.delete(taskId),
		count() {
			const nowMs = clock.nowMs();
			if (!counted || nowMs - counted.atMs >= COUNT_EVERY_MS || nowMs < counted.atMs) {
				counted = { atMs: nowMs, count: countAll(nowMs) };
			}
			return counted.count;
		},
	};
}

const HOLDING: ReadonlySet<Task["state"]> = new Set(["reserved", "submitting", "submitted", "finished"]);
