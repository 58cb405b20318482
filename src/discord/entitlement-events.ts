import { Events, type Client, type Entitlement } from "discord.js";
import type { TopUpService } from "../services/entitlements/top-up-service.ts";
import { purchaseOfClient } from "./entitlements.ts";

/**
 * Discord sends entitlement events to the first shard only. Reconciliation finds missed ones. Returns a function that
 * removes the listeners.
 */
export function listenForEntitlements(
	client: Client,
	topUp: Pick<TopUpService, "onPurchase" | "onRefund">,
): () => Promise<void> {
	const bought = (entitlement: Entitlement): void => topUp.onPurchase(purchaseOfClient(entitlement));
	const takenBack = (entitlement: Entitlement): void => topUp.onRefund(purchaseOfClient(entitlement));
	client.on(Events.EntitlementCreate, bought);
	client.on(Events.EntitlementDelete, takenBack);
	return async () => {
		client.off(Events.EntitlementCreate, bought);
		client.off(Events.EntitlementDelete, takenBack);
	};
}
