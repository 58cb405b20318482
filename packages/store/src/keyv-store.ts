import assert from "node:assert/strict";
import { Keyv } from "keyv";
import { decodeEntries } from "./decode-entries.ts";
import type { KvAdapter, KvEntry } from "./kv-adapter.ts";
import { preferPlainJson } from "./plain-json.ts";
import { CorruptDocumentError } from "./store-errors.ts";
import type { ScanOptions, Store, StoredDocument } from "./store.ts";

const KEY_CHARS_MAX = 255;
/** keyv reads `::` as a namespace, Postgres rejects NUL, and the highest code point ends every scan. */
const FORBIDDEN_IN_KEY = /::|\0|\u{10FFFF}/u;

/** Creates a store with the rows of keyv, and with the compare-and-set that keyv lacks. */
export function createKeyvStore(adapter: KvAdapter): Store {
	const { serialize: serializeAsKeyv, deserialize } = new Keyv();
	assert(serializeAsKeyv && deserialize);
	const format = preferPlainJson({ serialize: serializeAsKeyv, deserialize });

	// The types of keyv's format allow promises, but its functions are synchronous.
	function serialize(value: unknown): string {
		const text = format.serialize({ value });
		assert(typeof text === "string");
		return text;
	}

	function parse<T>({ key, text }: KvEntry): StoredDocument<T> {
		let envelope: unknown;
		try {
			envelope = format.deserialize(text);
		} catch (cause) {
			throw new CorruptDocumentError(key, cause);
		}
		if (typeof envelope !== "object" || envelope === null || !("value" in envelope)) {
			throw new CorruptDocumentError(key, new TypeError("document has no value"));
		}
		return { key, raw: text, value: envelope.value as T };
	}

	return {
		async get<T>(key: string) {
			const text = await adapter.get(validKey(key));
			return text === undefined ? undefined : parse<T>({ key, text });
		},
		async set(key, value) {
			await adapter.set(validKey(key), serialize(value));
		},
		async delete(key) {
			await adapter.delete(validKey(key));
		},
		async *scan<T>(prefix: string, { after, onCorrupt }: ScanOptions = {}) {
			assert(after === undefined || after.startsWith(prefix), `a scan of ${prefix} cannot start after ${after}`);
			yield* decodeEntries(adapter.scan(prefix, after), parse<T>, onCorrupt);
		},
		async compareAndSet(key, expectedRaw, next) {
			const text = serialize(next);
			const isWritten = await adapter.compareAndSet([{ key: validKey(key), expected: expectedRaw, next: text }]);
			return isWritten ? text : undefined;
		},
		async compareAndSetAll(documentChanges, documentWrites = []) {
			const changes = documentChanges.map(({ key, expectedRaw, next }) => ({
				key: validKey(key),
				expected: expectedRaw,
				next: serialize(next),
			}));
			const writes = documentWrites.map(({ key, value }) => ({
				key: validKey(key),
				text: value === undefined ? undefined : serialize(value),
			}));
			const keys = [...changes, ...writes].map(({ key }) => key);
			assert(new Set(keys).size === keys.length, "a key occurs twice in one transaction");
			return (await adapter.compareAndSet(changes, writes)) ? changes.map(({ next }) => next) : undefined;
		},
		close: () => adapter.disconnect(),
	};
}

function validKey(key: string): string {
	const fits = key.length > 0 && key.length <= KEY_CHARS_MAX;
	assert(fits && key.isWellFormed() && !FORBIDDEN_IN_KEY.test(key), `invalid store key: ${key}`);
	return key;
}
