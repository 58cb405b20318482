import type { Clock } from "./clock.ts";

/** What is under way and has to be waited for before its tools are put away. */
export interface InFlight {
	/** `work` must not reject. */
	add(work: Promise<void>): void;
	/** Waits until nothing is under way, at most `withinMs`. Resolves to how much still is. */
	drain(withinMs: number): Promise<number>;
}

export function createInFlight({ clock }: { readonly clock: Clock }): InFlight {
	const running = new Set<Promise<void>>();

	return {
		add(work) {
			running.add(work);
			void work.finally(() => running.delete(work));
		},
		async drain(withinMs) {
			const over = new AbortController();
			const deadline = clock.sleep(withinMs, over.signal).catch(() => {});
			await Promise.race([Promise.all(running), deadline]);
			over.abort();
			return running.size;
		},
	};
}
