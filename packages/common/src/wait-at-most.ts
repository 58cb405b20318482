import type { Clock } from "./clock.ts";

/** Resolves or rejects like `work`, but resolves to `undefined` after the timeout. The work itself continues. */
export async function waitAtMost<Result>(
	clock: Pick<Clock, "sleep">,
	timeoutMs: number,
	work: Promise<Result>,
): Promise<Result | undefined> {
	const sleep = new AbortController();
	const timeout = clock.sleep(timeoutMs, sleep.signal).then(
		() => undefined,
		() => undefined,
	);
	try {
		return await Promise.race([work, timeout]);
	} finally {
		sleep.abort();
	}
}
