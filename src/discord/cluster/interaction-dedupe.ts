/** Who acts on an interaction that several processes hear of, as they do while one version of the bot takes over from another. */
import { LRUCache } from "lru-cache";
import type { Clock } from "@atelier/common/clock";
import type { FaultLog } from "@atelier/common/throttled-logger";

export interface InteractionDedupe {
	/** Whether this process acts on it: false where somebody else does, or this one has begun to. */
	take(interactionId: string): Promise<boolean>;
}

/** One answer among all processes: true for the first that asks. */
export type AskOthers = (interactionId: string) => Promise<boolean>;

interface ClaimsDeps {
	readonly clock: Clock;
	/** Absent where this process is alone. */
	readonly askOthers?: AskOthers | undefined;
	readonly faults?: FaultLog | undefined;
}

/** Of the three seconds that Discord waits for an answer. */
const PATIENCE_MS = 500;
/** A repeated event comes right behind the first, or after a connection was resumed. */
const REMEMBERED_MAX = 10_000;

export function createInteractionDedupe({ clock, askOthers, faults }: ClaimsDeps): InteractionDedupe {
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
			faults?.add(error);
			return undefined;
		} finally {
			over.abort();
		}
	}

	return {
		async take(interactionId) {
			if (taken.has(interactionId)) return false;
			taken.set(interactionId, true);
			// Where the others cannot be asked, the process whose first answer Discord accepts acts.
			return (await ask(interactionId)) ?? true;
		},
	};
}
