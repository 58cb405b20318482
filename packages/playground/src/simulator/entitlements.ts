/**
 * Entitlements of users and guilds: bought -> consumed, or -> refunded. A consumable can be bought again once the bot has
 * consumed it.
 */
import { type APIEntitlement, type APISKU, SKUFlags, SKUType } from "discord-api-types/v10";
import { apiErrors } from "./api-error.ts";
import type { Core } from "./core.ts";

type Owned = Pick<APIEntitlement, "sku_id" | "user_id" | "guild_id">;

export function createEntitlements({ snowflakes, events, seed, tables }: Core) {
	const { skus, entitlements: records } = tables;
	const application_id = seed.application.id;
	for (const name of skus.size === 0 ? seed.application.items : []) {
		const id = snowflakes.next();
		const slug = name.replaceAll(" ", "-");
		skus.set(id, { id, type: SKUType.Consumable, application_id, name, slug, flags: SKUFlags.Available });
	}

	return {
		skus: (): readonly APISKU[] => [...skus.values()],
		/** Returns the entitlement of a user, or of a guild, for the item that is neither consumed nor refunded. */
		findActive: ({ sku_id, user_id, guild_id }: Owned): APIEntitlement | undefined =>
			[...records.values()].find(
				(each) => each.sku_id === sku_id && each.user_id === user_id && each.guild_id === guild_id && isActive(each),
			),
		create(fields: Owned & Pick<APIEntitlement, "type">): APIEntitlement {
			if (!skus.get(fields.sku_id)) throw apiErrors.unknownSku();
			const state = { deleted: false, consumed: false, starts_at: null, ends_at: null };
			const entitlement = { id: snowflakes.next(), application_id, ...fields, ...state };
			records.set(entitlement.id, entitlement);
			events.emit({ type: "entitlementCreate", entitlement });
			return entitlement;
		},
		find: (id: string): APIEntitlement | undefined => records.get(id),
		/** Oldest first. */
		list: (): readonly APIEntitlement[] => [...records.values()],
		/** The entitlements in this user's interactions: their own and those of the guild, neither consumed nor refunded. */
		activeOf: (userId: string, guildId: string | null): readonly APIEntitlement[] =>
			[...records.values()].filter(
				(each) => (each.guild_id === undefined ? each.user_id === userId : each.guild_id === guildId) && isActive(each),
			),
		/** Has no effect on a consumed entitlement. */
		consume(entitlement: APIEntitlement): void {
			if (entitlement.consumed) return;
			const consumed = { ...entitlement, consumed: true };
			records.set(entitlement.id, consumed);
			events.emit({ type: "entitlementUpdate", entitlement: consumed });
		},
		refund(entitlement: APIEntitlement): void {
			if (entitlement.deleted) return;
			const deleted = { ...entitlement, deleted: true };
			records.set(entitlement.id, deleted);
			events.emit({ type: "entitlementDelete", entitlement: deleted });
		},
	};
}

function isActive({ consumed, deleted }: APIEntitlement): boolean {
	return !consumed && !deleted;
}
