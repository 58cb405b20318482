/**
 * Entitlements of users: bought -> consumed, or -> refunded. A consumable can be bought again once the bot has consumed
 * it.
 */
import { EntitlementType, SKUFlags, SKUType, type APIEntitlement, type APISKU } from "discord-api-types/v10";
import type { Clock } from "@atelier/common/clock";
import type { Table } from "../document-store.ts";
import type { SimulatorEvents } from "./events.ts";
import { apiErrors } from "./api-error.ts";
import type { Snowflakes } from "./discord-values.ts";
import type { Entitlement } from "./documents.ts";

const NAMES = ["100 credits", "500 credits"];

export interface Sku {
	readonly id: string;
	readonly name: string;
}

export interface Entitlements {
	readonly skus: () => readonly Sku[];
	/** `undefined` if the user has one that was not consumed. */
	readonly create: (order: Pick<Entitlement, "skuId" | "userId" | "guildId" | "isTest">) => Entitlement | undefined;
	readonly find: (id: string) => Entitlement | undefined;
	/** Oldest first. */
	readonly list: () => readonly Entitlement[];
	/** The entitlements in this user's interactions: neither consumed nor refunded, nor bought for another guild. */
	readonly activeOf: (userId: string, guildId: string | null) => readonly Entitlement[];
	/** Has no effect on a consumed entitlement. */
	readonly consume: (entitlement: Entitlement) => void;
	/** Refunds the entitlement. */
	readonly refund: (entitlement: Entitlement) => void;
	readonly serialize: (entitlement: Entitlement) => APIEntitlement;
	readonly serializeSku: (item: Sku) => APISKU;
}

export function createEntitlements(deps: {
	clock: Clock;
	snowflakes: Snowflakes;
	events: SimulatorEvents;
	applicationId: string;
	skus: Table<Sku>;
	records: Table<Entitlement>;
}): Entitlements {
	const { clock, snowflakes, events, applicationId, skus, records } = deps;
	if (skus.size === 0) {
		for (const name of NAMES) {
			const item = { id: snowflakes.next(), name };
			skus.set(item.id, item);
		}
	}

	return {
		skus: () => [...skus.values()],
		create(order) {
			if (!skus.get(order.skuId)) throw apiErrors.unknownSku();
			const isSame = ({ skuId, userId }: Entitlement): boolean => skuId === order.skuId && userId === order.userId;
			if ([...records.values()].some((each) => isSame(each) && isActive(each))) return undefined;
			const createdMs = clock.nowMs();
			const entitlement = { ...order, id: snowflakes.next(), createdMs, isConsumed: false, isDeleted: false };
			records.set(entitlement.id, entitlement);
			events.emit({ type: "entitlementCreate", entitlement });
			return entitlement;
		},
		find: (id) => records.get(id),
		list: () => [...records.values()],
		activeOf: (userId, guildId) =>
			[...records.values()].filter(
				(each) => each.userId === userId && (each.guildId ?? guildId) === guildId && isActive(each),
			),
		consume(entitlement) {
			if (entitlement.isConsumed) return;
			const consumed = { ...entitlement, isConsumed: true };
			records.set(entitlement.id, consumed);
			events.emit({ type: "entitlementUpdate", entitlement: consumed });
		},
		refund(entitlement) {
			if (entitlement.isDeleted) return;
			const deleted = { ...entitlement, isDeleted: true };
			records.set(entitlement.id, deleted);
			events.emit({ type: "entitlementDelete", entitlement: deleted });
		},
		serialize: ({ id, skuId, userId, guildId, isTest, isConsumed, isDeleted }) => ({
			id,
			sku_id: skuId,
			application_id: applicationId,
			user_id: userId,
			...(guildId === null ? {} : { guild_id: guildId }),
			type: isTest ? EntitlementType.TestModePurchase : EntitlementType.Purchase,
			deleted: isDeleted,
			consumed: isConsumed,
			starts_at: null,
			ends_at: null,
		}),
		serializeSku: ({ id, name }) => ({
			id,
			type: SKUType.Consumable,
			application_id: applicationId,
			name,
			slug: name.replaceAll(" ", "-"),
			flags: SKUFlags.Available,
		}),
	};
}

function isActive({ isConsumed, isDeleted }: Entitlement): boolean {
	return !isConsumed && !isDeleted;
}
