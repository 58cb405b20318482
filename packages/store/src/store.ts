/** A stored document beside the exact text that stands for it in the store. */
export interface StoredDocument<T = unknown> {
	readonly key: string;
	readonly value: T;
	/** What `compareAndSet` takes as the expectation: compared as it is, never serialised again. */
	readonly raw: string;
}

export interface ScanOptions {
	/** Only what comes behind this key, which starts with the prefix: where a page goes on, at the cost of that page. */
	readonly after?: string | undefined;
	/** Called for each document that cannot be read, and the scan goes on; without it, the scan ends there with the error. */
	readonly onCorrupt?: (key: string, error: unknown) => void;
}

/** One document of several that are written in one step. */
export interface Change {
	readonly key: string;
	/** As `compareAndSet` takes it. */
	readonly expectedRaw: string | undefined;
	readonly next: unknown;
}

/**
 * Where everything durable lives: JSON documents under flat keys, in keyv's own layout.
 *
 * A store that cannot answer throws; `undefined` only ever means that the key is not there. Keys are at most 255
 * characters that every technology takes, without `::`. Nothing here expires: money and tasks carry no time to live.
 */
export interface Store {
	/** Whether several processes may serve one bot on it: `compareAndSet` has one winner among all of them. */
	readonly isSharedBetweenProcesses: boolean;
	get<T = unknown>(key: string): Promise<StoredDocument<T> | undefined>;
	set(key: string, value: unknown): Promise<void>;
	delete(key: string): Promise<void>;
	/** Every document whose key starts with `prefix`, in the order of the keys' code points, a bounded batch at a time. */
	scan<T = unknown>(prefix: string, options?: ScanOptions): AsyncIterable<StoredDocument<T>>;
	/**
	 * The atomic step: writes `next` if the key still holds exactly `expectedRaw`, or, where that is `undefined`,
	 * if the key is absent. Resolves to the raw text now stored, or to `undefined` when somebody else was first.
	 */
	compareAndSet(key: string, expectedRaw: string | undefined, next: unknown): Promise<string | undefined>;
	/**
	 * The same with several keys, each named once: all of them are written, or none where one does not hold what is expected.
	 * Nobody ever sees some of them, and no crash leaves some of them.
	 */
	compareAndSetAll(changes: readonly Change[]): Promise<readonly string[] | undefined>;
	close(): Promise<void>;
}
