/** Whether that is what went wrong, as Node names it: `ENOENT`, `ECONNRESET`. */
export function hasCode(error: unknown, code: string): error is Error {
	return error instanceof Error && "code" in error && error.code === code;
}
