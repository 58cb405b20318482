/** Health of an engine by its recent runs: `up`, `degraded` after a fault of its own, `down` after several in a row. */
export type Health = "up" | "degraded" | "down";

const DOWN_AFTER_FAULTS = 3;
/** After this time without a run, the next task may try the engine. */
const DOWN_FOR_MS = 60_000;

export interface EngineHealth {
	succeeded(): void;
	failed(nowMs: number): void;
	at(nowMs: number): Health;
}

export function createEngineHealth(): EngineHealth {
	let faultsInARow = 0;
	let lastFaultAtMs = 0;

	return {
		succeeded() {
			faultsInARow = 0;
		},
		failed(nowMs) {
			faultsInARow += 1;
			lastFaultAtMs = nowMs;
		},
		at(nowMs) {
			if (faultsInARow === 0) return "up";
			return faultsInARow >= DOWN_AFTER_FAULTS && nowMs - lastFaultAtMs < DOWN_FOR_MS ? "down" : "degraded";
		},
	};
}

export interface EngineStanding {
	readonly name: string;
	readonly health: Health;
	/** Running tasks of this process, and their limit. */
	readonly running: number;
	readonly places: number;
}
