/** Claims interactions that several processes receive, as during the upgrade from one version to another. */
import { LRUCache } from "lru-cache";
import type { Clock } from "@atelier/common/clock";
import { waitAtMost } from "@atelier/common/wait-at-most";

interface InteractionClaimDeps {
	readonly clock: Clock;
	/** Claims an interaction among all processes. Resolves to true for the first process. `undefined` for a single process. */
	readonly claimShared: ((interactionId: string) => Promise<boolean>) | undefined;
}

/** Discord waits three seconds for the first response; the claim may take this much. */
const CLAIM_TIMEOUT_MS = 500;
/** A repeated event follows directly, or after a resumed connection. */
const CLAIMED_IDS_MAX = 10_000;

/**
 * Creates a function that resolves to true if this process has to handle the interaction, to false if another process does or this
 * process already did.
 */
export function createInteractionClaim({ clock, claimShared }: InteractionClaimDeps) {
	const claimedIds = new LRUCache<string, true>({ max: CLAIMED_IDS_MAX });

	return async (interactionId: string): Promise<boolean> => {
		if (claimedIds.has(interactionId)) return false;
		claimedIds.set(interactionId, true);
		if (!claimShared) return true;
		// If the claim fails, Discord accepts the first response of one process.
		const claim = claimShared(interactionId).catch(() => undefined);
		return (await waitAtMost(clock, CLAIM_TIMEOUT_MS, claim)) ?? true;
	};
}
