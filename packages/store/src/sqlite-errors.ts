import { StoreUnavailableError } from "./store-errors.ts";

/** SQLite's primary result codes. `node:sqlite` reports extended ones as `errcode`, with the primary code in the lowest byte. */
export const SQLITE_BUSY = 5;
const SQLITE_READONLY = 8;
const SQLITE_IOERR = 10;
export const SQLITE_FULL = 13;
const SQLITE_CANTOPEN = 14;
/** Errors of the disk and of locks, which say nothing about the statement. */
const UNAVAILABLE = [SQLITE_BUSY, SQLITE_READONLY, SQLITE_IOERR, SQLITE_FULL, SQLITE_CANTOPEN];

export function hasResultCode(error: unknown, ...primaryCodes: readonly number[]): error is Error {
	if (!(error instanceof Error) || !("errcode" in error) || typeof error.errcode !== "number") return false;
	return primaryCodes.includes(error.errcode & 0xff);
}

/** Converts an error of the disk or of a lock into a `StoreUnavailableError`; returns any other error unchanged. */
export function storeErrorOf(error: unknown): unknown {
	if (!hasResultCode(error, ...UNAVAILABLE)) return error;
	return new StoreUnavailableError(`SQLite failed: ${error.message}`, { cause: error });
}
