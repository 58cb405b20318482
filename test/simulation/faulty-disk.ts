import type { KvAdapter, KvChange, KvWrite } from "@atelier/store/kv-adapter";
import { StoreRejectedError, StoreUnavailableError } from "@atelier/store/store-errors";
import type { EventQueue } from "./event-queue.ts";
import type { Random } from "./random.ts";

/** Probabilities of faults, per call of the store. */
interface FaultRates {
	readonly failBefore: number;
	/** The store responds with an error, and executes nothing. */
	readonly reject: number;
	readonly failAfter: number;
	/** The caller gets an error, and the write takes effect later. */
	readonly failThenApply: number;
	readonly crashBefore: number;
	readonly crashAfter: number;
	/** The call takes a hundred times as long, so that others overtake it. */
	readonly slow: number;
}

/** A simulated process. After a crash it gets no responses, but the requests that it sent may still arrive. */
export interface ProcessState {
	isDead: boolean;
	/** True while no call of the process reaches the disk. */
	isCutOff?: boolean;
	crash(): void;
}

/** A deliberate bug of the store, to check that the simulation finds it. */
export type Sabotage =
	/** A compare-and-set is not atomic: other writes come between its read and its write. */
	| "get then set"
	/** Some writes of accounts have no effect. */
	| "lost writes";

export interface Disk {
	/** Returns the store of one process. */
	storageFor(processState: ProcessState): KvAdapter;
	read(key: string): string | undefined;
	/** Returns all documents by key. */
	texts(): ReadonlyMap<string, string>;
	/** A full disk rejects writes. */
	setFull(isFull: boolean): void;
	/** Ends the faults. */
	heal(): void;
}

interface DiskDeps {
	readonly queue: EventQueue;
	readonly random: Random;
	readonly rates: FaultRates;
	/** Called before each write takes effect. */
	readonly onWrite: (key: string, before: string | undefined, after: string) => void;
	readonly sabotage?: Sabotage | undefined;
}

const CALL_MS_MAX = 5;
const SLOW_FACTOR = 100;

export function createDisk({ queue, random, rates, onWrite, sabotage }: DiskDeps): Disk {
	const texts = new Map<string, string>();
	let isHealed = false;
	let isFull = false;

	const happens = (rate: number): boolean => !isHealed && random.chance(rate);
	const delay = (): number => random.between(0, CALL_MS_MAX) * (happens(rates.slow) ? SLOW_FACTOR : 1);

	function call<T>(processState: ProcessState, apply: () => T, isWrite = false): Promise<T> {
		return new Promise((resolve, reject) => {
			const failWith = (error: Error): void => {
				if (!processState.isDead) reject(error);
			};
			const fail = (message: string): void => failWith(new StoreUnavailableError(message));
			queue.plan(delay(), () => {
				// A write that a process sent before it died arrives or is lost.
				if (processState.isDead && random.chance(0.5)) return;
				if (processState.isCutOff && !isHealed) return fail("the process is cut off");
				if (happens(rates.failBefore)) return fail("the call failed before its effect");
				if (happens(rates.reject) || (isWrite && isFull)) return failWith(new StoreRejectedError("the disk is full"));
				if (happens(rates.failThenApply)) {
					queue.plan(delay(), apply);
					return fail("the call takes effect later");
				}
				if (!processState.isDead && happens(rates.crashBefore)) {
					if (random.chance(0.5)) queue.plan(delay(), apply);
					return processState.crash();
				}
				const result = apply();
				if (processState.isDead) return;
				if (happens(rates.crashAfter)) return processState.crash();
				if (happens(rates.failAfter)) return fail("the write happened without a response");
				const respond = (): void => {
					if (!processState.isDead) resolve(result);
				};
				if (random.chance(0.7)) return respond();
				queue.plan(delay(), respond);
			});
		});
	}

	function write(key: string, text: string): void {
		if (sabotage === "lost writes" && key.startsWith("account:") && texts.has(key) && random.chance(0.02)) return;
		onWrite(key, texts.get(key), text);
		texts.set(key, text);
	}

	function writeIfSame(changes: readonly KvChange[], writes: readonly KvWrite[]): boolean {
		if (changes.some(({ key, expected }) => texts.get(key) !== expected)) return false;
		writeAll(changes, writes);
		return true;
	}

	function writeAll(changes: readonly KvChange[], writes: readonly KvWrite[]): void {
		for (const { key, next } of changes) write(key, next);
		for (const { key, text } of writes) {
			if (text === undefined) texts.delete(key);
			else write(key, text);
		}
	}

	function storageFor(processState: ProcessState): KvAdapter {
		const change = <T>(apply: () => T): Promise<T> => call(processState, apply, true);
		const get = (key: string): Promise<string | undefined> => call(processState, () => texts.get(key));
		return {
			get,
			set: (key: string, text: string) => change(() => write(key, text)),
			delete: (key: string) => change(() => texts.delete(key)),
			async compareAndSet(changes, writes = []) {
				if (sabotage !== "get then set") return await change(() => writeIfSame(changes, writes));
				for (const { key, expected } of changes) if ((await get(key)) !== expected) return false;
				await change(() => writeAll(changes, writes));
				return true;
			},
			async *scan(prefix) {
				const keys = await call(processState, () =>
					[...texts.keys()].filter((key) => key.startsWith(prefix)).toSorted(),
				);
				for (const key of keys) yield { key, text: texts.get(key) ?? "" };
			},
			async *snapshot() {
				for (const key of [...texts.keys()].toSorted()) yield { key, text: texts.get(key) ?? "" };
			},
			async disconnect() {},
		};
	}

	return {
		storageFor,
		read: (key) => texts.get(key),
		texts: () => texts,
		setFull(isFullNow) {
			isFull = isFullNow && !isHealed;
		},
		heal() {
			isHealed = true;
			isFull = false;
		},
	};
}
