import type { Logger } from "pino";
import type { Clock } from "@atelier/common/clock";
import { isStoreFailure } from "@atelier/store/store-errors";

const RETRY_AFTER_MS = 10_000;

/**
 * Repeats a write until the disk and the store accept it, or rejects with the reason of the signal. The outputs of an engine stay in
 * memory meanwhile, because the engine may be unable to return them again without another bill.
 */
export async function untilSaved<T>(
	{ clock, logger }: { readonly clock: Clock; readonly logger: Logger },
	write: () => Promise<T>,
	signal: AbortSignal,
): Promise<T> {
	for (;;) {
		try {
			return await write();
		} catch (error) {
			// Node names the failed system call in errors of the file system.
			const isDiskFailure = error instanceof Error && "syscall" in error;
			if (!isDiskFailure && !isStoreFailure(error)) throw error;
			logger.error({ err: error }, "result not saved: check the store, the folder for media files and its disk");
		}
		await clock.sleep(RETRY_AFTER_MS, signal);
	}
}
