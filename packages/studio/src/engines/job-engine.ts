import assert from "node:assert/strict";
import type { Logger } from "pino";
import type { Clock } from "@atelier/common/clock";
import type { Engine, EngineTask, MediaType, Model } from "./engine.ts";
import type { EngineEntry, ServedModel } from "./engine-factory.ts";
import { createJobRunner, type JobService } from "./job-runner.ts";

/** The poll interval of jobs: longer work is polled less often. */
export const LOOK_EVERY_MS = { image: 2_000, music: 3_000, video: 5_000 } as const satisfies Record<MediaType, number>;

/** Creates an engine whose tasks are jobs of a service, one each. */
export function createJobEngine<Serving, Job extends object>(
	{
		name,
		settings,
		models,
	}: Pick<EngineEntry<{ readonly concurrency?: number }, Serving>, "name" | "settings" | "models">,
	deps: {
		/** Whether a second job for the same task would cost money, not only time. */
		readonly isPaid: boolean;
		readonly lookEveryMs?: number;
		readonly clock: Clock;
		readonly logger: Logger;
	},
	serviceFor: (task: EngineTask, served: ServedModel<Serving>) => JobService<Job>,
): Engine {
	const { concurrency } = settings;
	const jobs = createJobRunner({ lookEveryMs: LOOK_EVERY_MS.image, ...deps, engine: name });
	const shown: readonly Model[] = models.map(({ model }) => model);
	const service = (task: EngineTask): JobService<Job> => {
		const served = models.find(({ model }) => model.id === task.model);
		assert(served, "the studio asks an engine only for what it serves");
		return serviceFor(task, served);
	};
	return {
		name,
		...(concurrency !== undefined && { concurrency }),
		models: () => shown,
		run: async (task, signal, report) => await jobs.run(task, service(task), signal, report),
		letGo: async (task, signal) => await jobs.letGo(task, service(task), signal),
		close: () => jobs.close(),
	};
}
