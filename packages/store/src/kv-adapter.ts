import type { KeyvStoreAdapter } from "keyv";

/** One of several changes in a transaction. */
export interface TextChange {
	readonly key: string;
	/** `undefined`: the key must not exist. */
	readonly expected: string | undefined;
	readonly next: string;
}

/** Text by key: the operations that an adapter must provide beyond keyv's own interface. */
export interface TextStorage extends Omit<KeyvStoreAdapter, "get"> {
	/** True if several processes may open it, with one winner per `compareAndSet`. */
	readonly isSharedBetweenProcesses: boolean;
	get(key: string): Promise<string | undefined>;
	set(key: string, text: string): Promise<void>;
	/**
	 * Writes `next` if the key holds exactly `expected` (`undefined`: does not exist). Resolves to whether it was
	 * written.
	 */
	compareAndSet(key: string, expected: string | undefined, next: string): Promise<boolean>;
	/** The same for several keys: writes all or none. */
	compareAndSetAll(changes: readonly TextChange[]): Promise<boolean>;
	/** Yields entries whose key starts with `prefix`, after the key `after`, in code point order. */
	scan(prefix: string, after?: string): AsyncIterable<TextEntry>;
	/** Yields a consistent snapshot of all entries in code point order, while writers continue. */
	snapshot(): AsyncIterable<TextEntry>;
	disconnect(): Promise<void>;
}

export interface TextEntry {
	readonly key: string;
	readonly text: string;
}

/** The highest code point, which keys must not contain: it ends the range of a prefix. */
export const HIGHEST_CODE_POINT = "\u{10FFFF}";
