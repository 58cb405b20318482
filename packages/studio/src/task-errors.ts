import type { TaskFault } from "./task.ts";

/** The faults of the service itself. Engines name their own. */
export const FAULTS = {
	ranTooLong: { code: "timeout", message: "the run took too long", retryable: true },
	waitedTooLong: { code: "timeout", message: "the task took longer than it may", retryable: true },
	noEngine: { code: "engine_unavailable", message: "no engine serves this model any more", retryable: false },
	brokenEngine: { code: "internal", message: "the engine failed unexpectedly", retryable: false },
	interruptedTooOften: {
		code: "internal",
		message: "the service stopped too often while it worked on this task",
		retryable: true,
	},
} as const satisfies Record<string, TaskFault>;
