/**
 * Buttons for purchases. Discord's own button sells; it sends no interaction. Our button beside it redeems the
 * purchase.
 */
import { ButtonStyle, ComponentType, type APIButtonComponent } from "discord.js";
import type { TopUpOffer } from "../services/entitlements/top-up-service.ts";
import { button, row } from "./card.ts";
import { defineCustomId } from "./custom-id.ts";

export const redeemCustomId = defineCustomId("redeem", {});

export function topUpRow({ skuIds, redeemLabel }: TopUpOffer) {
	const buyButtons = skuIds.map((skuId) => ({
		type: ComponentType.Button as const,
		style: ButtonStyle.Premium as const,
		sku_id: skuId,
	}));
	return row<APIButtonComponent>(...buyButtons, button(redeemCustomId.encode({}), redeemLabel));
}
