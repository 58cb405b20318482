import { ApiError } from "./errors.ts";
import type { EngineStatus } from "./engine-router.ts";
import type { TaskService } from "./task-service.ts";
import type { Task } from "./task.ts";

/** `replayed`: a repeated request that returned its task. `failed`: an error of the studio. */
export const SUBMIT_OUTCOMES = ["accepted", "replayed", "rejected", "failed"] as const;

/** Events of a studio, for metrics. */
export interface StudioEvents {
	readonly submitted: (outcome: (typeof SUBMIT_OUTCOMES)[number]) => void;
	/** A task has entered this state. */
	readonly moved: (state: Task["state"]) => void;
}

/** The current load of a studio. */
export interface StudioStatus {
	/** Waiting and running, in every process of the studio. */
	readonly openTasks: number;
	readonly engines: readonly EngineStatus[];
}

/** Reports the outcome of each submit. */
export function reportSubmits(service: TaskService, { submitted, moved }: StudioEvents): TaskService {
	return {
		...service,
		async submit(submission) {
			try {
				const result = await service.submit(submission);
				submitted(result.replayed ? "replayed" : "accepted");
				if (!result.replayed) moved("pending");
				return result;
			} catch (error) {
				submitted(error instanceof ApiError ? "rejected" : "failed");
				throw error;
			}
		},
	};
}
