import type { Clock } from "@atelier/common/clock";
import { createPendingWork } from "@atelier/common/pending-work";

const STOP_MS_MAX = 2_000;

/** Work that continues after its caller has returned. */
export interface BackgroundWork {
	/** Aborted by `stop`. */
	readonly signal: AbortSignal;
	/** `work` must not reject. */
	add(work: Promise<void>): void;
	/** Waits briefly for the work, then aborts it. */
	stop(): Promise<void>;
}

export function createBackgroundWork({ clock }: { readonly clock: Clock }): BackgroundWork {
	const pending = createPendingWork({ clock });
	const stopping = new AbortController();
	return {
		signal: stopping.signal,
		add: (work) => pending.add(work),
		async stop() {
			await pending.drain(STOP_MS_MAX);
			stopping.abort(new Error("stopping"));
			// Aborted work cleans up, so that the next process repeats it.
			await pending.drain(STOP_MS_MAX);
		},
	};
}
