import type { ScanOptions, Store } from "../src/store.ts";

/** Simulates a crash of the process at a chosen write: this write and all later calls fail. */
export interface CrashingStore extends Store {
	/**
	 * Crashes at the write after the next `writesBefore` writes. With `lastIsWritten` the crashing write is executed, and
	 * only its response is lost.
	 */
	arm(writesBefore: number, options?: { lastIsWritten: boolean }): void;
	readonly hasCrashed: boolean;
}

export function createCrashingStore(inner: Store): CrashingStore {
	let writesLeft = Number.POSITIVE_INFINITY;
	let lastIsWritten = false;
	let hasCrashed = false;

	function assertAlive(): void {
		if (hasCrashed) throw new Error("the process has crashed");
	}

	async function write<T>(perform: () => Promise<T>): Promise<T> {
		assertAlive();
		if (writesLeft > 0) {
			writesLeft -= 1;
			return await perform();
		}
		hasCrashed = true;
		if (lastIsWritten) await perform();
		throw new Error("the process crashes");
	}

	return {
		arm(writesBefore, options) {
			writesLeft = writesBefore;
			lastIsWritten = options?.lastIsWritten ?? false;
		},
		get hasCrashed() {
			return hasCrashed;
		},
		async get<T>(key: string) {
			assertAlive();
			return await inner.get<T>(key);
		},
		async *scan<T>(prefix: string, options?: ScanOptions) {
			assertAlive();
			yield* inner.scan<T>(prefix, options);
		},
		set: (key, value) => write(() => inner.set(key, value)),
		delete: (key) => write(() => inner.delete(key)),
		compareAndSet: (key, expectedRaw, next) => write(() => inner.compareAndSet(key, expectedRaw, next)),
		compareAndSetAll: (changes, writes) => write(() => inner.compareAndSetAll(changes, writes)),
		close: () => inner.close(),
	};
}
