/** SQLite's result codes, which `node:sqlite` reports as `errcode`. */
export const SQLITE_BUSY = 5;
export const SQLITE_FULL = 13;

export function hasResultCode(error: unknown, code: number): boolean {
	return error instanceof Error && "errcode" in error && error.errcode === code;
}
