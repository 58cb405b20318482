/** One purchase of a consumable item. */
export interface Purchase {
	readonly id: string;
	readonly skuId: string;
	/** The buyer, if Discord names one. */
	readonly userId: string | null;
	/** The server that the item was bought for; usually `null`, because Discord sells consumables to users. */
	readonly guildId: string | null;
	readonly isConsumed: boolean;
	readonly isDeleted: boolean;
}

/** Reads and consumes entitlements at Discord. Every method throws if the outcome is unknown. */
export interface EntitlementClient {
	/** Resolves to the ids of the items that this application sells as consumables. */
	consumableIds(signal: AbortSignal): Promise<ReadonlySet<string>>;
	/** Yields the purchases of these items that are neither consumed nor refunded, oldest first. */
	openPurchases(skuIds: readonly string[], signal: AbortSignal): AsyncIterable<Purchase>;
	/** Idempotent: resolves for consumed and refunded purchases too. */
	consume(purchaseId: string, signal: AbortSignal): Promise<void>;
}
