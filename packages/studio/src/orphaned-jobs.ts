import type { Logger } from "pino";
import type { EngineMemos } from "./engines/engine-checkpoints.ts";
import type { Engine } from "./engines/engine.ts";
import type { EndedTask } from "./task.ts";

/**
 * Finds jobs that an engine may still run for tasks that have ended without their run: canceled or overdue when the
 * process died. They may cost money, and their results would be lost.
 */
export interface Leftovers {
	/** Returns a function that cancels the job, best effort, until the signal; `undefined` if there is none. */
	of(task: EndedTask): Promise<((signal: AbortSignal) => Promise<void>) | undefined>;
}

export function createLeftovers(deps: {
	readonly memos: EngineMemos;
	readonly engines: readonly Engine[];
	readonly logger: Logger;
}): Leftovers {
	return {
		async of({ taskId, attempt, state, order: { model, scene, prompt, options } }) {
			if (state === "success") return undefined;
			const left = await deps.memos.left(taskId);
			// The job of an earlier attempt has ended.
			if (!left || left.attempt < attempt) return undefined;
			const engine = deps.engines.find(({ name }) => name === left.engine);
			if (!engine?.letGo || !engine.models().some(({ id }) => id === model)) return undefined;
			const memo = deps.memos.of({ taskId, attempt: left.attempt, engine: left.engine });
			const run = { taskId, attempt: left.attempt, memo, model, scene, prompt, options, inputs: [] };
			return async (signal) => {
				await engine.letGo?.(run, signal).catch((error: unknown) => {
					deps.logger.warn({ err: error, taskId, engine: engine.name }, "engine job not canceled");
				});
			};
		},
	};
}
