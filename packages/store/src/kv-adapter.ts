/** One write of a compare-and-set. */
export interface KvChange {
	readonly key: string;
	/** The text that the key must hold; `undefined`: the key must not exist. */
	readonly expected: string | undefined;
	readonly next: string;
}

/** A write that does not depend on the stored text. */
export interface KvWrite {
	readonly key: string;
	/** `undefined` removes the key. */
	readonly text: string | undefined;
}

export interface KvEntry {
	readonly key: string;
	readonly text: string;
}

/** Storage of texts under keys, as keyv lays it out, with operations that keyv's own adapters lack. */
export interface KvAdapter {
	get(key: string): Promise<string | undefined>;
	set(key: string, text: string): Promise<void>;
	/** Resolves to false if the key does not exist. */
	delete(key: string): Promise<boolean>;
	/**
	 * Writes all changes and writes atomically if the key of every change holds exactly its expected text, or none. Resolves to
	 * true if they were written.
	 */
	compareAndSet(changes: readonly KvChange[], writes?: readonly KvWrite[]): Promise<boolean>;
	/** Yields entries whose key starts with `prefix`, after the key `after`, in code point order. */
	scan(prefix: string, after?: string): AsyncIterable<KvEntry>;
	/** Yields a consistent snapshot of all entries in code point order, while writers continue. */
	snapshot(): AsyncIterable<KvEntry>;
	disconnect(): Promise<void>;
}

/** The highest code point, which keys must not contain: it ends the range of a prefix. */
export const HIGHEST_CODE_POINT = "\u{10FFFF}";
