import type { Logger } from "pino";
import type { EngineMemos } from "./engines/engine-checkpoints.ts";
import type { Engine } from "./engines/engine.ts";
import type { EndedTask } from "./task.ts";

/**
 * What an engine may still be at for a task that has ended without its run: one that was to be canceled, or whose time was
 * over, when the process died. It may cost money, and nobody will fetch it.
 */
export interface Leftovers {
	/** Has the engine let go, as well as it can, until the signal; `undefined` where there is nothing to let go of. */
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
			// That of an earlier attempt had its end.
			if (!left || left.attempt < attempt) return undefined;
			const engine = deps.engines.find(({ name }) => name === left.engine);
			if (!engine?.letGo || !engine.models().some(({ id }) => id === model)) return undefined;
			const memo = deps.memos.of({ taskId, attempt: left.attempt, engine: left.engine });
			const run = { taskId, attempt: left.attempt, memo, model, scene, prompt, options, inputs: [] };
			return async (signal) => {
				await engine.letGo?.(run, signal).catch((error: unknown) => {
					deps.logger.warn({ err: error, taskId, engine: engine.name }, "engine did not let go");
				});
			};
		},
	};
}
