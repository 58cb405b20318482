/**
 * Runs one job of a service that accepts submits, is polled, and serves files. * The checkpoint is written before the
 * submit, and again with the job's id. So the same attempt, run again after a crash, continues the existing job. A
 * submit without a response is looked up, and repeated only if it certainly was not accepted: there is at most one paid
 * job per attempt.
 */
import { createHash } from "node:crypto";
import type { Logger } from "pino";
import type { Clock } from "@atelier/common/clock";
import { EngineError, ServiceStoppingError, type EngineOutput, type EngineTask, type Report } from "./engine.ts";
import { CallFailedError } from "./http-client.ts";

/** The outcome of looking up a submit without a response. */
export type Finding<Job> =
	| { readonly kind: "found"; readonly job: Job }
	| { readonly kind: "absent" }
	| { readonly kind: "cannot_tell" };

/** The state of a job. A failed one is thrown as `EngineError`. */
export type Look =
	| {
			readonly kind: "open";
			readonly progressPercent?: number | undefined;
			/** The position in the service's own queue: 1 is next. */
			readonly queuePosition?: number | undefined;
			readonly lookAgainMs?: number | undefined;
	  }
	/** Files can be downloaded repeatedly without another charge. */
	| { readonly kind: "done"; readonly collect: (signal: AbortSignal) => Promise<readonly EngineOutput[]> };

/** The operations of a service for one task. `Job` identifies the job as plain JSON. */
export interface JobService<Job extends object> {
	/** `key` is a UUID, the same for the same attempt: the idempotency key, or the job's name. Bounded in time. */
	submit(key: string, signal: AbortSignal): Promise<Job>;
	/** Absent if the service supports no lookup without an id. */
	readonly find?: (key: string, signal: AbortSignal) => Promise<Finding<Job>>;
	look(job: Job, signal: AbortSignal): Promise<Look>;
	/** Absent if the service cannot cancel. */
	readonly cancel?: (job: Job, signal: AbortSignal) => Promise<void>;
	/** Reports progress until the signal aborts, best effort: `hear` takes a percentage, or nothing for "poll now". */
	follow?(key: string, hear: (progressPercent?: number) => void, signal: AbortSignal): void;
}

export interface JobRunner {
	run<Job extends object>(
		task: EngineTask,
		service: JobService<Job>,
		signal: AbortSignal,
		report: Report,
	): Promise<readonly EngineOutput[]>;
	/** Cancels the job of this attempt that an earlier process submitted, if there is one and the service can. */
	letGo<Job extends object>(task: EngineTask, service: JobService<Job>, signal: AbortSignal): Promise<void>;
	/** Waits for running submits and cancellations. */
	close(): Promise<void>;
}

interface Note<Job> {
	readonly key: string;
	readonly job?: Job;
}

/** A submit may still be on its way at the first lookup. */
const FIND_PAUSE_MS = 2_000;
const ABSENT_TIMES = 2;
const FINDS_MAX = 6;
const SUBMITS_MAX = 3;
const COLLECTS_MAX = 4;
const COLLECT_PAUSE_MS = 2_000;
const CANCEL_TIMEOUT_MS = 15_000;
const CANCELS_MAX = 3;
const CANCEL_PAUSE_MS = 2_000;
/** How long a free service may fail polls before another attempt starts. */
const SILENCE_MAX_MS = 60_000;

export function createJobRunner(deps: {
	readonly engine: string;
	/** Whether a second job for the same task would cost money, not only time. */
	readonly isPaid: boolean;
	readonly lookEveryMs: number;
	readonly clock: Clock;
	readonly logger: Logger;
}): JobRunner {
	const { clock, isPaid } = deps;
	const background = new Set<Promise<void>>();

	async function jobFor<Job extends object>(
		task: EngineTask,
		service: JobService<Job>,
		key: string,
		/** Called with the job before it is written to the checkpoint. */
		onTaken: (job: Job) => void,
		signal: AbortSignal,
	): Promise<Job> {
		const before = (await task.memo.read()) as Note<Job> | undefined;
		if (before?.job) return before.job;
		const keep = async (job: Job): Promise<Job> => {
			onTaken(job);
			const note: Note<Job> = { key, job };
			await task.memo.write(note);
			return job;
		};
		let mayBeThere = before !== undefined;
		for (let submits = 0; submits < SUBMITS_MAX; submits++) {
			if (mayBeThere) {
				const found = await find(service, key, signal);
				if (found) return await keep(found);
			} else {
				const note: Note<Job> = { key };
				await task.memo.write(note);
			}
			signal.throwIfAborted();
			try {
				// Not aborted: its response is needed to cancel or resume the job.
				return await keep(await service.submit(key, new AbortController().signal));
			} catch (error) {
				if (!(error instanceof CallFailedError) || !error.mayHaveActed) throw error;
				deps.logger.warn({ err: error, taskId: task.taskId, key }, "order has an unknown outcome");
				mayBeThere = true;
			}
		}
		throw new EngineError("upstream_timeout", "the engine does not tell whether it accepted the job", {
			retryable: !isPaid,
		});
	}

	/** Returns the job, or `undefined` if there certainly is none. */
	async function find<Job extends object>(
		service: JobService<Job>,
		key: string,
		signal: AbortSignal,
	): Promise<Job | undefined> {
		let absentTimes = 0;
		for (let tries = 0; service.find && tries < FINDS_MAX; tries++) {
			if (tries > 0) await clock.sleep(FIND_PAUSE_MS * 2 ** Math.min(tries - 1, 4), signal);
			const finding = await service.find(key, signal).catch((error: unknown) => {
				if (error instanceof CallFailedError && error.retryable) return undefined;
				throw error;
			});
			if (finding?.kind === "found") return finding.job;
			if (finding?.kind === "cannot_tell") break;
			if (finding?.kind === "absent") absentTimes += 1;
			if (absentTimes === ABSENT_TIMES) return undefined;
		}
		throw new EngineError("upstream_timeout", "it is unknown whether the engine accepted the job", {
			retryable: !isPaid,
		});
	}

	/** Polls until the job has ended. A failed poll says nothing about the job. */
	async function finish<Job extends object>(
		service: JobService<Job>,
		job: Job,
		pause: (ms: number) => Promise<void>,
		report: Report,
		signal: AbortSignal,
	): Promise<readonly EngineOutput[]> {
		let heardAtMs = clock.nowMs();
		for (;;) {
			let waitMs = deps.lookEveryMs;
			try {
				const look = await service.look(job, signal);
				heardAtMs = clock.nowMs();
				if (look.kind === "done") return await collect(look, signal);
				report(look.progressPercent ?? 0, look.queuePosition);
				waitMs = Math.max(waitMs, look.lookAgainMs ?? 0);
			} catch (error) {
				if (!(error instanceof CallFailedError) || !error.retryable) throw error;
				// A paid job is awaited until the deadline; a free one is restarted elsewhere.
				if (!isPaid && clock.nowMs() - heardAtMs >= SILENCE_MAX_MS) throw error;
				waitMs = Math.max(waitMs, error.retryAfterMs ?? 0);
			}
			await pause(waitMs);
		}
	}

	async function collect(done: Extract<Look, { kind: "done" }>, signal: AbortSignal): Promise<readonly EngineOutput[]> {
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
	async function callOff<Job extends object>(
		service: JobService<Job>,
		{ key, job }: Note<Job>,
		taskId: string,
		signal?: AbortSignal,
	): Promise<void> {
		const { cancel } = service;
		if (!cancel) return;
		const over = new AbortController();
		const until = signal ? AbortSignal.any([signal, over.signal]) : over.signal;
		clock.sleep(CANCEL_TIMEOUT_MS, over.signal).then(
			() => over.abort(new Error("the cancel took too long")),
			() => {},
		);
		try {
			for (let tries = 1; ; tries++) {
				try {
					const known = job ?? (await foundJob(service, key, until));
					if (known) await cancel(known, until);
					return;
				} catch (error) {
					if (!(error instanceof CallFailedError) || !error.retryable || tries === CANCELS_MAX) throw error;
				}
				await clock.sleep(CANCEL_PAUSE_MS, until);
			}
		} catch (error) {
			deps.logger.warn({ err: error, taskId, key, engine: deps.engine }, "job not canceled");
		} finally {
			over.abort(new Error("the cancel is over"));
		}
	}

	/** Continues after the run has ended. */
	function inBackground(work: Promise<void>): void {
		const kept = work.finally(() => background.delete(kept));
		background.add(kept);
	}

	return {
		async run(task, service, signal, report) {
			const isOver = Promise.withResolvers<void>();
			background.add(isOver.promise);
			const key = keyOf(task, deps.engine);
			const over = new AbortController();
			let wake: (() => void) | undefined;
			let job: Parameters<typeof service.look>[0] | undefined;
			const hear = (progressPercent?: number): void => {
				if (over.signal.aborted) return;
				if (progressPercent === undefined) wake?.();
				else report(progressPercent);
			};
			const pause = (ms: number): Promise<void> => {
				const woken = new AbortController();
				wake = () => woken.abort();
				return clock.sleep(ms, AbortSignal.any([signal, woken.signal])).catch(() => signal.throwIfAborted());
			};
			try {
				service.follow?.(key, hear, AbortSignal.any([signal, over.signal]));
				job = await jobFor(task, service, key, (taken) => (job = taken), signal);
				return await finish(service, job, pause, report, signal);
			} catch (error) {
				const isUnwanted = signal.aborted && !(signal.reason instanceof ServiceStoppingError);
				// Lost without a known end: a new attempt must not compete with it.
				const isLost = !signal.aborted && job !== undefined && error instanceof CallFailedError;
				if (isUnwanted || isLost) inBackground(callOff(service, { key, ...(job && { job }) }, task.taskId));
				throw error;
			} finally {
				over.abort(new Error("the run is over"));
				background.delete(isOver.promise);
				isOver.resolve();
			}
		},
		async letGo<Job extends object>(task: EngineTask, service: JobService<Job>, signal: AbortSignal) {
			const note = (await task.memo.read()) as Note<Job> | undefined;
			if (note) await callOff(service, note, task.taskId, signal);
		},
		async close() {
			await Promise.all(background);
		},
	};
}

async function foundJob<Job extends object>(
	service: JobService<Job>,
	key: string,
	signal: AbortSignal,
): Promise<Job | undefined> {
	const finding = await service.find?.(key, signal);
	return finding?.kind === "found" ? finding.job : undefined;
}

/** Derived from the task id, which itself would grant access to the task. */
function keyOf({ taskId, attempt }: EngineTask, engine: string): string {
	const hex = createHash("sha256").update(`${taskId}/${attempt}/${engine}`).digest("hex");
	return [hex.slice(0, 8), hex.slice(8, 12), `4${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20, 32)].join(
		"-",
	);
}
