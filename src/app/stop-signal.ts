import type { EventEmitter } from "node:events";

/** A closed terminal, Ctrl-C, and a supervisor. */
const STOP_SIGNALS = ["SIGHUP", "SIGINT", "SIGTERM"] as const;
/** One stop may arrive several times: a terminal and a supervisor signal each process, and the launcher passes its signal on. */
const SAME_STOP_MS = 1_000;

interface StopSignalDeps {
	readonly process?: EventEmitter;
	readonly nowMs?: () => number;
	/** Called for a later signal, which ends the process without waiting. */
	readonly exitNow?: () => void;
}

/** Resolves with the first signal that asks this process to stop. Another one, after its copies, ends the process at once. */
export function stopSignal({
	process: signals = process,
	nowMs = () => performance.now(),
	exitNow = () => process.exit(1),
}: StopSignalDeps = {}): Promise<NodeJS.Signals> {
	return new Promise((resolve) => {
		let firstAtMs: number | undefined;
		const hear = (signal: NodeJS.Signals): void => {
			firstAtMs ??= nowMs();
			if (nowMs() - firstAtMs > SAME_STOP_MS) exitNow();
			else resolve(signal);
		};
		for (const signal of STOP_SIGNALS) signals.on(signal, hear);
	});
}
