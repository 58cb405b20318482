import type { Clock } from "@atelier/common/clock";
import { ServiceStoppingError } from "../engines/engine.ts";
import type { QueueScripts } from "./redis-studio-queue-scripts.ts";

/** The right of this process to run a task. */
export interface TaskLease {
	readonly token: string;
	endsAtMs: number;
	/** Aborted once another process may have the task. */
	readonly lost: AbortController;
}

/** The leases under which this process runs tasks, one per task. */
export interface TaskLeases {
	has(taskId: string): boolean;
	/** Adds a lease. An earlier one of the same task is lost. */
	add(taskId: string, lease: TaskLease): void;
	remove(taskId: string, lease: TaskLease): void;
	/** Renews all leases. Those that another process has are lost. */
	renew(): Promise<void>;
	/** Gives up leases that could not be renewed in time: another process may have the tasks. */
	loseLate(): Promise<void>;
}

export function createTaskLeases(deps: {
	readonly scripts: Pick<QueueScripts, "renew">;
	readonly leaseMs: number;
	readonly clock: Clock;
}): TaskLeases {
	const { scripts, leaseMs, clock } = deps;
	const leases = new Map<string, TaskLease>();

	function lose(lease: TaskLease | undefined): void {
		lease?.lost.abort(new ServiceStoppingError("task lease lost"));
	}

	return {
		has: (taskId) => leases.has(taskId),
		add(taskId, lease) {
			// After a loss of its data, the server may lease a task again that this process runs.
			lose(leases.get(taskId));
			leases.set(taskId, lease);
		},
		remove(taskId, lease) {
			if (leases.get(taskId) === lease) leases.delete(taskId);
		},
		async renew() {
			const renewed = new Map([...leases].map(([taskId, lease]) => [`${taskId} ${lease.token}`, lease]));
			if (renewed.size === 0) return;
			const endsAtMs = clock.nowMs() + leaseMs;
			const lost = new Set(await scripts.renew([...renewed.keys()]));
			for (const [entry, lease] of renewed) {
				if (lost.has(entry)) lose(lease);
				else lease.endsAtMs = endsAtMs;
			}
		},
		async loseLate() {
			for (const lease of leases.values()) if (clock.nowMs() >= lease.endsAtMs - leaseMs / 8) lose(lease);
		},
	};
}
