import type { AttemptVerdict } from "./run-attempt.ts";
import type { Engine } from "./engines/engine.ts";
import type { StudioContext } from "./studio-context.ts";
import type { PendingStudioTask } from "./studio-task.ts";

/** Health of an engine by its recent runs: `up`, `degraded` after a failure of its own, `down` after several in a row. */
type Health = "up" | "degraded" | "down";

const DOWN_AFTER_FAILURES = 3;
/** After this time without another failure, one task probes the engine. It stays down until the probe has succeeded. */
const DOWN_FOR_MS = 60_000;

export interface EngineStatus {
	readonly name: string;
	readonly health: Health;
	/** Running tasks of this process, and their limit. */
	readonly running: number;
	readonly slots: number;
}

/** An engine with its state in this process. */
export interface EngineEntry {
	readonly engine: Engine;
	readonly health: ReturnType<typeof createEngineHealth>;
	/** The limit of concurrent tasks of this process. */
	readonly concurrency: number;
}

export type EngineRouter = ReturnType<typeof createEngineRouter>;

const HEALTH_BEST_FIRST = ["up", "degraded", "down"] as const satisfies readonly Health[];

export interface EngineRouterDeps extends StudioContext {
	readonly engines: readonly Engine[];
	/** The names of a model's engines by its id, preferred first; by default the order of `engines`. */
	readonly engineOrder: Readonly<Record<string, readonly string[]>>;
}

/** Selects engines for tasks, and knows their health. */
export function createEngineRouter(deps: EngineRouterDeps) {
	const { clock } = deps;
	const engines = deps.engines.map((engine): EngineEntry => {
		const concurrency = engine.concurrency ?? deps.limits.engineConcurrency;
		return { engine, health: createEngineHealth(), concurrency };
	});
	const byModel = new Map<string, EngineEntry[]>();
	for (const entry of engines) {
		for (const { id } of entry.engine.models()) byModel.set(id, [...(byModel.get(id) ?? []), entry]);
	}
	for (const [modelId, names] of Object.entries(deps.engineOrder)) {
		byModel.get(modelId)?.sort((a, b) => names.indexOf(a.engine.name) - names.indexOf(b.engine.name));
	}

	/** Returns the engines that serve a model, preferred first; an empty list if none does. */
	function enginesFor(modelId: string): readonly EngineEntry[] {
		return byModel.get(modelId) ?? [];
	}

	return {
		engines,
		find: (engineName: string): EngineEntry | undefined => engines.find(({ engine }) => engine.name === engineName),
		enginesFor,
		/**
		 * Returns the engine for the next run of a task; `undefined` if none serves its model. The engine that started an
		 * attempt also continues it. Otherwise each attempt uses the next engine of the model, and skips engines that are
		 * down if another is not.
		 */
		selectFor(task: Pick<PendingStudioTask, "request" | "attempt" | "engine">): EngineEntry | undefined {
			const choices = enginesFor(task.request.model);
			const engineOfAttempt = choices.find(({ engine }) => engine.name === task.engine);
			if (engineOfAttempt) return engineOfAttempt;
			const first = task.attempt % choices.length;
			const rotated = [...choices.slice(first), ...choices.slice(0, first)];
			return rotated.find(({ health }) => health.stateAt(clock.nowMs()) !== "down") ?? rotated[0];
		},
		/** Returns the best health among the engines of a model; `down` without an engine. */
		healthOf(modelId: string): Health {
			const states = enginesFor(modelId).map(({ health }) => health.stateAt(clock.nowMs()));
			return HEALTH_BEST_FIRST.find((state) => states.includes(state)) ?? "down";
		},
	};
}

function createEngineHealth() {
	let failuresInARow = 0;
	let lastFailureAtMs = 0;
	/** The run that probes an engine that is down. */
	let probe: symbol | undefined;

	return {
		/** Starts a run. Returns the function that ends it. Without a verdict, the run shows nothing about the engine. */
		startRun() {
			const run = Symbol("run");
			if (failuresInARow >= DOWN_AFTER_FAILURES) probe ??= run;
			return (verdict: AttemptVerdict | undefined, nowMs: number): void => {
				if (probe === run) probe = undefined;
				if (verdict?.kind === "succeeded") failuresInARow = 0;
				if (verdict?.kind !== "failed" || !verdict.isEngineFailure) return;
				failuresInARow += 1;
				lastFailureAtMs = nowMs;
			};
		},
		stateAt(nowMs: number): Health {
			if (failuresInARow === 0) return "up";
			const mayBeTried = failuresInARow < DOWN_AFTER_FAILURES || (nowMs - lastFailureAtMs >= DOWN_FOR_MS && !probe);
			return mayBeTried ? "degraded" : "down";
		},
	};
}
