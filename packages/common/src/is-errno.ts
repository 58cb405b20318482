/** True for an error of Node.js with the code, such as `ENOENT` or `ECONNRESET`. */
export function isErrno(error: unknown, code: string): error is NodeJS.ErrnoException {
	return error instanceof Error && "code" in error && error.code === code;
}
