/** Doubles with each attempt up to a bound, less up to a fifth, so that tasks that failed together do not return together. */
export function retryDelayMs(
	attempt: number,
	limits: { readonly retryDelayFirstMs: number; readonly retryDelayMaxMs: number },
	random: number,
): number {
	const fullMs = Math.min(limits.retryDelayMaxMs, limits.retryDelayFirstMs * 2 ** (attempt - 1));
	return Math.round(fullMs * (1 - 0.2 * random));
}
