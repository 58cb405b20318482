export interface RemoteOutput {
	readonly url: string;
	readonly seed: number | null;
}

/** A task that has not ended at the service. Only `word` is always known. */
export interface OpenRemoteTask {
	readonly state: "open";
	/** The service's own word for the state. */
	readonly word: string;
	readonly phase: "queued" | "running" | "unknown";
	readonly progressPercent: number | null;
	/** 1: the task is next. */
	readonly queuePosition: number | null;
	/** The service's estimate of the remaining time. */
	readonly estimatedSeconds: number | null;
	/** The start of the generation, by the service's clock. */
	readonly startedAtMs: number | null;
	/** The delay before the next poll that the service asks for. */
	readonly pollAgainAfterMs: number | null;
	/** Keys and types of the response if the word is unknown, for the log. */
	readonly shape?: string;
}

/** The state of a task at the service. A task with an unknown state word is open. */
export type RemoteTask =
	| OpenRemoteTask
	| {
			readonly state: "success";
			/** URLs, or files as `data:` URLs. Empty if the service shows no file yet; the task is then polled again. */
			readonly outputs: readonly RemoteOutput[];
			/** Keys and types of a response without a file, for the log. */
			readonly shape?: string;
			/** By the service's clock; `null` if unknown. */
			readonly startedAtMs: number | null;
			readonly finishedAtMs: number | null;
	  }
	| { readonly state: "failed"; readonly code: string; readonly reason: string };
