import { Events, type Client, type Entitlement } from "discord.js";
import type { TopUpDesk } from "../services/top-up/top-up-desk.ts";
import { purchaseOfClient } from "./shop.ts";

/** Discord tells the first shard alone; what nobody hears is found by reconciling. Returns how to end it. */
export function listenForPurchases(
	client: Client,
	topUp: Pick<TopUpDesk, "bought" | "takenBack">,
): () => Promise<void> {
	const bought = (entitlement: Entitlement): void => topUp.bought(purchaseOfClient(entitlement));
	const takenBack = (entitlement: Entitlement): void => topUp.takenBack(purchaseOfClient(entitlement));
	client.on(Events.EntitlementCreate, bought);
	client.on(Events.EntitlementDelete, takenBack);
	return async () => {
		client.off(Events.EntitlementCreate, bought);
		client.off(Events.EntitlementDelete, takenBack);
	};
}
