import { say } from "../messages/messages.ts";
import type { TopUpDesk } from "./top-up-desk.ts";

/** The buttons by which people buy credits, and say that these are for the server they are in. */
export interface TopUpOffer {
	readonly skuIds: readonly string[];
	readonly redeemLabel: string;
}

/** `undefined` where nothing is for sale. */
export function topUpOfferOf(topUp: Pick<TopUpDesk, "offered">, locale: string): TopUpOffer | undefined {
	const skuIds = topUp.offered().map(({ skuId }) => skuId);
	return skuIds.length === 0 ? undefined : { skuIds, redeemLabel: say(locale, { key: "buttonRedeem" }) };
}
