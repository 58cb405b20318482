/** One finished file, where the service keeps it. */
export interface RemoteOutput {
	readonly url: string;
	readonly seed: number | null;
}

/** A task that the service has not ended. Everything but its word may be missing, and is `null` then. */
export interface OpenRemoteTask {
	readonly state: "open";
	/** The service's own word for it. */
	readonly word: string;
	/** Meaning of the word: waiting for its turn, being made, or nothing that is known here. */
	readonly phase: "queued" | "running" | "unknown";
	readonly progressPercent: number | null;
	/** 1 is next. */
	readonly queuePosition: number | null;
	/** Until it is done, as the service guesses. */
	readonly estimatedSeconds: number | null;
	/** When the making began, by the service's clock. */
	readonly startedAtMs: number | null;
	/** Delay that the service asks for before the next poll. */
	readonly lookAgainAfterMs: number | null;
	/** Keys and types of the answer, where its word is unknown: for the log. */
	readonly shape?: string;
}

/** State of a task at the service. An unknown word is `open`: only a known end is an end. */
export type RemoteTask =
	| OpenRemoteTask
	| {
			readonly state: "success";
			/** Each can be fetched, or holds the file as a `data:` address. None: a service that shows no file, asked once more. */
			readonly outputs: readonly RemoteOutput[];
			/** Keys and types of the answer, where it shows no file: for the log. */
			readonly shape?: string;
			/** By the service's clock; `null` where it does not say. */
			readonly startedAtMs: number | null;
			readonly finishedAtMs: number | null;
	  }
	| { readonly state: "failed"; readonly code: string; readonly reason: string };
