import { ApiError } from "./errors.ts";
import type { EngineStanding } from "./engine-health.ts";
import type { TaskService } from "./task-service.ts";
import type { Task } from "./task.ts";

/** `replayed`: the same order again, answered with its task. `failed`: nobody's fault but the studio's. */
export const SUBMIT_OUTCOMES = ["accepted", "replayed", "refused", "failed"] as const;

/** What a studio tells of its work as it happens, to whoever counts it. */
export interface StudioEvents {
	readonly submitted: (outcome: (typeof SUBMIT_OUTCOMES)[number]) => void;
	/** A task has come into this state. */
	readonly moved: (state: Task["state"]) => void;
}

/** How a studio stands at the moment. */
export interface StudioStanding {
	/** Waiting and being worked on, in every process of the studio. */
	readonly openTasks: number;
	readonly engines: readonly EngineStanding[];
}

/** Tells what becomes of each submit. */
export function tellSubmits(service: TaskService, { submitted, moved }: StudioEvents): TaskService {
	return {
		...service,
		async submit(submission) {
			try {
				const taken = await service.submit(submission);
				submitted(taken.replayed ? "replayed" : "accepted");
				if (!taken.replayed) moved("pending");
				return taken;
			} catch (error) {
				submitted(error instanceof ApiError ? "refused" : "failed");
				throw error;
			}
		},
	};
}
