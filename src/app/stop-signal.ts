import type { EventEmitter } from "node:events";

/** Sent by a closed terminal, by Ctrl-C, and by a supervisor. */
const STOP_SIGNALS = ["SIGHUP", "SIGINT", "SIGTERM"] as const;
/** Signals within this time are one stop: a terminal signals each process, and the launcher forwards its signal too. */
const DUPLICATE_SIGNAL_MS = 1_000;

interface StopSignalDeps {
	readonly process?: EventEmitter;
	readonly nowMs?: () => number;
	/** Called for a later signal, which ends the process without waiting. */
	readonly exitNow?: () => void;
}

/**
 * Ends the process at a stop signal while it starts: as process 1 of a container it would ignore the signal. Returns a function that
 * ends this behavior.
 */
export function exitOnStopSignal(
	signals: EventEmitter = process,
	exitNow: () => void = () => process.exit(0),
): () => void {
	for (const signal of STOP_SIGNALS) signals.on(signal, exitNow);
	return () => {
		for (const signal of STOP_SIGNALS) signals.off(signal, exitNow);
	};
}

/** Resolves with the first signal that asks this process to stop. A later one, beyond duplicates, ends the process at once. */
export function stopSignal({
	process: signals = process,
	nowMs = () => performance.now(),
	exitNow = () => process.exit(1),
}: StopSignalDeps = {}): Promise<NodeJS.Signals> {
	return new Promise((resolve) => {
		let firstAtMs: number | undefined;
		const onSignal = (signal: NodeJS.Signals): void => {
			firstAtMs ??= nowMs();
			if (nowMs() - firstAtMs > DUPLICATE_SIGNAL_MS) exitNow();
			else resolve(signal);
		};
		for (const signal of STOP_SIGNALS) signals.on(signal, onSignal);
	});
}
