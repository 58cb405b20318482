import { z } from "zod";
import { storedObject } from "@atelier/store/stored-object";
import type { Store } from "@atelier/store/store";
import { readDocument } from "../read-document.ts";

const claimSchema = storedObject({
	guildId: z.string(),
	/** The credits of the item at the time of the claim. A later change of the configuration does not change them. */
	credits: z.number(),
	state: z.enum(["claimed", "granted"]),
});
export type PurchaseClaim = z.infer<typeof claimSchema>;

/**
 * Assigns each purchase to one server, permanently: `top-up:ENTITLEMENT`, claimed -> granted. The ledger makes a
 * grant idempotent per account; the compare-and-set here restricts a purchase to one account before credits move.
 */
export interface PurchaseClaims {
	find(purchaseId: string): Promise<PurchaseClaim | undefined>;
	/** Claims the purchase, or returns the existing claim, which may be that of another server. */
	claim(purchaseId: string, wanted: Pick<PurchaseClaim, "guildId" | "credits">): Promise<PurchaseClaim>;
	/** Resolves to true only for the call that changed the state. */
	markGranted(purchaseId: string): Promise<boolean>;
}

export function createPurchaseClaims(store: Store): PurchaseClaims {
	const read = (purchaseId: string) => readDocument(store, keyOf(purchaseId), claimSchema);

	return {
		find: async (purchaseId) => (await read(purchaseId)).value,
		async claim(purchaseId, wanted) {
			const { value: claim } = await read(purchaseId);
			if (claim) return claim;
			const mine: PurchaseClaim = { ...wanted, state: "claimed" };
			if ((await store.compareAndSet(keyOf(purchaseId), undefined, mine)) !== undefined) return mine;
			const { value: first } = await read(purchaseId);
			if (!first) throw new Error("a claim is never removed");
			return first;
		},
		async markGranted(purchaseId) {
			const { raw, value: claim } = await read(purchaseId);
			if (!claim) throw new Error("a claim is never removed");
			if (claim.state === "granted") return false;
			// A claim changes once: another process has marked it if this write comes too late.
			return (await store.compareAndSet(keyOf(purchaseId), raw, { ...claim, state: "granted" })) !== undefined;
		},
	};
}

function keyOf(purchaseId: string): string {
	return `top-up:${purchaseId}`;
}
