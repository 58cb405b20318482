/**
 * Buttons for purchases. Discord's own button sells; it sends no interaction. Our button beside it redeems the
 * purchase.
 */
import { ButtonStyle, ComponentType, type APIActionRowComponent, type APIButtonComponent } from "discord.js";
import type { TopUpOffer } from "../services/entitlements/top-up-service.ts";
import { defineCustomId } from "./custom-id.ts";

export const redeemCustomId = defineCustomId("redeem", {});

export function topUpRow({ skuIds, redeemLabel }: TopUpOffer): APIActionRowComponent<APIButtonComponent> {
	return {
		type: ComponentType.ActionRow,
		components: [
			...skuIds.map((skuId) => ({
				type: ComponentType.Button as const,
				style: ButtonStyle.Premium as const,
				sku_id: skuId,
			})),
			{
				type: ComponentType.Button,
				style: ButtonStyle.Secondary,
				label: redeemLabel,
				custom_id: redeemCustomId.encode({}),
			},
		],
	};
}
