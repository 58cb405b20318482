import { DatabaseSync } from "node:sqlite";
import { StoreNotUsable } from "./store-errors.ts";

/** What works on a store for as long as it runs. */
export type StoreUser = "bot" | "studio";

export interface StoreLock extends Disposable {
	release(): void;
}

/** Another process holds the lock of the store. */
export class StoreInUseError extends StoreNotUsable {
	override readonly name: string = "StoreInUseError";
}

const SQLITE_BUSY = 5;

/**
 * Locks a SQLite store for one kind of user, until it is released or the process ends in whatever way: the lock is one of the
 * operating system, on a file beside the database. A shared lock lets other processes share it. Throws `StoreInUseError` where
 * another process holds it. Stores on a server have no such lock.
 */
export function lockStore(
	storeUrl: string,
	user: StoreUser,
	{ isShared = false }: { readonly isShared?: boolean } = {},
): StoreLock {
	const path = /^sqlite:(.+)$/.exec(storeUrl)?.[1];
	if (path === undefined || path === ":memory:") return { release() {}, [Symbol.dispose]() {} };
	const file = new DatabaseSync(`${path}.${user}-lock`);
	const release = (): void => {
		if (file.isOpen) file.close();
	};
	try {
		file.exec(isShared ? "BEGIN" : "BEGIN EXCLUSIVE");
		// A transaction takes its shared lock when it first reads.
		if (isShared) file.prepare("SELECT count(*) FROM sqlite_master").get();
	} catch (error) {
		release();
		if (!isBusy(error)) throw error;
		throw new StoreInUseError(
			`another process works on the store ${path}. Stop it first, or set another STORE_URL or DATA_DIR here.`,
			{ cause: error },
		);
	}
	return { release, [Symbol.dispose]: release };
}

function isBusy(error: unknown): boolean {
	return error instanceof Error && "errcode" in error && error.errcode === SQLITE_BUSY;
}
