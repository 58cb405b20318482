import assert from "node:assert/strict";
import {
	DiscordAPIError,
	Events,
	Routes,
	SKUType,
	type APIEntitlement,
	type APISKU,
	type Client,
	type Entitlement,
} from "discord.js";
import type { EntitlementClient, Purchase } from "../services/entitlements/entitlement-client.ts";
import { requestWithTimeout } from "./with-timeout.ts";
import type { TopUpService } from "../services/entitlements/top-up-service.ts";

/** Discord's largest page. */
const PAGE_ENTITLEMENTS = 100;

/** Reads and consumes entitlements. `client` has its application once it is logged in. */
export function createEntitlementClient({
	client,
}: {
	readonly client: Pick<Client, "application" | "rest">;
}): EntitlementClient {
	const { rest } = client;
	const applicationId = (): string => {
		assert(client.application, "the client is not logged in");
		return client.application.id;
	};

	async function isConsumedOrRefunded(purchaseId: string, signal: AbortSignal): Promise<boolean> {
		try {
			const route = Routes.entitlement(applicationId(), purchaseId);
			const { consumed, deleted } = (await requestWithTimeout(rest, "get", route, { signal })) as APIEntitlement;
			return consumed === true || deleted;
		} catch (error) {
			if (error instanceof DiscordAPIError && error.status === 404) return true;
			throw error;
		}
	}

	return {
		async consumableIds(signal) {
			const skus = await requestWithTimeout(rest, "get", Routes.skus(applicationId()), { signal });
			return new Set((skus as readonly APISKU[]).filter(({ type }) => type === SKUType.Consumable).map(({ id }) => id));
		},
		async *openPurchases(skuIds, signal) {
			for (let after = "0"; ;) {
				const query = new URLSearchParams({
					sku_ids: skuIds.join(","),
					exclude_ended: "true",
					exclude_deleted: "true",
					limit: String(PAGE_ENTITLEMENTS),
					after,
				});
				const route = Routes.entitlements(applicationId());
				const page = (await requestWithTimeout(rest, "get", route, { signal, query })) as readonly APIEntitlement[];
				const oldestFirst = page.toSorted((one, other) => (BigInt(one.id) < BigInt(other.id) ? -1 : 1));
				for (const entitlement of oldestFirst) {
					const purchase = purchaseOf(entitlement);
					if (!purchase.isConsumed && !purchase.isDeleted) yield purchase;
				}
				const last = oldestFirst.at(-1);
				if (!last || page.length < PAGE_ENTITLEMENTS) return;
				after = last.id;
			}
		},
		async consume(purchaseId, signal) {
			try {
				await requestWithTimeout(rest, "post", Routes.consumeEntitlement(applicationId(), purchaseId), { signal });
			} catch (error) {
				// Discord does not document its response for a consumed entitlement, so the current state decides.
				if (!(error instanceof DiscordAPIError) || ![400, 404].includes(error.status)) throw error;
				if (!(await isConsumedOrRefunded(purchaseId, signal))) throw error;
			}
		},
	};
}

function purchaseOf({ id, sku_id: skuId, user_id, guild_id, consumed, deleted }: APIEntitlement): Purchase {
	return {
		id,
		skuId,
		userId: user_id ?? null,
		guildId: guild_id ?? null,
		isConsumed: consumed ?? false,
		isDeleted: deleted,
	};
}

/** Converts an entitlement of an event or an interaction. */
export function purchaseOfClient({ id, skuId, userId, guildId, consumed, deleted }: Entitlement): Purchase {
	return { id, skuId, userId: userId ?? null, guildId, isConsumed: consumed, isDeleted: deleted };
}

/**
 * Discord sends entitlement events to the first shard only. Reconciliation finds missed ones. Returns a function that
 * removes the listeners.
 */
export function listenForEntitlements(
	client: Client,
	topUp: Pick<TopUpService, "onPurchase" | "onRefund">,
): () => Promise<void> {
	const onCreate = (entitlement: Entitlement): void => topUp.onPurchase(purchaseOfClient(entitlement));
	const onDelete = (entitlement: Entitlement): void => topUp.onRefund(purchaseOfClient(entitlement));
	client.on(Events.EntitlementCreate, onCreate);
	client.on(Events.EntitlementDelete, onDelete);
	return async () => {
		client.off(Events.EntitlementCreate, onCreate);
		client.off(Events.EntitlementDelete, onDelete);
	};
}
