/**
 * Follows one job of a service that takes orders, is asked how they go, and hands out files.
 *
 * Before the order is sent, that it will be is written into the memo; once it is taken, the service's own word for the job.
 * So the same attempt, run again after a crash, goes on with the job that there is. An order whose answer was lost is looked
 * up, and sent again only where it is certain that it was not taken: there is at most one paid order per attempt.
 */
import { createHash } from "node:crypto";
import type { Logger } from "pino";
import type { Clock } from "@atelier/common/clock";
import { EngineError, ServiceStoppingError, type EngineOutput, type EngineTask, type Report } from "./engine.ts";
import { CallFailedError } from "./http-client.ts";

/** What became of an order whose answer was lost. */
export type Finding<Job> =
	| { readonly kind: "found"; readonly job: Job }
	| { readonly kind: "absent" }
	| { readonly kind: "cannot_tell" };

/** How a job goes. One that failed is an `EngineError`, thrown. */
export type Look =
	| {
			readonly kind: "open";
			readonly progressPercent?: number | undefined;
			/** In the service's own queue: 1 is next. */
			readonly queuePosition?: number | undefined;
			readonly lookAgainMs?: number | undefined;
	  }
	/** Files can be fetched more than once without being paid again. */
	| { readonly kind: "done"; readonly collect: (signal: AbortSignal) => Promise<readonly EngineOutput[]> };

/** What one task needs from a service. `Job` is what it takes to ask for it again: plain JSON. */
export interface JobService<Job extends object> {
	/** `key` is the same for the same attempt, a UUID: the service's idempotency key, or the name of the job. Bounded in time. */
	submit(key: string, signal: AbortSignal): Promise<Job>;
	/** `undefined` if the service cannot be asked for an order without its id. */
	readonly find?: (key: string, signal: AbortSignal) => Promise<Finding<Job>>;
	look(job: Job, signal: AbortSignal): Promise<Look>;
	/** `undefined` where the service cannot do that. */
	readonly cancel?: (job: Job, signal: AbortSignal) => Promise<void>;
	/** Hears of the job while it runs, as well as it can, until the signal: `hear` takes progress, or nothing for "look now". */
	follow?(key: string, hear: (progressPercent?: number) => void, signal: AbortSignal): void;
}

export interface JobRunner {
	run<Job extends object>(
		task: EngineTask,
		service: JobService<Job>,
		signal: AbortSignal,
		report: Report,
	): Promise<readonly EngineOutput[]>;
	/** Cancels what an earlier process ordered in this attempt, where there is something, and the service can do that. */
	letGo<Job extends object>(task: EngineTask, service: JobService<Job>, signal: AbortSignal): Promise<void>;
	/** Waits for orders and cancels that are on their way. */
	close(): Promise<void>;
}

interface Note<Job> {
	readonly key: string;
	readonly job?: Job;
}

/** An order may still be on its way when it is looked up for the first time. */
const FIND_PAUSE_MS = 2_000;
const ABSENT_TIMES = 2;
const FINDS_MAX = 6;
const SUBMITS_MAX = 3;
const COLLECTS_MAX = 4;
const COLLECT_PAUSE_MS = 2_000;
const CANCEL_TIMEOUT_MS = 15_000;
const CANCELS_MAX = 3;
const CANCEL_PAUSE_MS = 2_000;
/** How long a service that costs nothing may be silent about a job before another attempt is made. */
const SILENCE_MAX_MS = 60_000;

export function createJobRunner(deps: {
	readonly engine: string;
	/** Whether a second order for the same task would cost money, and not only time. */
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
		/** Told of the job before it is written down, which may be too late. */
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
				// It is not cut off: its answer is what can be canceled, or gone on with after a stop.
				return await keep(await service.submit(key, new AbortController().signal));
			} catch (error) {
				if (!(error instanceof CallFailedError) || !error.mayHaveActed) throw error;
				deps.logger.warn({ err: error, taskId: task.taskId, key }, "order has an unknown outcome");
				mayBeThere = true;
			}
		}
		throw new EngineError("upstream_timeout", "the engine does not say whether it took the order", {
			retryable: !isPaid,
		});
	}

	/** The job, or `undefined` where there is certainly none. */
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
		throw new EngineError("upstream_timeout", "nobody knows whether the engine took the order", { retryable: !isPaid });
	}

	/** Looks until it is done. A look that fails says nothing about the job. */
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
				// What is paid for is waited for until the deadline; what costs nothing is begun anew elsewhere.
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

	/** Nobody wants the job any more, and it may cost money. A service that does not answer is asked again for a while. */
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

	/** Goes on when the run itself is over. */
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
				// Given up without a word of its end: a new attempt is not to compete with it.
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

/** Ours, and not the task's own id: that one opens the task to whoever has a key of its account. */
function keyOf({ taskId, attempt }: EngineTask, engine: string): string {
	const hex = createHash("sha256").update(`${taskId}/${attempt}/${engine}`).digest("hex");
	return [hex.slice(0, 8), hex.slice(8, 12), `4${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20, 32)].join(
		"-",
	);
}
