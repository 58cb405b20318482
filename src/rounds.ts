import type { Clock } from "./clock.ts";

interface RoundsDeps {
	readonly clock: Clock;
	/** From the end of one round to the beginning of the next. */
	readonly everyMs: number;
	/** Until the first one; as long where nothing is said. */
	readonly firstAfterMs?: number;
	/** Has to see to its own failures. `over` is aborted when nobody waits for more rounds. */
	readonly round: (over: AbortSignal) => Promise<void>;
}

/** Does something again and again. Returns how to end it, which waits for a round that is under way. */
export function startRounds({ clock, everyMs, firstAfterMs = everyMs, round }: RoundsDeps): () => Promise<void> {
	const stopping = new AbortController();
	const { signal } = stopping;

	async function goRound(): Promise<void> {
		for (let waitMs = firstAfterMs; ; waitMs = everyMs) {
			const isOver = await clock.sleep(waitMs, signal).then(
				() => false,
				() => true,
			);
			if (isOver) return;
			await round(signal);
		}
	}

	const going = goRound();
	return async () => {
		stopping.abort();
		await going;
	};
}
