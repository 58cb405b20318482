/** Buying is Discord's: its own button, which never comes back to us. What was bought is added by a button of ours beside it. */
import { ButtonStyle, ComponentType, type APIActionRowComponent, type APIButtonComponent } from "discord.js";
import type { TopUpOffer } from "../services/entitlements/top-up-service.ts";
import { customIds } from "./custom-id.ts";

export const redeemIds = customIds("redeem", {});

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
				custom_id: redeemIds.write({}),
			},
		],
	};
}
