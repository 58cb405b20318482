import { EngineError, type EngineOutput } from "./engine.ts";
import { CallFailedError } from "./http-client.ts";
import { isOperatorError, isUnknownJob, jobLostError } from "./job-errors.ts";
import type { JobRun, PollResult } from "./job-adapter.ts";

/** Polls in a row: a service may not show a new job or its files at once, or for a moment during its restart. */
const MISSING_POLLS_MAX = 3;
/** The time for which a free service may fail polls before another attempt starts. */
const FAILED_POLLS_MS_MAX = 60_000;
/** Downloads of the files of a free job. The pause grows by this much after each. */
const COLLECTS_MAX = 4;
const COLLECT_PAUSE_MS = 2_000;

/**
 * Polls until the job has ended, and downloads its files. A failed poll says nothing about the job. A failed download is repeated
 * after another poll, which may return fresh links.
 */
export async function pollUntilDone<Job extends object>(run: JobRun<Job>, job: Job): Promise<readonly EngineOutput[]> {
	const { isPaid, clock, report, signal } = run;
	let lastResponseAtMs = clock.nowMs();
	let missingPolls = 0;
	let hasPollFailed = false;
	let collects = 0;
	for (;;) {
		let waitMs = run.pollIntervalMs;
		try {
			const result = await pollOnce(run, job);
			lastResponseAtMs = clock.nowMs();
			missingPolls = result.kind === "missing" ? missingPolls + 1 : 0;
			switch (result.kind) {
				case "open":
					report(result.progressPercent ?? 0, result.queuePosition);
					waitMs = Math.max(waitMs, result.waitMs ?? 0);
					break;
				case "missing":
					if (missingPolls === MISSING_POLLS_MAX) throw result.error;
					break;
				case "done": {
					const outputs = await collect(result, { isPaid, tries: ++collects, signal });
					if (outputs) return outputs;
					waitMs = COLLECT_PAUSE_MS * collects;
				}
			}
		} catch (error) {
			if (!(error instanceof CallFailedError)) throw error;
			missingPolls = 0;
			if (!hasPollFailed) logFailedPoll(run, error);
			hasPollFailed = true;
			// A paid job is awaited until the deadline; a free one is restarted elsewhere.
			const mayContinue = isPaid
				? error.retryable || error.code === "invalid_input"
				: error.retryable && clock.nowMs() - lastResponseAtMs < FAILED_POLLS_MS_MAX;
			if (!mayContinue) throw error;
			waitMs = Math.max(waitMs, error.retryAfterMs ?? 0);
		}
		await clock.sleep(waitMs, signal);
	}
}

/** Only the first of a run, which may poll for an hour. */
function logFailedPoll<Job extends object>({ logger, name, task }: JobRun<Job>, error: CallFailedError): void {
	const level = isOperatorError(error) ? "error" : "warn";
	logger[level]({ err: error, engine: name, taskId: task.taskId }, "poll failed");
}

async function pollOnce<Job extends object>({ adapter, signal }: JobRun<Job>, job: Job): Promise<PollResult> {
	try {
		return await adapter.poll(job, signal);
	} catch (error) {
		if (error instanceof CallFailedError && isUnknownJob(error)) return { kind: "missing", error: jobLostError() };
		throw error;
	}
}

/**
 * Returns the files, or `undefined` if the download has to be repeated. If it fails for good, only a free service gets the
 * job again: a second paid job would end like the first.
 */
async function collect(
	done: Extract<PollResult, { kind: "done" }>,
	{ isPaid, tries, signal }: { readonly isPaid: boolean; readonly tries: number; readonly signal: AbortSignal },
): Promise<readonly EngineOutput[] | undefined> {
	try {
		return await done.collect(signal);
	} catch (error) {
		if (!(error instanceof EngineError)) throw error;
		const isMissing = error instanceof CallFailedError && isUnknownJob(error);
		const retryable = error.retryable || isMissing;
		const isUnlimited = isPaid && error.code !== "no_output";
		if (retryable && (tries < COLLECTS_MAX || isUnlimited)) return undefined;
		// Not the error of a call, which would be taken for a failed poll.
		const { code, message } = isMissing ? jobLostError() : error;
		throw new EngineError(code, message, { retryable: retryable && !isPaid, cause: error });
	}
}
