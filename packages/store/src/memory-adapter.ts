import type { TextStorage } from "./kv-adapter.ts";

/** Keeps text in memory, for tests and trials. Lost when the process ends. */
export function createMemoryStorage(): TextStorage {
	const texts = new Map<string, string>();

	return {
		opts: {},
		isSharedBetweenProcesses: false,
		// keyv adds an error listener; here errors reject their operation.
		on() {
			return this;
		},
		async get(key: string) {
			return texts.get(key);
		},
		async set(key, text) {
			texts.set(key, text);
		},
		async delete(key) {
			return texts.delete(key);
		},
		async clear() {
			texts.clear();
		},
		async compareAndSet(key, expected, next) {
			if (texts.get(key) !== expected) return false;
			texts.set(key, next);
			return true;
		},
		async compareAndSetAll(changes) {
			if (changes.some(({ key, expected }) => texts.get(key) !== expected)) return false;
			for (const { key, next } of changes) texts.set(key, next);
			return true;
		},
		async *scan(prefix, after = "") {
			const isWanted = (key: string): boolean => key.startsWith(prefix) && byCodePoints(key, after) > 0;
			const keys = [...texts.keys()].filter(isWanted).toSorted(byCodePoints);
			for (const key of keys) {
				const text = texts.get(key);
				if (text !== undefined) yield { key, text };
			}
		},
		async *snapshot() {
			const entries = [...texts].toSorted(([one], [other]) => byCodePoints(one, other));
			for (const [key, text] of entries) yield { key, text };
		},
		async disconnect() {},
	};
}

/** JavaScript compares UTF-16 code units; the databases compare bytes of UTF-8. */
function byCodePoints(one: string, other: string): number {
	return Buffer.compare(Buffer.from(one), Buffer.from(other));
}
