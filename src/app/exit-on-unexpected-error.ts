import type { Logger } from "pino";

/** Logs an error that no code has caught, and ends the process. Node.js would print the error as it is, with secrets in it. */
export function exitOnUnexpectedError(logger: Logger): void {
	process.on("uncaughtException", (error) => {
		logger.fatal({ err: error }, "unexpected error");
		process.exit(1);
	});
}
