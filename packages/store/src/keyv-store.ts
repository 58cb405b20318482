import assert from "node:assert/strict";
import { Keyv } from "keyv";
import { preferPlainJson } from "./plain-json.ts";
import type { ScanOptions, Store, StoredDocument } from "./store.ts";
import type { TextStorage } from "./kv-adapter.ts";

const KEY_CHARS_MAX = 255;
/** keyv reads `::` as a namespace, Postgres rejects NUL, and the highest code point ends every scan. */
const NOT_IN_A_KEY = /::|\0|\u{10FFFF}/u;

/** The document exists but is unreadable. It never counts as missing, and is never overwritten. */
export class CorruptDocumentError extends Error {
	override readonly name = "CorruptDocumentError";
	readonly key: string;

	constructor(key: string, cause: unknown) {
		super(`the document ${key} cannot be read`, { cause });
		this.key = key;
	}
}

/** Creates the store on keyv, with the compare-and-set that keyv lacks. keyv determines the format of every row. */
export function createKeyvStore(storage: TextStorage): Store {
	// Without `useKeyPrefix: false` keyv 5 prefixes keys; without `throwOnErrors` a failed read looks like a missing
	// document.
	const keyv = new Keyv({ store: storage, throwOnErrors: true, useKeyPrefix: false });
	keyv.namespace = undefined;
	assert(keyv.serialize && keyv.deserialize);
	const format = preferPlainJson({ serialize: keyv.serialize, deserialize: keyv.deserialize });
	Object.assign(keyv, format);

	// The functions that keyv wraps around its format are synchronous; each runs once per document.
	function textOf(value: unknown): string {
		const text = format.serialize({ value });
		assert(typeof text === "string");
		return text;
	}

	function documentOf<T>(key: string, raw: string): StoredDocument<T> {
		return { key, raw, value: readEnvelope(key, raw).value as T };
	}

	function readEnvelope(key: string, raw: string): { value?: unknown } {
		let envelope: unknown;
		try {
			envelope = format.deserialize(raw);
		} catch (cause) {
			throw new CorruptDocumentError(key, cause);
		}
		if (typeof envelope !== "object" || envelope === null || !("value" in envelope)) {
			throw new CorruptDocumentError(key, new TypeError("document has no value"));
		}
		return envelope;
	}

	return {
		isSharedBetweenProcesses: storage.isSharedBetweenProcesses,
		async get<T>(key: string) {
			const raw = await storage.get(checked(key));
			return raw === undefined ? undefined : documentOf<T>(key, raw);
		},
		async set(key, value) {
			await keyv.set(checked(key), value);
		},
		async delete(key) {
			await keyv.delete(checked(key));
		},
		async *scan<T>(prefix: string, { after, onCorrupt }: ScanOptions = {}) {
			assert(after === undefined || after.startsWith(prefix), `a scan of ${prefix} cannot begin behind ${after}`);
			for await (const { key, text } of storage.scan(prefix, after)) {
				let document: StoredDocument<T>;
				try {
					document = documentOf<T>(key, text);
				} catch (error) {
					if (!onCorrupt) throw error;
					onCorrupt(key, error);
					continue;
				}
				yield document;
			}
		},
		async compareAndSet(key, expectedRaw, next) {
			const text = textOf(next);
			return (await storage.compareAndSet(checked(key), expectedRaw, text)) ? text : undefined;
		},
		async compareAndSetAll(changes) {
			assert(new Set(changes.map(({ key }) => key)).size === changes.length, "no key is written twice in one step");
			const texts = changes.map(({ key, expectedRaw, next }) => ({
				key: checked(key),
				expected: expectedRaw,
				next: textOf(next),
			}));
			return (await storage.compareAndSetAll(texts)) ? texts.map(({ next }) => next) : undefined;
		},
		close: () => keyv.disconnect(),
	};
}

function checked(key: string): string {
	const fits = key.length > 0 && key.length <= KEY_CHARS_MAX;
	assert(fits && key.isWellFormed() && !NOT_IN_A_KEY.test(key), `not a key of the store: ${key}`);
	return key;
}
