import { performance } from "node:perf_hooks";
import type { DocumentChange, Store } from "@atelier/store/store";
import { NO_LABELS, SECONDS_BUCKETS, type Metrics } from "./metrics.ts";

const OPERATIONS = ["get", "set", "delete", "scan", "compareAndSet", "compareAndSetAll"] as const;
type Operation = (typeof OPERATIONS)[number];

/** Measures the duration, failures and lost compare-and-set races of a store. */
export function withStoreMetrics(store: Store, metrics: Metrics): Store {
	const label = { op: OPERATIONS };
	const errors = metrics.counter("atelier_store_errors_total", "Operations of the store that failed.", label);
	const seconds = metrics.histogram(
		"atelier_store_operation_seconds",
		"Duration of store operations.",
		label,
		SECONDS_BUCKETS,
	);
	const retries = metrics.counter(
		"atelier_store_cas_retries_total",
		"Changes that lost a race and were repeated.",
		NO_LABELS,
	);

	/** A caller that only creates documents expects that one may exist: that is no lost race. */
	function countLostRace(changes: readonly Pick<DocumentChange, "expectedRaw">[]): void {
		if (changes.some(({ expectedRaw }) => expectedRaw !== undefined)) retries.add({});
	}

	async function measured<T>(op: Operation, work: Promise<T>): Promise<T> {
		const startMs = performance.now();
		try {
			return await work;
		} catch (error) {
			errors.add({ op });
			throw error;
		} finally {
			seconds.observe({ op }, (performance.now() - startMs) / 1000);
		}
	}

	return {
		get: (key) => measured("get", store.get(key)),
		set: (key, value) => measured("set", store.set(key, value)),
		delete: (key) => measured("delete", store.delete(key)),
		// A scan is not timed: its consumer takes most of the time between two documents.
		async *scan(prefix, options) {
			try {
				yield* store.scan(prefix, options);
			} catch (error) {
				errors.add({ op: "scan" });
				throw error;
			}
		},
		async compareAndSet(key, expectedRaw, next) {
			const written = await measured("compareAndSet", store.compareAndSet(key, expectedRaw, next));
			if (written === undefined) countLostRace([{ expectedRaw }]);
			return written;
		},
		async compareAndSetAll(changes, writes) {
			const written = await measured("compareAndSetAll", store.compareAndSetAll(changes, writes));
			if (written === undefined) countLostRace(changes);
			return written;
		},
		close: () => store.close(),
	};
}
