/** The codes for a disk that is full, broken, read-only or gone, and for a machine that is out of files, processes or memory. */
const MACHINE_ERRORS: ReadonlySet<unknown> = new Set([
	"ENOSPC",
	"EDQUOT",
	"EIO",
	"EROFS",
	"EACCES",
	"EPERM",
	"EMFILE",
	"ENFILE",
	"EAGAIN",
	"ENOMEM",
	"ESTALE",
	"ENOTCONN",
	"ENODEV",
	"ENXIO",
]);

/** True for an error of this machine that lasts until its resources or permissions change, whatever the input. */
export function isMachineError(error: unknown): error is NodeJS.ErrnoException {
	return error instanceof Error && "code" in error && MACHINE_ERRORS.has(error.code);
}

/** True for an error of Node.js with the code, such as `ENOENT` or `ECONNRESET`. */
export function isErrno(error: unknown, code: string): error is NodeJS.ErrnoException {
	return error instanceof Error && "code" in error && error.code === code;
}
