import type { Logger } from "pino";
import type { Clock } from "@atelier/common/clock";
import type { Look } from "./poll-queue.ts";

/** A look that threw: until whatever it was has passed, and not so long that a person gives up. */
const AGAIN_AFTER_FAULT_MS = 30_000;
/** Every wait within a look has a bound of its own; one that takes longer than all of them together hangs. */
const LOOK_MS_MAX = 5 * 60_000;

interface Running {
	readonly startedAtMs: number;
	readonly done: Promise<void>;
	/** Asked for since it began. */
	againAtMs: number;
}

/** The looks that this process has begun and not ended. */
export interface LooksUnderWay {
	readonly size: () => number;
	has(taskId: string): boolean;
	/** Asks for one more look at `dueAtMs` at the latest. False where the task is not being looked at. */
	askAgain(taskId: string, dueAtMs: number): boolean;
	/** Looks, never throws, and resolves to when the next look is due. */
	run(taskId: string, look: Look): Promise<number | undefined>;
	/** By how much the longest one is over its time. */
	overdueMs(): number;
	whenDone(): Promise<void>;
}

export function createLooksUnderWay({
	clock,
	logger,
}: {
	readonly clock: Clock;
	readonly logger: Logger;
}): LooksUnderWay {
	const running = new Map<string, Running>();

	async function safely(taskId: string, look: Look): Promise<number | undefined> {
		try {
			return await look(taskId);
		} catch (error) {
			logger.error({ err: error, taskId }, "look failed");
			return clock.nowMs() + AGAIN_AFTER_FAULT_MS;
		}
	}

	return {
		size: () => running.size,
		has: (taskId) => running.has(taskId),
		askAgain(taskId, dueAtMs) {
			const entry = running.get(taskId);
			if (entry) entry.againAtMs = Math.min(entry.againAtMs, dueAtMs);
			return entry !== undefined;
		},
		async run(taskId, look) {
			const { promise: done, resolve } = Promise.withResolvers<void>();
			const entry: Running = { startedAtMs: clock.nowMs(), done, againAtMs: Number.POSITIVE_INFINITY };
			running.set(taskId, entry);
			const nextAtMs = (await safely(taskId, look)) ?? Number.POSITIVE_INFINITY;
			// The lock of another process may have run out, and the task have come back here meanwhile.
			if (running.get(taskId) === entry) running.delete(taskId);
			resolve();
			const dueAtMs = Math.min(nextAtMs, entry.againAtMs);
			return dueAtMs === Number.POSITIVE_INFINITY ? undefined : dueAtMs;
		},
		overdueMs() {
			// In the order in which they began.
			const [first] = running.values();
			return first === undefined ? 0 : Math.max(0, clock.nowMs() - first.startedAtMs - LOOK_MS_MAX);
		},
		async whenDone() {
			await Promise.all([...running.values()].map(({ done }) => done));
		},
	};
}
