/** One purchase of a consumable item, as Discord tells it. */
export interface Purchase {
	readonly id: string;
	readonly skuId: string;
	/** Who bought it; `null` where Discord does not say. */
	readonly userId: string | null;
	/** The server it was bought for. Discord sells consumables to people, so this is `null` for most. */
	readonly guildId: string | null;
	readonly isConsumed: boolean;
	readonly isDeleted: boolean;
}

/** What the application sells on Discord, and what people have of it. Every method throws where the answer is unknown. */
export interface Shop {
	/** Ids of the items that are consumables of this application. */
	consumableIds(signal: AbortSignal): Promise<ReadonlySet<string>>;
	/** Purchases of these items that were neither consumed nor taken back, oldest first. */
	open(skuIds: readonly string[], signal: AbortSignal): AsyncIterable<Purchase>;
	/** Resolves once there is nothing left to consume: consumed now or before, or taken back since. */
	consume(purchaseId: string, signal: AbortSignal): Promise<void>;
}
