import type { KvAdapter } from "./kv-adapter.ts";

/** Keeps text in memory, for tests and trials. Lost when the process ends. */
export function createMemoryAdapter(): KvAdapter {
	const texts = new Map<string, string>();

	return {
		async get(key: string) {
			return texts.get(key);
		},
		async set(key, text) {
			texts.set(key, text);
		},
		async delete(key) {
			return texts.delete(key);
		},
		async compareAndSet(changes, writes = []) {
			if (changes.some(({ key, expected }) => texts.get(key) !== expected)) return false;
			for (const { key, next } of changes) texts.set(key, next);
			for (const { key, text } of writes) {
				if (text === undefined) texts.delete(key);
				else texts.set(key, text);
			}
			return true;
		},
		async *scan(prefix, after = "") {
			const keys = [...texts.keys()].filter((key) => key.startsWith(prefix) && compareCodePoints(key, after) > 0);
			for (const key of keys.toSorted(compareCodePoints)) {
				const text = texts.get(key);
				if (text !== undefined) yield { key, text };
			}
		},
		async *snapshot() {
			const entries = [...texts].toSorted(([a], [b]) => compareCodePoints(a, b));
			for (const [key, text] of entries) yield { key, text };
		},
		async disconnect() {},
	};
}

/** JavaScript compares UTF-16 code units; the databases compare bytes of UTF-8. */
function compareCodePoints(a: string, b: string): number {
	return Buffer.compare(Buffer.from(a), Buffer.from(b));
}
