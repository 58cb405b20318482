import { DatabaseSync } from "node:sqlite";
import { StoreNotUsableError } from "./store-errors.ts";

/** The kind of process that uses a store. */
export type StoreUser = "bot" | "studio";

export interface StoreLock extends Disposable {
	release(): void;
}

/** Another process holds the lock of the store. */
export class StoreInUseError extends StoreNotUsableError {
	override readonly name: string = "StoreInUseError";
}

const SQLITE_BUSY = 5;

/**
 * Locks a SQLite store for one kind of process until release or the end of the process: an operating system lock on a
 * file beside the database. A shared lock allows other processes. Throws `StoreInUseError` if another process holds it.
 * Stores on a server have no such lock.
 */
export function lockStore(
	storeUrl: string,
	user: StoreUser,
	{ isShared = false }: { readonly isShared?: boolean } = {},
): StoreLock {
	const path = pathIn(storeUrl);
	const inUse = `another process works on the store ${path}. Stop it first, or set another STORE_URL or DATA_DIR here.`;
	return path === undefined ? noLock() : lockFile(`${path}.${user}-lock`, isShared, inUse);
}

/**
 * Locks one shard of the bot, so that no two processes with the same shard use a SQLite store. Throws like `lockStore`.
 */
export function lockShard(storeUrl: string, shard: number): StoreLock {
	const path = pathIn(storeUrl);
	const inUse = `another process on the store ${path} serves shard ${shard} already. Give each process other SHARDS, or set QUEUE_URL, with which processes may share shards.`;
	return path === undefined ? noLock() : lockFile(`${path}.shard-${shard}-lock`, false, inUse);
}

function noLock(): StoreLock {
	return { release() {}, [Symbol.dispose]() {} };
}

function pathIn(storeUrl: string): string | undefined {
	const path = /^sqlite:(.+)$/.exec(storeUrl)?.[1];
	return path === ":memory:" ? undefined : path;
}

function lockFile(path: string, isShared: boolean, inUse: string): StoreLock {
	const file = new DatabaseSync(path);
	const release = (): void => {
		if (file.isOpen) file.close();
	};
	try {
		file.exec(isShared ? "BEGIN" : "BEGIN EXCLUSIVE");
		// A transaction takes its shared lock with its first read.
		if (isShared) file.prepare("SELECT count(*) FROM sqlite_master").get();
	} catch (error) {
		release();
		if (!isBusy(error)) throw error;
		throw new StoreInUseError(inUse, { cause: error });
	}
	return { release, [Symbol.dispose]: release };
}

function isBusy(error: unknown): boolean {
	return error instanceof Error && "errcode" in error && error.errcode === SQLITE_BUSY;
}
