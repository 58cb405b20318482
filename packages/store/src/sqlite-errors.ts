import { StoreUnavailableError } from "./store-errors.ts";

/**
 * SQLite's primary result codes: https://sqlite.org/rescode.html. `node:sqlite` reports extended ones as `errcode`, with the primary
 * code in the lowest byte.
 */
export const SQLITE = {
	PERM: 3,
	BUSY: 5,
	LOCKED: 6,
	READONLY: 8,
	IOERR: 10,
	CORRUPT: 11,
	FULL: 13,
	CANTOPEN: 14,
	NOTADB: 26,
} as const;
/** Errors of the disk and of locks, which say nothing about the statement. */
const UNAVAILABLE = [SQLITE.BUSY, SQLITE.READONLY, SQLITE.IOERR, SQLITE.FULL, SQLITE.CANTOPEN];

export function hasResultCode(error: unknown, ...primaryCodes: readonly number[]): error is Error {
	if (!(error instanceof Error) || !("errcode" in error) || typeof error.errcode !== "number") return false;
	return primaryCodes.includes(error.errcode & 0xff);
}

/** Converts an error of the disk or of a lock into a `StoreUnavailableError`; returns any other error unchanged. */
export function storeErrorOf(error: unknown): unknown {
	if (!hasResultCode(error, ...UNAVAILABLE)) return error;
	return new StoreUnavailableError(`SQLite failed: ${error.message}`, { cause: error });
}
