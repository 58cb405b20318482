/**
 * Credits that people buy on Discord. A purchase is claimed for one server, granted to it, and then consumed, so that it can be
 * bought again; a process that ends between any two of these is followed by the same steps, each of which counts once.
 * What was bought for a server goes to it at once. What was bought by a person, which Discord does not say where, waits until
 * that person says in a server that it is for that one.
 */
import type { Logger } from "pino";
import type { Clock } from "@atelier/common/clock";
import { createInFlight } from "@atelier/common/pending-work";
import { guildAccount } from "../guilds/guild-accounts.ts";
import type { Balance, Credits, Ledger } from "@atelier/ledger/operations";
import type { Store } from "@atelier/store/store";
import { createClaims, type Claim } from "./claims.ts";
import type { Purchase, Shop } from "./shop.ts";

/** What the operator sells: an item of the application's, and how many credits it is. */
interface TopUpItem {
	readonly skuId: string;
	readonly credits: Credits;
}

/** What a person's purchases brought a server by this one call. */
interface Redeemed {
	readonly credits: Credits;
	readonly balance: Balance;
}

export interface TopUpDesk {
	/** What can be bought now, in the operator's order; none where nothing is configured, or Discord does not know it. */
	offered(): readonly TopUpItem[];
	/** After Discord told of a purchase. Nobody waits for it. */
	bought(purchase: Purchase): void;
	/** After a refund: told to the operator, who decides what becomes of the credits. */
	takenBack(purchase: Purchase): void;
	/** Adds what this person bought to this server. `undefined` where nothing of theirs was waiting. */
	redeem(buyer: Buyer, purchases: readonly Purchase[], logger: Logger): Promise<Redeemed | undefined>;
	/** Takes up everything that was bought and not consumed. Never rejects: what fails is tried again by `start`. */
	reconcile(): Promise<void>;
	/** Reconciles from now on: daily, and sooner after something failed. */
	start(): void;
	stop(): Promise<void>;
}

interface Buyer {
	readonly guildId: string;
	readonly userId: string;
}

/** What a server was given by one purchase. */
export interface Granted {
	readonly entitlementId: string;
	readonly guildId: string;
	/** `null` where Discord does not say who bought it. */
	readonly userId: string | null;
	readonly credits: Credits;
	readonly balance: Balance;
}

interface TopUpDeps {
	readonly items: readonly TopUpItem[];
	readonly shop: Shop;
	readonly store: Store;
	readonly ledger: Pick<Ledger, "grant">;
	/** Tells a server of a top-up, as far as it wants to hear of it: once, unless a process ends in that instant. */
	readonly announce: (granted: Granted, signal: AbortSignal) => Promise<void>;
	readonly clock: Clock;
	readonly logger: Logger;
}

const LOOK_AT_CLOCK_EVERY_MS = 60_000;
const RETRY_AFTER_MS = 60_000;
const RETRY_AFTER_MS_MAX = 60 * 60_000;
const RECONCILE_EVERY_MS = 24 * 60 * 60_000;
const STOP_MS_MAX = 2_000;

export function createTopUpDesk({ items, shop, store, ledger, announce, clock, logger }: TopUpDeps): TopUpDesk {
	const claims = createClaims(store);
	const underWay = createInFlight({ clock });
	const stopping = new AbortController();
	const { signal } = stopping;
	/** Items of ours that Discord sells as consumables; nothing is offered or granted before that is known. */
	let offered: readonly TopUpItem[] | undefined;
	let retryAfterMs = RETRY_AFTER_MS;
	let nextAtMs = clock.nowMs();
	let repeating: Promise<void> = Promise.resolve();

	const itemOf = ({ skuId }: Purchase): TopUpItem | undefined => offered?.find((item) => item.skuId === skuId);

	function tryAgainSoon(): void {
		nextAtMs = Math.min(nextAtMs, clock.nowMs() + retryAfterMs);
	}

	/** claimed -> granted. Resolves to the balance where this call made it so. */
	async function grant(purchase: Purchase, { guildId, credits, state }: Claim): Promise<Balance | undefined> {
		if (state !== "claimed") return undefined;
		const { id, userId, skuId } = purchase;
		const note = {
			by: userId === null ? "system" : `member:${userId}`,
			reason: `top-up: item ${skuId}, entitlement ${id}`,
		};
		const balance = await ledger.grant(guildAccount(guildId), `entitlement:${id}`, credits, note);
		if (!(await claims.advance(id, "granted"))) return undefined;
		logger.info({ entitlementId: id, skuId, guildId, credits }, "top-up granted");
		const told = announce({ entitlementId: id, guildId, userId, credits, balance }, signal).catch((error: unknown) =>
			logger.warn({ err: error, guildId }, "top-up could not be told"),
		);
		underWay.add(told);
		return balance;
	}

	/** granted -> consumed. A failure costs nothing but that the item cannot be bought again yet. */
	async function consume({ id }: Purchase, { state, guildId }: Claim): Promise<boolean> {
		if (state === "consumed") return true;
		try {
			await shop.consume(id, signal);
			await claims.advance(id, "consumed");
			return true;
		} catch (error) {
			logger.warn({ err: error, entitlementId: id, guildId }, "top-up not consumed yet");
			tryAgainSoon();
			return false;
		}
	}

	/** Brings a purchase as far as it goes, for the server that has claimed it, or else for this one. */
	async function settle(purchase: Purchase, item: TopUpItem, guildId: string) {
		const claim = await claims.take(purchase.id, { guildId, credits: item.credits });
		const balance = await grant(purchase, claim);
		return { claim, balance, isConsumed: await consume(purchase, claim) };
	}

	/** Resolves to whether nothing is left that this process could do. */
	async function take(purchase: Purchase): Promise<boolean> {
		const item = itemOf(purchase);
		if (!item || !isOpen(purchase)) return true;
		const guildId = purchase.guildId ?? (await claims.find(purchase.id))?.guildId;
		if (guildId === undefined) {
			logger.info({ entitlementId: purchase.id, skuId: item.skuId }, "top-up waits for its buyer to name a server");
			return true;
		}
		return (await settle(purchase, item, guildId)).isConsumed;
	}

	async function hear(purchase: Purchase): Promise<void> {
		try {
			await take(purchase);
		} catch (error) {
			logger.error({ err: error, entitlementId: purchase.id }, "top-up failed");
			tryAgainSoon();
		}
	}

	async function readOffer(): Promise<readonly TopUpItem[]> {
		const sold = await shop.consumableIds(signal);
		const unknown = items.filter(({ skuId }) => !sold.has(skuId)).map(({ skuId }) => skuId);
		if (unknown.length > 0) logger.error({ skuIds: unknown }, "TOP_UP_ITEMS names what is no consumable of this bot's");
		return items.filter(({ skuId }) => sold.has(skuId));
	}

	async function reconcileAll(): Promise<boolean> {
		offered = await readOffer();
		let isAllDone = true;
		let purchases = 0;
		const skuIds = offered.map(({ skuId }) => skuId);
		if (skuIds.length === 0) return true;
		for await (const purchase of shop.open(skuIds, signal)) {
			purchases++;
			const isDone = await take(purchase).catch((error: unknown) => {
				// One account that cannot be written is no reason to leave the others waiting.
				logger.error({ err: error, entitlementId: purchase.id }, "top-up failed");
				return false;
			});
			isAllDone &&= isDone;
		}
		logger.info({ purchases, isAllDone }, "top-ups reconciled");
		return isAllDone;
	}

	async function reconcile(): Promise<void> {
		if (items.length === 0) return;
		// What fails meanwhile, beside this, is not put off by how this ends.
		nextAtMs = Number.POSITIVE_INFINITY;
		const isAllDone = await reconcileAll().catch((error: unknown) => {
			if (!signal.aborted) logger.warn({ err: error }, "top-ups not reconciled");
			return false;
		});
		nextAtMs = Math.min(nextAtMs, clock.nowMs() + (isAllDone ? RECONCILE_EVERY_MS : retryAfterMs));
		retryAfterMs = isAllDone ? RETRY_AFTER_MS : Math.min(2 * retryAfterMs, RETRY_AFTER_MS_MAX);
	}

	async function repeat(): Promise<void> {
		while (!signal.aborted) {
			const isOver = await clock.sleep(LOOK_AT_CLOCK_EVERY_MS, signal).then(
				() => false,
				() => true,
			);
			if (!isOver && clock.nowMs() >= nextAtMs) await reconcile();
		}
	}

	return {
		offered: () => offered ?? [],
		bought(purchase) {
			const { id: entitlementId, skuId } = purchase;
			if (!items.some((item) => item.skuId === skuId)) {
				logger.warn({ entitlementId, skuId }, "bought, and not in TOP_UP_ITEMS: left as it is");
				return;
			}
			if (offered === undefined) return tryAgainSoon();
			underWay.add(hear(purchase));
		},
		takenBack({ id: entitlementId, skuId }) {
			const told = claims.find(entitlementId).then(
				(claim) =>
					logger.warn(
						{ entitlementId, skuId, guildId: claim?.guildId ?? null, credits: claim?.credits ?? 0 },
						"purchase taken back: the credits it brought stay until the operator revokes them",
					),
				(error: unknown) => logger.error({ err: error, entitlementId, skuId }, "purchase taken back"),
			);
			underWay.add(told);
		},
		async redeem({ guildId, userId }, purchases, asked) {
			let credits = 0;
			let newest: Balance | undefined;
			for (const purchase of purchases) {
				const item = itemOf(purchase);
				const isForHere = purchase.guildId === null ? purchase.userId === userId : purchase.guildId === guildId;
				if (!item || !isOpen(purchase) || !isForHere) continue;
				const { claim, balance } = await settle(purchase, item, guildId);
				if (balance === undefined || claim.guildId !== guildId) continue;
				credits += claim.credits;
				newest = balance;
			}
			asked.info({ credits }, "top-up redeemed");
			return newest && { credits, balance: newest };
		},
		reconcile,
		start() {
			if (items.length > 0) repeating = repeat();
		},
		async stop() {
			await underWay.drain(STOP_MS_MAX);
			stopping.abort(new Error("stopping"));
			await Promise.all([underWay.drain(STOP_MS_MAX), repeating]);
		},
	};
}

function isOpen({ isConsumed, isDeleted }: Purchase): boolean {
	return !isConsumed && !isDeleted;
}
