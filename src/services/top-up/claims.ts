import { z } from "zod";
import { CorruptDocument } from "@atelier/store/keyv-store";
import type { Store } from "@atelier/store/store";

const STATES = ["claimed", "granted", "consumed"] as const;

const claimSchema = z.object({
	guildId: z.string(),
	/** What the item was worth when it was claimed, whatever the operator says of it later. */
	credits: z.number(),
	state: z.enum(STATES),
});
export type Claim = z.infer<typeof claimSchema>;

/**
 * Which server a purchase belongs to, for ever: `top-up:ENTITLEMENT`, claimed -> granted -> consumed. The ledger makes a grant
 * once in one account; that it is made in one account only is decided here, by compare-and-set, before credits move.
 */
export interface Claims {
	find(purchaseId: string): Promise<Claim | undefined>;
	/** Resolves to the claim that counts: the first one. */
	take(purchaseId: string, wanted: Pick<Claim, "guildId" | "credits">): Promise<Claim>;
	/** Resolves to whether this call, and no other, brought it there. */
	advance(purchaseId: string, to: "granted" | "consumed"): Promise<boolean>;
}

export function createClaims(store: Store): Claims {
	async function read(purchaseId: string) {
		const key = keyOf(purchaseId);
		const stored = await store.get(key);
		const parsed = claimSchema.optional().safeParse(stored?.value);
		if (!parsed.success) throw new CorruptDocument(key, parsed.error);
		return { raw: stored?.raw, claim: parsed.data };
	}

	return {
		find: async (purchaseId) => (await read(purchaseId)).claim,
		async take(purchaseId, wanted) {
			const { claim } = await read(purchaseId);
			if (claim) return claim;
			const mine: Claim = { ...wanted, state: "claimed" };
			if ((await store.compareAndSet(keyOf(purchaseId), undefined, mine)) !== undefined) return mine;
			const { claim: first } = await read(purchaseId);
			if (!first) throw new Error("a claim is never removed");
			return first;
		},
		async advance(purchaseId, to) {
			for (;;) {
				const { raw, claim } = await read(purchaseId);
				if (!claim) throw new Error("a claim is never removed");
				if (STATES.indexOf(claim.state) >= STATES.indexOf(to)) return false;
				if ((await store.compareAndSet(keyOf(purchaseId), raw, { ...claim, state: to })) !== undefined) return true;
				// Somebody brought it further: at most as often as there are states.
			}
		},
	};
}

function keyOf(purchaseId: string): string {
	return `top-up:${purchaseId}`;
}
