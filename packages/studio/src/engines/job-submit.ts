/**
 * Submits the job of an attempt, or finds the one that an earlier run of the attempt has submitted.
 *
 * The checkpoint is written before the submit, and again with the job's id. So the same attempt, run again after a
 * crash, continues the existing job. A submit without a response is looked up, and repeated only if it certainly was
 * not accepted: there is at most one paid job per attempt.
 */
import { isDeepStrictEqual } from "node:util";
import { isStoreFailure } from "@atelier/store/store-errors";
import { ServiceStoppingError } from "./engine.ts";
import { CallFailedError } from "./http-client.ts";
import { cancelJob } from "./job-cancel.ts";
import { convertCallError, toSubmitError, unknownOutcomeError } from "./job-errors.ts";
import { isRetryableCall, readJobCheckpoint, type JobRun, type SubmitJob } from "./job-adapter.ts";
import { RunTakenOverError } from "../task-checkpoints.ts";

/** Submits of one attempt: another one follows only after the lookups have shown that there is no job. */
const SUBMITS_MAX = 3;
/** The pause before the second lookup; it doubles before each further one, so that all lookups take about a minute. */
const LOOKUP_PAUSE_MS = 2_000;
const LOOKUPS_MAX = 6;
/** A submit may not have arrived at the first lookup, so a single absence proves nothing. */
const ABSENT_RESULTS_NEEDED = 2;
const WRITE_PAUSE_MS = 2_000;

/** Returns the job of the attempt, which is in the checkpoint then. */
export async function submitOrResume<Job extends object>(run: JobRun<Job>): Promise<Job> {
	const { task, adapter, idempotencyKey, signal } = run;
	const convert = adapter.toSubmitError ?? ((error: CallFailedError) => toSubmitError(run, error));
	const stored = await readJobCheckpoint<Job>(task);
	if (stored?.job) return stored.job;
	let mayExist = stored !== undefined;
	let submit: SubmitJob<Job> | undefined;
	for (let submits = 0; submits < SUBMITS_MAX; submits++) {
		const found = mayExist ? await lookUpJob(run) : undefined;
		if (found) return await writeJob(run, found);
		submit ??= await convertCallError(adapter.prepareSubmit(signal), convert);
		signal.throwIfAborted();
		if (!mayExist) await task.checkpoint.write({});
		mayExist = true;
		try {
			return await writeJob(run, await convertCallError(submit(idempotencyKey), convert));
		} catch (error) {
			if (!(error instanceof CallFailedError) || !error.mayHaveActed) throw error;
			run.logger.warn({ err: error, taskId: task.taskId, idempotencyKey }, "submit has an unknown outcome");
		}
	}
	throw unknownOutcomeError(!run.isPaid);
}

/** Returns the job, or `undefined` if there certainly is none. */
async function lookUpJob<Job extends object>(run: JobRun<Job>): Promise<Job | undefined> {
	const { adapter, idempotencyKey, signal } = run;
	let absentTimes = 0;
	for (let tries = 0; adapter.lookUp && tries < LOOKUPS_MAX; tries++) {
		if (tries > 0) await run.clock.sleep(LOOKUP_PAUSE_MS * 2 ** (tries - 1), signal);
		const result = await adapter.lookUp(idempotencyKey, signal).catch((error: unknown) => {
			if (isRetryableCall(error)) return "failed" as const;
			throw error;
		});
		if (result === "cannot_tell") break;
		if (result === undefined) absentTimes += 1;
		else if (result !== "failed") return result;
		if (absentTimes === ABSENT_RESULTS_NEEDED) return undefined;
	}
	throw unknownOutcomeError(!run.isPaid);
}

/**
 * Writes the job to the checkpoint, and waits for the end of an outage of the store. Resolves to the job to continue. A
 * job that cannot be written is canceled, because it could be neither continued nor canceled later.
 */
async function writeJob<Job extends object>(run: JobRun<Job>, job: Job): Promise<Job> {
	const { task, signal } = run;
	const cancelUnlessSame = async (other: Job | undefined): Promise<void> => {
		if (!isDeepStrictEqual(other, job)) await cancelJob(run, job);
	};
	for (let tries = 0; ; tries++) {
		try {
			// A write without a response may have happened, and a process that took over may have written its job.
			const written = tries > 0 ? (await readJobCheckpoint<Job>(task))?.job : undefined;
			if (written) {
				await cancelUnlessSame(written);
				return written;
			}
			await task.checkpoint.write({ job });
			return job;
		} catch (error) {
			if (error instanceof RunTakenOverError) await cancelUnlessSame((await readJobCheckpoint<Job>(task))?.job);
			if (!isStoreFailure(error)) throw error;
		}
		await run.clock.sleep(WRITE_PAUSE_MS, signal).catch(async (error: unknown) => {
			// Another process or the next start continues the job, if it finds it.
			if (!(signal.reason instanceof ServiceStoppingError)) await cancelJob(run, job);
			throw error;
		});
	}
}
