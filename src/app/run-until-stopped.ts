import type { Logger } from "pino";
import type { App } from "./app-context.ts";
import { stopSignal } from "./stop-signal.ts";

/** Longer than running commands and a running submit may take, and shorter than supervisors wait before they kill a process. */
const STOP_DEADLINE_MS = 25_000;

/** Replaced by tests. */
interface StopOptions {
	readonly stopDeadlineMs?: number;
	readonly exit?: (code: 1) => void;
}

/**
 * Waits for a stop signal or a fatal error, and stops the app. Resolves to the exit code. Ends the process after STOP_DEADLINE_MS if a
 * part hangs.
 */
export async function runUntilStopped(
	app: Pick<App, "fatal" | "stop">,
	logger: Logger,
	{ stopDeadlineMs = STOP_DEADLINE_MS, exit = (code) => process.exit(code) }: StopOptions = {},
): Promise<0 | 1> {
	const fatal = app.fatal.then((reason) => ({ reason }));
	const end = await Promise.race([fatal, stopSignal().then((signal) => ({ signal }))]);
	setTimeout(() => {
		logger.error({ afterMs: stopDeadlineMs }, "stop took too long: exiting");
		exit(1);
	}, stopDeadlineMs).unref();
	if ("reason" in end) logger.fatal(`cannot continue: ${end.reason}`);
	else logger.info(end, "stopping");
	const isStopped = await app.stop().then(
		() => true,
		() => false,
	);
	return isStopped && "signal" in end ? 0 : 1;
}
