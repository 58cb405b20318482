/** A stored document with its exact stored text. */
export interface StoredDocument<T = unknown> {
	readonly key: string;
	readonly value: T;
	/** The expectation for `compareAndSet`: compared as text, never serialized again. */
	readonly raw: string;
}

export interface ScanOptions {
	/** Continues after this key, which starts with the prefix, at the cost of one page. */
	readonly after?: string | undefined;
	/** Called for each unreadable document; the scan continues. Without it, the scan ends with the error. */
	readonly onCorrupt?: (key: string, error: unknown) => void;
}

/** One document of a transaction. */
export interface Change {
	readonly key: string;
	/** As for `compareAndSet`. */
	readonly expectedRaw: string | undefined;
	readonly next: unknown;
}

/**
 * The durable storage: JSON documents under flat keys, in keyv's own layout. * A store that cannot respond throws;
 * `undefined` only means that the key does not exist. Keys have at most 255 characters that every technology accepts,
 * without `::`. Documents never expire.
 */
export interface Store {
	/** True if several processes may serve one bot on it: `compareAndSet` has one winner among all of them. */
	readonly isSharedBetweenProcesses: boolean;
	get<T = unknown>(key: string): Promise<StoredDocument<T> | undefined>;
	set(key: string, value: unknown): Promise<void>;
	delete(key: string): Promise<void>;
	/** Yields documents whose key starts with `prefix`, in code point order, in bounded batches. */
	scan<T = unknown>(prefix: string, options?: ScanOptions): AsyncIterable<StoredDocument<T>>;
	/**
	 * Writes `next` if the key still holds exactly `expectedRaw` (`undefined`: does not exist). Resolves to the new
	 * stored text, or to `undefined` if another write came first.
	 */
	compareAndSet(key: string, expectedRaw: string | undefined, next: unknown): Promise<string | undefined>;
	/**
	 * The same for several different keys in one transaction: all are written, or none if one does not match. Readers
	 * and crashes never see a part of it.
	 */
	compareAndSetAll(changes: readonly Change[]): Promise<readonly string[] | undefined>;
	close(): Promise<void>;
}
