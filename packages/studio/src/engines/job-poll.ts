import { EngineError, type EngineOutput } from "./engine.ts";
import { CallFailedError } from "./http-client.ts";
import { isOperatorError, isUnknownJob, jobLostError } from "./job-errors.ts";
import type { JobRun, PollResult } from "./job-adapter.ts";

/** The time for which a service may have trouble with a job: longer than its restart, and than it needs to show a new job or its files. */
const TROUBLE_MS_MAX = 60_000;

type PollOutcome =
	| Exclude<PollResult, { kind: "done" }>
	/** A call or a download has failed, which says nothing about the job. */
	| { readonly kind: "failed"; readonly error: EngineError }
	| { readonly kind: "collected"; readonly outputs: readonly EngineOutput[] };

/**
 * Polls until the job has ended, and downloads its files. Repeats what fails; the next poll may return fresh links. A minute of
 * trouble ends a free job, which starts again elsewhere. A paid job is awaited until the deadline of its task, unless the service
 * reports for a minute that it has no such job or no file of it. `PollResult` may shorten that minute.
 */
export async function pollUntilDone<Job extends object>(run: JobRun<Job>, job: Job): Promise<readonly EngineOutput[]> {
	const { isPaid, clock, report, signal } = run;
	let troubleSinceMs: number | undefined;
	let missingSinceMs: number | undefined;
	let hasLogged = false;
	for (;;) {
		const outcome = await pollOnce(run, job);
		if (outcome.kind === "collected") return outcome.outputs;
		const nowMs = clock.nowMs();
		missingSinceMs = outcome.kind === "missing" ? (missingSinceMs ?? nowMs) : undefined;
		let waitMs: number | undefined;
		if (outcome.kind === "open") {
			troubleSinceMs = undefined;
			report(outcome.progressPercent ?? 0, outcome.queuePosition);
			({ waitMs } = outcome);
		} else {
			const { error } = outcome;
			// A run may poll for an hour.
			if (!hasLogged) logTrouble(run, outcome);
			hasLogged = true;
			troubleSinceMs = isPaid && outcome.kind === "failed" ? undefined : (troubleSinceMs ?? nowMs);
			const { lostAfterMs = TROUBLE_MS_MAX } = outcome.kind === "missing" ? outcome : {};
			if (nowMs - (troubleSinceMs ?? nowMs) >= TROUBLE_MS_MAX || nowMs - (missingSinceMs ?? nowMs) >= lostAfterMs) {
				throw isPaid ? notBoughtAgain(error) : error;
			}
			waitMs = error.retryAfterMs;
		}
		await clock.sleep(Math.max(run.pollIntervalMs, waitMs ?? 0), signal);
	}
}

async function pollOnce<Job extends object>({ adapter, isPaid, signal }: JobRun<Job>, job: Job): Promise<PollOutcome> {
	let hasFiles = false;
	try {
		const result = await adapter.poll(job, signal);
		if (result.kind !== "done") return result;
		hasFiles = true;
		return { kind: "collected", outputs: await result.collect(signal) };
	} catch (error) {
		const hasCallFailed = error instanceof CallFailedError;
		// Other errors of a poll are the failure of the job.
		if (!hasCallFailed && !(hasFiles && error instanceof EngineError)) throw error;
		if (hasCallFailed && isUnknownJob(error) && isFromService(error, isPaid)) {
			return { kind: "missing", error: jobLostError() };
		}
		if (error.code === "no_output") return { kind: "missing", error };
		if (!error.retryable && !(isPaid && error.code === "invalid_input")) throw error;
		return { kind: "failed", error };
	}
}

/** A proxy in front of a paid service may respond too; the service itself sends JSON. */
function isFromService({ body }: CallFailedError, isPaid: boolean): boolean {
	return !isPaid || body !== undefined;
}

/** A second paid job would probably also end without a usable file. */
function notBoughtAgain(error: EngineError): EngineError {
	const { code, message } = error;
	return code === "no_output" ? new EngineError(code, message, { retryable: false, cause: error }) : error;
}

function logTrouble<Job extends object>(
	{ logger, name, task }: JobRun<Job>,
	{ error, ...outcome }: Extract<PollOutcome, { error: EngineError }>,
): void {
	const level = error instanceof CallFailedError && isOperatorError(error) ? "error" : "warn";
	const shape = outcome.kind === "missing" && outcome.shape !== undefined ? { shape: outcome.shape } : {};
	logger[level]({ err: error, engine: name, taskId: task.taskId, ...shape }, "poll failed");
}
