/** True for an error of the operating system, such as a full disk, an unreadable file or too many processes. */
export function isSystemError(error: unknown): error is NodeJS.ErrnoException {
	return error instanceof Error && "syscall" in error;
}

/** True for an error of Node.js with the code, such as `ENOENT` or `ECONNRESET`. */
export function isErrno(error: unknown, code: string): error is NodeJS.ErrnoException {
	return error instanceof Error && "code" in error && error.code === code;
}
