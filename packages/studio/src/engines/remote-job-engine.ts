/**
 * Engines whose tasks are jobs of a service that accepts submits, is polled, and serves files.
 *
 * The checkpoint is written before the submit, and again with the job's id. So the same attempt, run again after a
 * crash, continues the existing job. A submit without a response is looked up, and repeated only if it certainly was
 * not accepted: there is at most one paid job per attempt.
 */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import type { Logger } from "pino";
import type { Clock } from "@atelier/common/clock";
import { untilAborted } from "@atelier/common/until-aborted";
import type { MediaType } from "@atelier/media-protocol/model";
import { StoreUnavailableError } from "@atelier/store/store-errors";
import {
	EngineError,
	ServiceStoppingError,
	type Engine,
	type EngineOutput,
	type EngineTask,
	type ReportProgress,
} from "./engine.ts";
import type { EngineEntry, ServedModel } from "./engine-kind.ts";
import { CallFailedError } from "./http-client.ts";
import { isUnknownJob, jobLostError } from "./job-errors.ts";
import { RunTakenOverError } from "./task-checkpoints.ts";
import { createTimeout } from "../timeout.ts";

/** The outcome of looking up a submit without a response. */
export type LookupResult<Job> =
	| { readonly kind: "found"; readonly job: Job }
	| { readonly kind: "absent" }
	| { readonly kind: "cannot_tell" };

/** The state of a job. A failed one is thrown as `EngineError`. */
export type PollResult =
	| {
			readonly kind: "open";
			readonly progressPercent?: number | undefined;
			/** The position in the service's own queue: 1 is next. */
			readonly queuePosition?: number | undefined;
			/** The service asks for this wait before the next poll. */
			readonly waitMs?: number | undefined;
	  }
	/** The service shows no such job, or no file of a finished one, which may be temporary. After several such polls, `error` is thrown. */
	| { readonly kind: "missing"; readonly error: EngineError }
	/** Files can be downloaded repeatedly without another charge. */
	| { readonly kind: "done"; readonly collect: (signal: AbortSignal) => Promise<readonly EngineOutput[]> };

/** The operations of a service for one task. `Job` identifies the job as plain JSON. */
export interface JobService<Job extends object> {
	/** Submits a job within a bounded time. The idempotency key is a UUID that stays the same for one attempt. */
	submit(idempotencyKey: string, signal: AbortSignal): Promise<Job>;
	/** Absent if the service can only look up jobs by its own id. */
	readonly lookUp?: (idempotencyKey: string, signal: AbortSignal) => Promise<LookupResult<Job>>;
	poll(job: Job, signal: AbortSignal): Promise<PollResult>;
	/** Absent if the service cannot cancel. */
	readonly cancel?: (job: Job, signal: AbortSignal) => Promise<void>;
	/** Reports progress until the signal aborts, best effort. A report without a percentage means "poll now". */
	follow?(idempotencyKey: string, report: (progressPercent?: number) => void, signal: AbortSignal): void;
}

interface JobCheckpoint<Job> {
	readonly idempotencyKey: string;
	/** Absent until the submit has succeeded. */
	readonly job?: Job | undefined;
}

/** One run of a task: its job at the service. */
interface JobRun<Job extends object> {
	readonly service: JobService<Job>;
	readonly idempotencyKey: string;
	readonly intervalMs: number;
	/** Waits between two polls. */
	readonly pause: (ms: number) => Promise<void>;
	readonly report: ReportProgress;
	readonly signal: AbortSignal;
}

/** Long work is polled less often. */
const POLL_INTERVAL_MS = { image: 2_000, music: 3_000, video: 5_000 } as const satisfies Record<MediaType, number>;

/** The pause before the second lookup; it doubles before each further one, so that all lookups take about a minute. */
const LOOKUP_PAUSE_MS = 2_000;
const LOOKUPS_MAX = 6;
/** A submit may not have arrived at the first lookup, so a single absence proves nothing. */
const ABSENT_RESULTS_NEEDED = 2;
/** Submits of one attempt: another one follows only after the lookups have shown that there is no job. */
const SUBMITS_MAX = 3;
const WRITE_PAUSE_MS = 2_000;
/** Polls in a row: a service may not show a new job or its files at once, or for a moment during its restart. */
const MISSING_POLLS_MAX = 3;
/** Downloads of the files of a free job. The pause grows by this much after each. */
const COLLECTS_MAX = 4;
const COLLECT_PAUSE_MS = 2_000;
/** For all tries to cancel an abandoned job. */
const CANCEL_TIMEOUT_MS = 15_000;
const CANCELS_MAX = 3;
const CANCEL_PAUSE_MS = 2_000;
/** The time for which a free service may fail polls before another attempt starts. */
const FAILED_POLLS_MS_MAX = 60_000;

export function createJobEngine<Mapping, Job extends object>(
	{
		name,
		settings,
		models,
	}: Pick<EngineEntry<{ readonly concurrency?: number }, Mapping>, "name" | "settings" | "models">,
	deps: {
		/** True if a second job for the same task would cost money, not only time. */
		readonly isPaid: boolean;
		/** By media type by default. */
		readonly pollIntervalMs?: number;
		readonly clock: Clock;
		readonly logger: Logger;
	},
	serviceFor: (task: EngineTask, servedModel: ServedModel<Mapping>) => JobService<Job>,
): Engine {
	const { clock, isPaid, logger } = deps;
	/** Runs of this process, until their jobs are done or left to `cancelJob`. */
	const running = new Set<{ readonly idempotencyKey: string; readonly ended: Promise<void> }>();

	async function readCheckpoint(task: EngineTask): Promise<JobCheckpoint<Job> | undefined> {
		return (await task.checkpoint.read()) as JobCheckpoint<Job> | undefined;
	}

	function findServedModel(task: EngineTask): ServedModel<Mapping> {
		const servedModel = models.find(({ model }) => model.id === task.model);
		assert(servedModel, "the studio asks an engine only for what it serves");
		return servedModel;
	}

	/** Returns the job of the attempt, which is in the checkpoint then. */
	async function submitOrResume(task: EngineTask, { service, idempotencyKey, signal }: JobRun<Job>): Promise<Job> {
		const stored = await readCheckpoint(task);
		if (stored?.job) return stored.job;
		const writeJob = (job: Job): Promise<Job> => recordJob(task, { service, idempotencyKey, signal }, job);
		let mayExist = stored !== undefined;
		for (let submits = 0; submits < SUBMITS_MAX; submits++) {
			if (mayExist) {
				const found = await lookUp(service, idempotencyKey, signal);
				if (found) return await writeJob(found);
			} else {
				await task.checkpoint.write({ idempotencyKey });
			}
			signal.throwIfAborted();
			try {
				// Never aborted, because its response is needed to cancel or resume the job.
				return await writeJob(await service.submit(idempotencyKey, new AbortController().signal));
			} catch (error) {
				if (!(error instanceof CallFailedError) || !error.mayHaveActed) throw error;
				logger.warn({ err: error, taskId: task.taskId, idempotencyKey }, "submit has an unknown outcome");
				mayExist = true;
			}
		}
		throw unknownOutcome();
	}

	/**
	 * Writes the job to the checkpoint, and waits for the end of an outage of the store. Resolves to the job to continue. A
	 * job that cannot be written is canceled, because it could be neither continued nor canceled later.
	 */
	async function recordJob(
		task: EngineTask,
		{ service, idempotencyKey, signal }: Pick<JobRun<Job>, "service" | "idempotencyKey" | "signal">,
		job: Job,
	): Promise<Job> {
		const cancelUnlessSame = async (other: Job | undefined): Promise<void> => {
			if (!isDeepStrictEqual(other, job)) await cancelJob(service, { idempotencyKey, job }, task.taskId);
		};
		for (let tries = 0; ; tries++) {
			try {
				// A write without a response may have happened, and a process that took over may have written its job.
				const written = tries > 0 ? (await readCheckpoint(task))?.job : undefined;
				if (written) {
					await cancelUnlessSame(written);
					return written;
				}
				await task.checkpoint.write({ idempotencyKey, job });
				return job;
			} catch (error) {
				if (error instanceof RunTakenOverError) await cancelUnlessSame((await readCheckpoint(task))?.job);
				if (!(error instanceof StoreUnavailableError)) throw error;
			}
			await clock.sleep(WRITE_PAUSE_MS, signal).catch(async (error: unknown) => {
				// Another process or the next start continues the job, if it finds it.
				if (!(signal.reason instanceof ServiceStoppingError)) await cancelUnlessSame(undefined);
				throw error;
			});
		}
	}

	/** Returns the job, or `undefined` if there certainly is none. */
	async function lookUp(
		service: JobService<Job>,
		idempotencyKey: string,
		signal: AbortSignal,
	): Promise<Job | undefined> {
		let absentTimes = 0;
		for (let tries = 0; service.lookUp && tries < LOOKUPS_MAX; tries++) {
			if (tries > 0) await clock.sleep(LOOKUP_PAUSE_MS * 2 ** (tries - 1), signal);
			const result = await service.lookUp(idempotencyKey, signal).catch((error: unknown) => {
				if (isRetryableCall(error)) return undefined;
				throw error;
			});
			if (result?.kind === "found") return result.job;
			if (result?.kind === "cannot_tell") break;
			if (result?.kind === "absent") absentTimes += 1;
			if (absentTimes === ABSENT_RESULTS_NEEDED) return undefined;
		}
		throw unknownOutcome();
	}

	function unknownOutcome(): EngineError {
		const message = "it is unknown whether the engine accepted the job";
		return new EngineError("upstream_timeout", message, { retryable: !isPaid });
	}

	/**
	 * Polls until the job has ended, and downloads its files. A failed poll says nothing about the job. A failed download is repeated
	 * after another poll, which may return fresh links.
	 */
	async function pollUntilDone(
		job: Job,
		{ service, intervalMs, pause, report, signal }: JobRun<Job>,
	): Promise<readonly EngineOutput[]> {
		let lastResponseAtMs = clock.nowMs();
		let missingPolls = 0;
		let collects = 0;
		for (;;) {
			let waitMs = intervalMs;
			try {
				const result = await pollOnce(service, job, signal);
				lastResponseAtMs = clock.nowMs();
				missingPolls = result.kind === "missing" ? missingPolls + 1 : 0;
				if (result.kind === "missing") {
					if (missingPolls === MISSING_POLLS_MAX) throw result.error;
				} else if (result.kind === "done") {
					const outputs = await collect(result, ++collects, signal);
					if (outputs) return outputs;
					waitMs = COLLECT_PAUSE_MS * collects;
				} else {
					report(result.progressPercent ?? 0, result.queuePosition);
					waitMs = Math.max(waitMs, result.waitMs ?? 0);
				}
			} catch (error) {
				if (!(error instanceof CallFailedError)) throw error;
				missingPolls = 0;
				// A paid job is awaited until the deadline; a free one is restarted elsewhere.
				const mayContinue = isPaid
					? error.retryable || error.code === "invalid_input"
					: error.retryable && clock.nowMs() - lastResponseAtMs < FAILED_POLLS_MS_MAX;
				if (!mayContinue) throw error;
				waitMs = Math.max(waitMs, error.retryAfterMs ?? 0);
			}
			await pause(waitMs);
		}
	}

	async function pollOnce(service: JobService<Job>, job: Job, signal: AbortSignal): Promise<PollResult> {
		try {
			return await service.poll(job, signal);
		} catch (error) {
			if (error instanceof CallFailedError && isUnknownJob(error)) return { kind: "missing", error: jobLostError() };
			throw error;
		}
	}

	/**
	 * Returns the files, or `undefined` if the download has to be repeated. Then only a free service gets the job again: a second
	 * paid one would end like the first.
	 */
	async function collect(
		done: Extract<PollResult, { kind: "done" }>,
		tries: number,
		signal: AbortSignal,
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

	/** Cancels an abandoned job, which may cost money. Retries for a while if the service does not respond. */
	async function cancelJob(
		service: JobService<Job>,
		{ idempotencyKey, job }: JobCheckpoint<Job>,
		taskId: string,
		stop?: AbortSignal,
	): Promise<void> {
		const { cancel } = service;
		if (!cancel) return;
		using timeout = createTimeout(clock, CANCEL_TIMEOUT_MS, new Error("the cancel took too long"));
		const signal = stop ? AbortSignal.any([stop, timeout.signal]) : timeout.signal;
		try {
			for (let tries = 1; ; tries++) {
				try {
					const found: LookupResult<Job> | undefined = job
						? { kind: "found", job }
						: await service.lookUp?.(idempotencyKey, signal);
					if (found?.kind === "found") await cancel(found.job, signal);
					return;
				} catch (error) {
					if (!isRetryableCall(error) || tries === CANCELS_MAX) throw error;
				}
				await clock.sleep(CANCEL_PAUSE_MS, signal);
			}
		} catch (error) {
			logger.warn({ err: error, taskId, idempotencyKey, engine: name }, "job not canceled");
		}
	}

	return {
		name,
		...(settings.concurrency !== undefined && { concurrency: settings.concurrency }),
		models: () => models.map(({ model }) => model),
		async run(task, signal, report) {
			const servedModel = findServedModel(task);
			const service = serviceFor(task, servedModel);
			const intervalMs = deps.pollIntervalMs ?? POLL_INTERVAL_MS[servedModel.model.mediaType];
			const idempotencyKey = idempotencyKeyOf(task, name);
			const { promise, resolve: end } = Promise.withResolvers<void>();
			const tracked = { idempotencyKey, ended: promise.finally(() => running.delete(tracked)) };
			running.add(tracked);
			const followAbort = new AbortController();
			let pollNow: (() => void) | undefined;
			let job: Job | undefined;
			let canceling: Promise<void> | undefined;
			const onProgress = (progressPercent?: number): void => {
				if (followAbort.signal.aborted) return;
				if (progressPercent === undefined) pollNow?.();
				else report(progressPercent);
			};
			const pause = (ms: number): Promise<void> => {
				const pauseEnd = new AbortController();
				pollNow = () => pauseEnd.abort();
				return clock.sleep(ms, AbortSignal.any([signal, pauseEnd.signal])).catch(() => signal.throwIfAborted());
			};
			const run: JobRun<Job> = { service, idempotencyKey, intervalMs, pause, report, signal };
			try {
				service.follow?.(idempotencyKey, onProgress, AbortSignal.any([signal, followAbort.signal]));
				job = await submitOrResume(task, run);
				return await pollUntilDone(job, run);
			} catch (error) {
				// The job may still run: the next attempt must not compete with it.
				const isUnreachable = !signal.aborted && job !== undefined && error instanceof CallFailedError;
				if (isUnreachable) canceling = cancelJob(service, { idempotencyKey, job }, task.taskId);
				throw error;
			} finally {
				followAbort.abort(new Error("the run has ended"));
				end(canceling);
			}
		},
		async cancelJob(task, signal) {
			const service = serviceFor(task, findServedModel(task));
			if (!service.cancel) return;
			// A running submit writes its job to the checkpoint first.
			const idempotencyKey = idempotencyKeyOf(task, name);
			const own = [...running].filter((run) => run.idempotencyKey === idempotencyKey);
			await untilAborted(Promise.all(own.map(({ ended }) => ended)), signal);
			const checkpoint = await readCheckpoint(task);
			if (checkpoint) await cancelJob(service, checkpoint, task.taskId, signal);
		},
		async close() {
			await Promise.all([...running].map(({ ended }) => ended));
		},
	};
}

/** Derives the key from the task id by a hash: a service that knew the id could read the task. */
function idempotencyKeyOf({ taskId, attempt }: EngineTask, engine: string): string {
	const hex = createHash("sha256").update(`${taskId}/${attempt}/${engine}`).digest("hex");
	return [hex.slice(0, 8), hex.slice(8, 12), `4${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20, 32)].join(
		"-",
	);
}

function isRetryableCall(error: unknown): error is CallFailedError {
	return error instanceof CallFailedError && error.retryable;
}
