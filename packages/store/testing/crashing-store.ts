import type { ScanOptions, Store } from "../src/store.ts";

/** A store whose process crashes at a chosen write: that write and all later calls fail. */
export interface CrashingStore extends Store {
	/**
	 * The next `writes` writes succeed. With `lastIsWritten` the crashing write is executed, and only its response is
	 * lost.
	 */
	arm(writes: number, options?: { lastIsWritten: boolean }): void;
	readonly crashed: boolean;
}

export function createCrashingStore(inner: Store): CrashingStore {
	let writesLeft = Number.POSITIVE_INFINITY;
	let lastIsWritten = false;
	let crashed = false;

	function alive(): void {
		if (crashed) throw new Error("the process is dead");
	}

	async function write<T>(perform: () => Promise<T>): Promise<T> {
		alive();
		if (writesLeft > 0) {
			writesLeft -= 1;
			return await perform();
		}
		crashed = true;
		if (lastIsWritten) await perform();
		throw new Error("the process dies");
	}

	return {
		isSharedBetweenProcesses: inner.isSharedBetweenProcesses,
		arm(writes, options) {
			writesLeft = writes;
			lastIsWritten = options?.lastIsWritten ?? false;
		},
		get crashed() {
			return crashed;
		},
		async get<T>(key: string) {
			alive();
			return await inner.get<T>(key);
		},
		async *scan<T>(prefix: string, options?: ScanOptions) {
			alive();
			yield* inner.scan<T>(prefix, options);
		},
		set: (key, value) => write(() => inner.set(key, value)),
		delete: (key) => write(() => inner.delete(key)),
		compareAndSet: (key, expectedRaw, next) => write(() => inner.compareAndSet(key, expectedRaw, next)),
		compareAndSetAll: (changes) => write(() => inner.compareAndSetAll(changes)),
		close: () => inner.close(),
	};
}
