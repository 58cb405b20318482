import { DatabaseSync } from "node:sqlite";
import { hasResultCode, SQLITE } from "./sqlite-errors.ts";
import { StoreNotUsableError } from "./store-errors.ts";

export type StoreUser = "bot" | "studio";

/** Another process holds the lock of the store. */
export class StoreInUseError extends StoreNotUsableError {
	override readonly name: string = "StoreInUseError";
}

/**
 * Locks a SQLite store for one kind of process, until it is disposed or the process ends, with an operating system lock
 * on a file beside the database. Processes with shared locks can use the store together. Throws `StoreInUseError` if
 * another process holds the lock. Does nothing for a store in memory or on a server.
 */
export function lockStore(
	storeUrl: string,
	user: StoreUser,
	{ isShared = false }: { readonly isShared?: boolean } = {},
): Disposable {
	const path = sqlitePathOf(storeUrl);
	const inUseMessage = `another process works on the store ${path}. Stop it first, or set another STORE_URL or DATA_DIR here.`;
	return path === undefined ? noLock() : lockFile(`${path}.${user}-lock`, isShared, inUseMessage);
}

function noLock(): Disposable {
	return { [Symbol.dispose]() {} };
}

function sqlitePathOf(storeUrl: string): string | undefined {
	return /^sqlite:(.+)$/.exec(storeUrl)?.[1];
}

function lockFile(path: string, isShared: boolean, inUseMessage: string): Disposable {
	const file = new DatabaseSync(path);
	const release = (): void => {
		if (file.isOpen) file.close();
	};
	try {
		file.exec(isShared ? "BEGIN" : "BEGIN EXCLUSIVE");
		// The first read of a transaction acquires its shared lock.
		if (isShared) file.prepare("SELECT count(*) FROM sqlite_master").get();
	} catch (error) {
		release();
		if (!hasResultCode(error, SQLITE.BUSY)) throw error;
		throw new StoreInUseError(inUseMessage, { cause: error });
	}
	return { [Symbol.dispose]: release };
}
