import type { Clock } from "./clock.ts";

/** Resolves to the result of `work`, or to `undefined` after the timeout. The work itself continues. */
export async function withinTimeout<Result>(
	clock: Pick<Clock, "sleep">,
	timeoutMs: number,
	work: Promise<Result>,
): Promise<Result | undefined> {
	const timer = new AbortController();
	const timeout = clock.sleep(timeoutMs, timer.signal).then(
		() => undefined,
		() => undefined,
	);
	try {
		return await Promise.race([work, timeout]);
	} finally {
		timer.abort();
	}
}
