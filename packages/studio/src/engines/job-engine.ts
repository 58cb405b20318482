/**
 * Engines whose tasks are jobs of a service that accepts submits, is polled, and serves files.
 *
 * The checkpoint is written before the submit, and again with the job's id. So the same attempt, run again after a
 * crash, continues the existing job. A submit without a response is looked up, and repeated only if it certainly was
 * not accepted: there is at most one paid job per attempt.
 */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import type { Logger } from "pino";
import type { Clock } from "@atelier/common/clock";
import {
	EngineError,
	ServiceStoppingError,
	type Engine,
	type EngineOutput,
	type EngineTask,
	type MediaType,
	type Report,
} from "./engine.ts";
import type { EngineEntry, ServedModel } from "./engine-kind.ts";
import { CallFailedError } from "./http-client.ts";

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
	/** Files can be downloaded repeatedly without another charge. */
	| { readonly kind: "done"; readonly collect: (signal: AbortSignal) => Promise<readonly EngineOutput[]> };

/** The operations of a service for one task. `Job` identifies the job as plain JSON. */
export interface JobService<Job extends object> {
	/** `key` is a UUID, the same for the same attempt: the idempotency key, or the job's name. Bounded in time. */
	submit(key: string, signal: AbortSignal): Promise<Job>;
	/** Absent if the service can only look up jobs by its own id. */
	readonly lookUp?: (key: string, signal: AbortSignal) => Promise<LookupResult<Job>>;
	poll(job: Job, signal: AbortSignal): Promise<PollResult>;
	/** Absent if the service cannot cancel. */
	readonly cancel?: (job: Job, signal: AbortSignal) => Promise<void>;
	/** Reports progress until the signal aborts, best effort. A report without a percentage means "poll now". */
	follow?(key: string, report: (progressPercent?: number) => void, signal: AbortSignal): void;
}

interface JobCheckpoint<Job> {
	readonly key: string;
	readonly job?: Job;
}

/** Long work is polled less often. */
const POLL_INTERVAL_MS = { image: 2_000, music: 3_000, video: 5_000 } as const satisfies Record<MediaType, number>;

/** A submit may not have arrived at the first lookup. */
const LOOKUP_PAUSE_MS = 2_000;
const ABSENT_RESULTS_NEEDED = 2;
const LOOKUPS_MAX = 6;
const SUBMITS_MAX = 3;
const COLLECTS_MAX = 4;
const COLLECT_PAUSE_MS = 2_000;
const CANCEL_TIMEOUT_MS = 15_000;
const CANCELS_MAX = 3;
const CANCEL_PAUSE_MS = 2_000;
/** How long a free service may fail polls before another attempt starts. */
const SILENCE_MAX_MS = 60_000;

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
	/** Running submits and cancellations. */
	const background = new Set<Promise<void>>();

	function findServedModel(task: EngineTask): ServedModel<Mapping> {
		const servedModel = models.find(({ model }) => model.id === task.model);
		assert(servedModel, "the studio asks an engine only for what it serves");
		return servedModel;
	}

	async function submitOrResume(
		task: EngineTask,
		service: JobService<Job>,
		key: string,
		/** Called with the job before it is written to the checkpoint. */
		onJob: (job: Job) => void,
		signal: AbortSignal,
	): Promise<Job> {
		const stored = (await task.checkpoint.read()) as JobCheckpoint<Job> | undefined;
		if (stored?.job) return stored.job;
		const write = (checkpoint: JobCheckpoint<Job>): Promise<void> => task.checkpoint.write(checkpoint);
		const writeJob = async (job: Job): Promise<Job> => {
			onJob(job);
			await write({ key, job });
			return job;
		};
		let mayExist = stored !== undefined;
		for (let submits = 0; submits < SUBMITS_MAX; submits++) {
			if (mayExist) {
				const found = await lookUp(service, key, signal);
				if (found) return await writeJob(found);
			} else {
				await write({ key });
			}
			signal.throwIfAborted();
			try {
				// Not aborted: its response is needed to cancel or resume the job.
				return await writeJob(await service.submit(key, new AbortController().signal));
			} catch (error) {
				if (!(error instanceof CallFailedError) || !error.mayHaveActed) throw error;
				logger.warn({ err: error, taskId: task.taskId, key }, "submit has an unknown outcome");
				mayExist = true;
			}
		}
		throw unknownOutcome();
	}

	/** Returns the job, or `undefined` if there certainly is none. */
	async function lookUp(service: JobService<Job>, key: string, signal: AbortSignal): Promise<Job | undefined> {
		let absentTimes = 0;
		for (let tries = 0; service.lookUp && tries < LOOKUPS_MAX; tries++) {
			if (tries > 0) await clock.sleep(LOOKUP_PAUSE_MS * 2 ** Math.min(tries - 1, 4), signal);
			const result = await service.lookUp(key, signal).catch((error: unknown) => {
				if (error instanceof CallFailedError && error.retryable) return undefined;
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

	/** Polls until the job has ended. A failed poll says nothing about the job. */
	async function pollUntilDone(
		service: JobService<Job>,
		job: Job,
		intervalMs: number,
		pause: (ms: number) => Promise<void>,
		report: Report,
		signal: AbortSignal,
	): Promise<readonly EngineOutput[]> {
		let lastResponseAtMs = clock.nowMs();
		for (;;) {
			let waitMs = intervalMs;
			try {
				const result = await service.poll(job, signal);
				lastResponseAtMs = clock.nowMs();
				if (result.kind === "done") return await collect(result, signal);
				report(result.progressPercent ?? 0, result.queuePosition);
				waitMs = Math.max(waitMs, result.waitMs ?? 0);
			} catch (error) {
				if (!(error instanceof CallFailedError) || !error.retryable) throw error;
				// A paid job is awaited until the deadline; a free one is restarted elsewhere.
				if (!isPaid && clock.nowMs() - lastResponseAtMs >= SILENCE_MAX_MS) throw error;
				waitMs = Math.max(waitMs, error.retryAfterMs ?? 0);
			}
			await pause(waitMs);
		}
	}

	async function collect(
		done: Extract<PollResult, { kind: "done" }>,
		signal: AbortSignal,
	): Promise<readonly EngineOutput[]> {
		for (let tries = 1; ; tries++) {
			try {
				return await done.collect(signal);
			} catch (error) {
				if (!(error instanceof EngineError) || !error.retryable || tries === COLLECTS_MAX) throw error;
			}
			await clock.sleep(COLLECT_PAUSE_MS * tries, signal);
		}
	}

	/** Cancels an abandoned job, which may cost money. Retries for a while if the service does not respond. */
	async function cancelJob(
		service: JobService<Job>,
		{ key, job }: JobCheckpoint<Job>,
		taskId: string,
		signal?: AbortSignal,
	): Promise<void> {
		const { cancel } = service;
		if (!cancel) return;
		const timeoutAbort = new AbortController();
		const cancelSignal = signal ? AbortSignal.any([signal, timeoutAbort.signal]) : timeoutAbort.signal;
		clock.sleep(CANCEL_TIMEOUT_MS, timeoutAbort.signal).then(
			() => timeoutAbort.abort(new Error("the cancel took too long")),
			() => {},
		);
		try {
			for (let tries = 1; ; tries++) {
				try {
					const result =
						job === undefined ? await service.lookUp?.(key, cancelSignal) : ({ kind: "found", job } as const);
					if (result?.kind === "found") await cancel(result.job, cancelSignal);
					return;
				} catch (error) {
					if (!(error instanceof CallFailedError) || !error.retryable || tries === CANCELS_MAX) throw error;
				}
				await clock.sleep(CANCEL_PAUSE_MS, cancelSignal);
			}
		} catch (error) {
			logger.warn({ err: error, taskId, key, engine: name }, "job not canceled");
		} finally {
			timeoutAbort.abort(new Error("the cancel is over"));
		}
	}

	/** Continues after the run has ended. */
	function inBackground(work: Promise<void>): void {
		const tracked = work.finally(() => background.delete(tracked));
		background.add(tracked);
	}

	return {
		name,
		...(settings.concurrency !== undefined && { concurrency: settings.concurrency }),
		models: () => models.map(({ model }) => model),
		async run(task, signal, report) {
			const servedModel = findServedModel(task);
			const service = serviceFor(task, servedModel);
			const intervalMs = deps.pollIntervalMs ?? POLL_INTERVAL_MS[servedModel.model.mediaType];
			const runEnded = Promise.withResolvers<void>();
			inBackground(runEnded.promise);
			const key = keyOf(task, name);
			const runAbort = new AbortController();
			let wake: (() => void) | undefined;
			let job: Job | undefined;
			const onProgress = (progressPercent?: number): void => {
				if (runAbort.signal.aborted) return;
				if (progressPercent === undefined) wake?.();
				else report(progressPercent);
			};
			const pause = (ms: number): Promise<void> => {
				const woken = new AbortController();
				wake = () => woken.abort();
				return clock.sleep(ms, AbortSignal.any([signal, woken.signal])).catch(() => signal.throwIfAborted());
			};
			try {
				service.follow?.(key, onProgress, AbortSignal.any([signal, runAbort.signal]));
				job = await submitOrResume(task, service, key, (submitted) => (job = submitted), signal);
				return await pollUntilDone(service, job, intervalMs, pause, report, signal);
			} catch (error) {
				const isCanceled = signal.aborted && !(signal.reason instanceof ServiceStoppingError);
				// The job is lost without a known end: a new attempt must not compete with it.
				const isLost = !signal.aborted && job !== undefined && error instanceof CallFailedError;
				if (isCanceled || isLost) inBackground(cancelJob(service, { key, ...(job && { job }) }, task.taskId));
				throw error;
			} finally {
				runAbort.abort(new Error("the run is over"));
				runEnded.resolve();
			}
		},
		async cancelJob(task, signal) {
			const checkpoint = (await task.checkpoint.read()) as JobCheckpoint<Job> | undefined;
			if (checkpoint) await cancelJob(serviceFor(task, findServedModel(task)), checkpoint, task.taskId, signal);
		},
		async close() {
			await Promise.all(background);
		},
	};
}

/** Derived from the task id, which itself would grant access to the task. */
function keyOf({ taskId, attempt }: EngineTask, engine: string): string {
	const hex = createHash("sha256").update(`${taskId}/${attempt}/${engine}`).digest("hex");
	return [hex.slice(0, 8), hex.slice(8, 12), `4${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20, 32)].join(
		"-",
	);
}
