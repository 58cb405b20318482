import assert from "node:assert/strict";
import type { Engine, EngineTask, MediaType, Model } from "./engine.ts";
import type { EngineEntry, ServedModel } from "./engine-factory.ts";
import type { JobRunner, JobService } from "./job-runner.ts";

/** How often a job is worth a look: what takes longer is looked at less. */
export const LOOK_EVERY_MS = { image: 2_000, music: 3_000, video: 5_000 } as const satisfies Record<MediaType, number>;

/** An engine whose every task is one job of a service. */
export function createJobEngine<Serving, Job extends object>(
	entry: Pick<EngineEntry<{ readonly concurrency?: number }, Serving>, "name" | "settings" | "models">,
	jobs: JobRunner,
	serviceFor: (task: EngineTask, served: ServedModel<Serving>) => JobService<Job>,
): Engine {
	const { concurrency } = entry.settings;
	const models: readonly Model[] = entry.models.map(({ model }) => model);
	const service = (task: EngineTask): JobService<Job> => {
		const served = entry.models.find(({ model }) => model.id === task.model);
		assert(served, "the studio asks an engine only for what it serves");
		return serviceFor(task, served);
	};
	return {
		name: entry.name,
		...(concurrency !== undefined && { concurrency }),
		models: () => models,
		run: async (task, signal, report) => await jobs.run(task, service(task), signal, report),
		letGo: async (task, signal) => await jobs.letGo(task, service(task), signal),
		close: () => jobs.close(),
	};
}
