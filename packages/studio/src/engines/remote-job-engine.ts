/** Engines whose tasks are jobs of a service that accepts submits, is polled, and serves files. */
import assert from "node:assert/strict";
import { orAborted } from "@atelier/common/or-aborted";
import type { MediaType } from "@atelier/media-protocol/model";
import { EngineError, type Engine, type EngineTask } from "./engine.ts";
import type { EngineConfig, ServedModel } from "./engine-kind.ts";
import { CallFailedError } from "./http-client.ts";
import { cancelJob } from "./job-cancel.ts";
import { pollUntilDone } from "./job-poll.ts";
import { idempotencyKeyOf, readJobCheckpoint, type JobEngineDeps, type JobAdapter } from "./job-adapter.ts";
import { submitOrResume } from "./job-submit.ts";

/** Long work is polled less often. */
const POLL_INTERVAL_MS = { image: 2_000, music: 3_000, video: 5_000 } as const satisfies Record<MediaType, number>;

export function createRemoteJobEngine<ModelSettings, Job extends object>(
	{ settings, models }: Pick<EngineConfig<{ readonly concurrency?: number }, ModelSettings>, "settings" | "models">,
	deps: JobEngineDeps,
	adapterFor: (task: EngineTask, servedModel: ServedModel<ModelSettings>) => JobAdapter<Job>,
): Engine {
	const { name } = deps;
	/** Runs of this process, until their jobs are done or left to `cancelJob`. */
	const running = new Set<{ readonly idempotencyKey: string; readonly ended: Promise<void> }>();

	function findServedModel(task: EngineTask): ServedModel<ModelSettings> {
		const servedModel = models.find(({ model }) => model.id === task.model);
		assert(servedModel, "the studio asks an engine only for what it serves");
		return servedModel;
	}

	/** Tracks a run. Returns the function that ends it, after its work in the background. */
	function trackRun(idempotencyKey: string): (backgroundWork: Promise<void> | undefined) => void {
		const { promise, resolve } = Promise.withResolvers<void>();
		const tracked = { idempotencyKey, ended: promise.finally(() => running.delete(tracked)) };
		running.add(tracked);
		return resolve;
	}

	return {
		name,
		...(settings.concurrency !== undefined && { concurrency: settings.concurrency }),
		models: () => models.map(({ model }) => model),
		async run(task, signal, report) {
			const servedModel = findServedModel(task);
			const adapter = adapterFor(task, servedModel);
			const idempotencyKey = idempotencyKeyOf(task, name);
			const pollIntervalMs = deps.pollIntervalMs ?? POLL_INTERVAL_MS[servedModel.model.mediaType];
			const run = { ...deps, task, adapter, idempotencyKey, signal, report, pollIntervalMs };
			const following = new AbortController();
			adapter.follow?.(idempotencyKey, report, AbortSignal.any([signal, following.signal]));
			const endRun = trackRun(idempotencyKey);
			let job: Job | undefined;
			let canceling: Promise<void> | undefined;
			try {
				job = await submitOrResume(run);
				return await pollUntilDone(run, job);
			} catch (error) {
				if (signal.aborted || job === undefined || !(error instanceof CallFailedError)) throw error;
				// The job may still run: the next attempt must not compete with it.
				canceling = cancelJob(run, job);
				const { code, message, retryable, retryAfterMs } = error;
				throw new EngineError(code, message, { retryable, retryAfterMs, cause: error });
			} finally {
				following.abort(new Error("the run has ended"));
				endRun(canceling);
			}
		},
		async cancelJob(task, signal) {
			const adapter = adapterFor(task, findServedModel(task));
			if (!adapter.cancel) return;
			// A running submit writes its job to the checkpoint first.
			const idempotencyKey = idempotencyKeyOf(task, name);
			const own = [...running].filter((run) => run.idempotencyKey === idempotencyKey);
			await orAborted(Promise.all(own.map(({ ended }) => ended)), signal);
			const checkpoint = await readJobCheckpoint<Job>(task);
			if (checkpoint) await cancelJob({ ...deps, task, adapter, idempotencyKey }, checkpoint.job, signal);
		},
		async close() {
			await Promise.all([...running].map(({ ended }) => ended));
		},
	};
}
