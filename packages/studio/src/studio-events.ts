import type { EngineStatus } from "./engine-router.ts";
import type { StudioTask } from "./studio-task.ts";

/** `replayed`: a repeated request that returned its task. `failed`: an error of the studio. */
export const SUBMIT_OUTCOMES = ["accepted", "replayed", "rejected", "failed"] as const;

/** Events of a studio, for metrics. */
export interface StudioEvents {
	readonly submitted: (outcome: (typeof SUBMIT_OUTCOMES)[number]) => void;
	/** A task has entered this state. */
	readonly moved: (state: StudioTask["state"]) => void;
}

/** The current load of a studio. */
export interface StudioStatus {
	/** Waiting and running, in every process of the studio. */
	readonly openTasks: number;
	readonly engines: readonly EngineStatus[];
}
