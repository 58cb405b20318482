/**
 * V8 keeps the pages that a burst has filled and left, for the next one, and a process with nothing to do does not come to the one kind
 * of collection that gives them back. So it is asked for that, in a quiet moment, and only where much is to be had: it takes about a
 * tenth of a second.
 */
import type { Clock } from "@atelier/common/clock";
import { startRounds } from "@atelier/common/intervals";

const EVERY_MS = 5_000;
/** Processor time in a round: a fiftieth of a core. */
const QUIET_MS = 100;
const WORTHWHILE_BYTES = 32 * 1024 * 1024;

interface MemoryDeps {
	readonly clock: Clock;
	/** Collects all garbage and gives its pages back; absent where Node was started without `--expose-gc`. */
	readonly collect: (() => void) | undefined;
	readonly residentBytes: () => number;
	/** Of this process so far. */
	readonly processorMs: () => number;
}

/** Returns how to end it. */
export function giveMemoryBack({ clock, collect, residentBytes, processorMs }: MemoryDeps): () => Promise<void> {
	if (!collect) return async () => {};
	let keptBytes = 0;
	let beforeMs = processorMs();
	return startRounds({
		clock,
		everyMs: EVERY_MS,
		async round() {
			const isQuiet = processorMs() - beforeMs <= QUIET_MS;
			if (isQuiet && residentBytes() - keptBytes > WORTHWHILE_BYTES) {
				collect();
				keptBytes = residentBytes();
			}
			// Some of it is given back a moment later.
			keptBytes = Math.min(keptBytes, residentBytes());
			beforeMs = processorMs();
		},
	});
}

/** As `giveMemoryBack` takes them. */
export const ownMemory = {
	collect: globalThis.gc && (() => globalThis.gc?.({ type: "major", execution: "sync", flavor: "last-resort" })),
	residentBytes: () => process.memoryUsage.rss(),
	processorMs: () => {
		const { user, system } = process.cpuUsage();
		return (user + system) / 1000;
	},
} as const satisfies Partial<MemoryDeps>;
