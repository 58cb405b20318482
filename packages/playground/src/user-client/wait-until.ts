/** Waits for a condition that is checked after each event of the page. */
interface Wait<Found> {
	/** The functions to call after each event. */
	readonly watchers: Set<() => void>;
	readonly signal: AbortSignal;
	readonly timeoutMs: number;
	readonly timeoutMessage: () => string;
	/** Returns a value when the condition holds. Throws if it can no longer hold. */
	readonly find: () => Found | undefined;
}

/** Resolves to the first value of `find`. Rejects with its error, after the timeout, or with the reason of the signal. */
export function waitUntil<Found>({ watchers, signal, timeoutMs, timeoutMessage, find }: Wait<Found>): Promise<Found> {
	return new Promise((resolve, reject) => {
		const timer = setTimeout(() => settle(() => reject(new Error(timeoutMessage()))), timeoutMs);
		const abort = (): void => settle(() => reject(signal.reason));
		function settle(end: () => void): void {
			clearTimeout(timer);
			watchers.delete(check);
			signal.removeEventListener("abort", abort);
			end();
		}
		function check(): void {
			try {
				const found = find();
				if (found !== undefined) settle(() => resolve(found));
			} catch (error) {
				settle(() => reject(error));
			}
		}
		watchers.add(check);
		signal.addEventListener("abort", abort, { once: true });
		if (signal.aborted) abort();
		else check();
	});
}
