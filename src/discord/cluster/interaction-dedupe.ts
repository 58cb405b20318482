/** Claims interactions that several processes receive, as during the upgrade from one version to another. */
import { LRUCache } from "lru-cache";
import type { Clock } from "@atelier/common/clock";
import type { ThrottledLogger } from "@atelier/common/throttled-logger";

export interface InteractionDedupe {
	/** Returns whether this process handles it: `false` if another process does, or this one already has. */
	take(interactionId: string): Promise<boolean>;
}

/** Claims an interaction among all processes: `true` for the first one. */
export type AskOthers = (interactionId: string) => Promise<boolean>;

interface ClaimsDeps {
	readonly clock: Clock;
	/** Absent for a single process. */
	readonly askOthers?: AskOthers | undefined;
	readonly throttledLogger?: ThrottledLogger | undefined;
}

/** Discord waits three seconds for the first response; the claim may take this much. */
const PATIENCE_MS = 500;
/** A repeated event follows directly, or after a resumed connection. */
const REMEMBERED_MAX = 10_000;

export function createInteractionDedupe({ clock, askOthers, throttledLogger }: ClaimsDeps): InteractionDedupe {
	const taken = new LRUCache<string, true>({ max: REMEMBERED_MAX });

	async function ask(interactionId: string): Promise<boolean | undefined> {
		if (!askOthers) return true;
		const over = new AbortController();
		const tooLong = clock.sleep(PATIENCE_MS, over.signal).then(
			() => undefined,
			() => undefined,
		);
		try {
			return await Promise.race([askOthers(interactionId), tooLong]);
		} catch (error) {
			throttledLogger?.add(error);
			return undefined;
		} finally {
			over.abort();
		}
	}

	return {
		async take(interactionId) {
			if (taken.has(interactionId)) return false;
			taken.set(interactionId, true);
			// If the claim fails, Discord accepts the first response of one process.
			return (await ask(interactionId)) ?? true;
		},
	};
}
