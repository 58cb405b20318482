import type { KeyvStoreAdapter } from "keyv";

/** One text of several that are written in one step. */
export interface TextChange {
	readonly key: string;
	/** `undefined`: the key must be absent. */
	readonly expected: string | undefined;
	readonly next: string;
}

/** Text under a key, as the technology holds it: what an adapter must offer beyond keyv's own interface. */
export interface TextStorage extends Omit<KeyvStoreAdapter, "get"> {
	/** Whether several processes may open it at once, and `compareAndSet` still has one winner. */
	readonly isSharedBetweenProcesses: boolean;
	get(key: string): Promise<string | undefined>;
	set(key: string, text: string): Promise<void>;
	/** Writes `next` if the key holds exactly `expected`, or, where that is `undefined`, is absent. True: written. */
	compareAndSet(key: string, expected: string | undefined, next: string): Promise<boolean>;
	/** The same with several keys: all are written, or none. */
	compareAndSetAll(changes: readonly TextChange[]): Promise<boolean>;
	/** Every entry whose key starts with `prefix`, behind `after` where given, in the order of the keys' code points. */
	scan(prefix: string, after?: string): AsyncIterable<TextEntry>;
	/** Every entry as all of them were at one moment, in the order of the keys' code points, while others go on writing. */
	snapshot(): AsyncIterable<TextEntry>;
	disconnect(): Promise<void>;
}

export interface TextEntry {
	readonly key: string;
	readonly text: string;
}

/** The highest code point, which no key may hold: nothing that starts with a prefix sorts behind the prefix and it. */
export const HIGHEST_CODE_POINT = "\u{10FFFF}";
