import type { Clock } from "@atelier/common/clock";
import type { AttemptVerdict } from "./run-attempt.ts";
import type { Catalog } from "./catalog.ts";
import type { Engine } from "./engines/engine.ts";
import type { StudioLimits } from "./limits.ts";
import type { PendingTask } from "./task.ts";

/** Health of an engine by its recent runs: `up`, `degraded` after a failure of its own, `down` after several in a row. */
type Health = "up" | "degraded" | "down";

const DOWN_AFTER_FAILURES = 3;
/** After this time without a run, the next task may try the engine. */
const DOWN_FOR_MS = 60_000;

interface EngineHealth {
	succeeded(): void;
	failed(nowMs: number): void;
	stateAt(nowMs: number): Health;
}

export interface EngineStatus {
	readonly name: string;
	readonly health: Health;
	/** Running tasks of this process, and their limit. */
	readonly running: number;
	readonly slots: number;
}

/** An engine with its state in this process. */
export interface RoutedEngine {
	readonly engine: Engine;
	readonly health: EngineHealth;
	/** The limit of concurrent tasks of this process. */
	readonly concurrency: number;
}

/** Selects engines for tasks, and knows their health. */
export interface EngineRouter {
	readonly all: readonly RoutedEngine[];
	of(engine: string): RoutedEngine | undefined;
	/** Returns the engines that serve a model, preferred first. */
	enginesFor(modelId: string): readonly RoutedEngine[];
	/** Returns the engine for the next run of a task. */
	next(task: Pick<PendingTask, "request" | "attempt" | "engine">): RoutedEngine | undefined;
	/** Returns the best health among the engines of a model. */
	healthOf(modelId: string): Health;
	recordVerdict(routed: RoutedEngine, verdict: AttemptVerdict): void;
}

const HEALTH_ORDER = ["up", "degraded", "down"] as const satisfies readonly Health[];

export function createEngineRouter(deps: {
	readonly engines: readonly Engine[];
	readonly catalog: Catalog;
	readonly limits: Pick<StudioLimits, "engineConcurrency">;
	readonly clock: Clock;
}): EngineRouter {
	const { clock } = deps;
	const router = new Map<string, RoutedEngine>();
	for (const engine of deps.engines) {
		const concurrency = engine.concurrency ?? deps.limits.engineConcurrency;
		router.set(engine.name, { engine, health: createEngineHealth(), concurrency });
	}

	const byModel = new Map<string, readonly RoutedEngine[]>(
		deps.catalog.models.map(({ id }) => [id, deps.catalog.enginesOf(id).flatMap(({ name }) => router.get(name) ?? [])]),
	);

	function enginesFor(modelId: string): readonly RoutedEngine[] {
		return byModel.get(modelId) ?? [];
	}

	return {
		all: [...router.values()],
		of: (engine) => router.get(engine),
		enginesFor,
		/**
		 * The engine that started this attempt continues it. Otherwise each attempt uses the next engine of the model,
		 * and skips those that are down if another is up.
		 */
		next(task) {
			const choices = enginesFor(task.request.model);
			if (choices.length === 1) return choices[0];
			const engineOfAttempt = choices.find(({ engine }) => engine.name === task.engine);
			if (engineOfAttempt) return engineOfAttempt;
			const first = task.attempt % Math.max(1, choices.length);
			const rotated = [...choices.slice(first), ...choices.slice(0, first)];
			return rotated.find(({ health }) => health.stateAt(clock.nowMs()) !== "down") ?? rotated[0];
		},
		healthOf(modelId) {
			const found = enginesFor(modelId).map(({ health }) => health.stateAt(clock.nowMs()));
			return HEALTH_ORDER.find((health) => found.includes(health)) ?? "down";
		},
		recordVerdict({ health }, verdict) {
			if (verdict.kind === "succeeded") health.succeeded();
			else if (verdict.kind === "failed" && verdict.isEngineFailure) health.failed(clock.nowMs());
		},
	};
}

function createEngineHealth(): EngineHealth {
	let failuresInARow = 0;
	let lastFailureAtMs = 0;

	return {
		succeeded() {
			failuresInARow = 0;
		},
		failed(nowMs) {
			failuresInARow += 1;
			lastFailureAtMs = nowMs;
		},
		stateAt(nowMs) {
			if (failuresInARow === 0) return "up";
			return failuresInARow >= DOWN_AFTER_FAILURES && nowMs - lastFailureAtMs < DOWN_FOR_MS ? "down" : "degraded";
		},
	};
}
