import { isRetryableCall, type JobRun } from "./job-adapter.ts";
import { createTimeout } from "../timeout.ts";

/** For all tries together. */
const CANCEL_TIMEOUT_MS = 15_000;
const CANCELS_MAX = 3;
const CANCEL_PAUSE_MS = 2_000;

/**
 * Cancels an abandoned job, which may cost money. Looks it up if only its key is known. Retries for a while if the service
 * does not respond, and logs a failure.
 */
export async function cancelJob<Job extends object>(
	{ task, adapter, idempotencyKey, clock, logger, name }: Omit<JobRun<Job>, "signal" | "report" | "pollIntervalMs">,
	job: Job | undefined,
	stop?: AbortSignal,
): Promise<void> {
	const { cancel } = adapter;
	if (!cancel) return;
	using timeout = createTimeout(clock, CANCEL_TIMEOUT_MS, new Error("the cancel took too long"));
	const signal = stop ? AbortSignal.any([stop, timeout.signal]) : timeout.signal;
	try {
		for (let tries = 1; ; tries++) {
			try {
				const found = job ?? (await adapter.lookUp?.(idempotencyKey, signal));
				if (found !== undefined && found !== "cannot_tell") await cancel(found, signal);
				return;
			} catch (error) {
				if (!isRetryableCall(error) || tries === CANCELS_MAX) throw error;
			}
			await clock.sleep(CANCEL_PAUSE_MS, signal);
		}
	} catch (error) {
		logger.warn({ err: error, taskId: task.taskId, idempotencyKey, engine: name }, "job not canceled");
	}
}
