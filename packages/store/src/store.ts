export interface StoredDocument<T = unknown> {
	readonly key: string;
	readonly value: T;
	/** The exact stored text, which `compareAndSet` compares. */
	readonly raw: string;
}

export interface ScanOptions {
	/** Starts after this key, which must start with the prefix. Reads no earlier documents. */
	readonly after?: string | undefined;
	/** Called for each unreadable document; the scan continues. Without it, the scan ends with the error. */
	readonly onCorrupt?: (key: string, error: unknown) => void;
}

/** One write of `compareAndSetAll`, with the meaning of the parameters of `compareAndSet`. */
export interface DocumentChange {
	readonly key: string;
	readonly expectedRaw: string | undefined;
	readonly next: unknown;
}

/** A write of `compareAndSetAll` that does not depend on the stored document. */
export interface DocumentWrite {
	readonly key: string;
	/** `undefined` removes the document. */
	readonly value: unknown;
}

/**
 * JSON documents under flat keys, in keyv's own layout. A failed call throws; `undefined` from `get` only means that the
 * key does not exist. Keys are well-formed text of 1 to 255 UTF-16 units, without `::`, NUL and U+10FFFF. Documents never
 * expire.
 */
export interface Store {
	get<T = unknown>(key: string): Promise<StoredDocument<T> | undefined>;
	set(key: string, value: unknown): Promise<void>;
	delete(key: string): Promise<void>;
	/** Yields documents whose key starts with `prefix`, in code point order, in bounded batches. */
	scan<T = unknown>(prefix: string, options?: ScanOptions): AsyncIterable<StoredDocument<T>>;
	/**
	 * Writes `next` if the key still holds exactly `expectedRaw` (`undefined`: does not exist). Resolves to the new
	 * stored text, or to `undefined` if another write came first. Of concurrent calls, one succeeds, among all processes on the store.
	 */
	compareAndSet(key: string, expectedRaw: string | undefined, next: unknown): Promise<string | undefined>;
	/**
	 * The same for several different keys in one transaction, together with writes of other keys: all are written, or none if a
	 * change does not match. Resolves to the new texts of the changes. Readers never see a part of it, nor does a crash leave one.
	 * Without changes, all writes are written.
	 */
	compareAndSetAll(
		changes: readonly DocumentChange[],
		writes?: readonly DocumentWrite[],
	): Promise<readonly string[] | undefined>;
	close(): Promise<void>;
}
