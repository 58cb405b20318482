/**
 * Entitlements of users: bought -> consumed, or -> refunded. A consumable can be bought again once the bot has consumed
 * it.
 */
import { EntitlementType, SKUFlags, SKUType, type APIEntitlement, type APISKU } from "discord-api-types/v10";
import { apiErrors } from "./api-error.ts";
import type { Core } from "./simulator-state.ts";
import type { Entitlement, Sku } from "./documents.ts";

const SKU_NAMES = ["100 credits", "500 credits"];

export function createEntitlements({ clock, snowflakes, events, seed, tables }: Core) {
	const { skus, entitlements: records } = tables;
	const applicationId = seed.application.id;
	if (skus.size === 0) {
		for (const name of SKU_NAMES) {
			const item = { id: snowflakes.next(), name };
			skus.set(item.id, item);
		}
	}

	return {
		skus: (): readonly Sku[] => [...skus.values()],
		/** Returns the entitlement of a user, or of a guild, for the item that is neither consumed nor refunded. */
		findActive: (wanted: Pick<Entitlement, "skuId" | "userId" | "guildId">): Entitlement | undefined =>
			[...records.values()].find(
				(each) =>
					each.skuId === wanted.skuId &&
					each.guildId === wanted.guildId &&
					each.userId === wanted.userId &&
					isActive(each),
			),
		create(fields: Pick<Entitlement, "skuId" | "userId" | "guildId" | "isTest">): Entitlement {
			if (!skus.get(fields.skuId)) throw apiErrors.unknownSku();
			const createdMs = clock.nowMs();
			const entitlement = { ...fields, id: snowflakes.next(), createdMs, isConsumed: false, isDeleted: false };
			records.set(entitlement.id, entitlement);
			events.emit({ type: "entitlementCreate", entitlement });
			return entitlement;
		},
		find: (id: string): Entitlement | undefined => records.get(id),
		/** Oldest first. */
		list: (): readonly Entitlement[] => [...records.values()],
		/** The entitlements in this user's interactions: neither consumed nor refunded, nor bought for another guild. */
		activeOf: (userId: string, guildId: string | null): readonly Entitlement[] =>
			[...records.values()].filter(
				(each) => each.userId === userId && (each.guildId ?? guildId) === guildId && isActive(each),
			),
		/** Has no effect on a consumed entitlement. */
		consume(entitlement: Entitlement): void {
			if (entitlement.isConsumed) return;
			const consumed = { ...entitlement, isConsumed: true };
			records.set(entitlement.id, consumed);
			events.emit({ type: "entitlementUpdate", entitlement: consumed });
		},
		refund(entitlement: Entitlement): void {
			if (entitlement.isDeleted) return;
			const deleted = { ...entitlement, isDeleted: true };
			records.set(entitlement.id, deleted);
			events.emit({ type: "entitlementDelete", entitlement: deleted });
		},
		serialize: ({ id, skuId, userId, guildId, isTest, isConsumed, isDeleted }: Entitlement): APIEntitlement => ({
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
		serializeSku: ({ id, name }: Sku): APISKU => ({
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
