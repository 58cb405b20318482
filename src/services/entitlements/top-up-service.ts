/**
 * Turns purchases on Discord into credits. A purchase is claimed for one server, granted to it and consumed; each step is
 * idempotent, so a crash in between repeats them safely. A purchase for a server is granted at once. A purchase without a
 * server waits until its buyer redeems it in one.
 */
import { byMember } from "../access/change-author.ts";
import type { Member } from "../access/member.ts";
import { createBackgroundWork } from "../background-work.ts";
import type { TextPoster } from "../text-poster.ts";
import type { GuildLanguages } from "../settings/guild-languages.ts";
import type { SettingsStore } from "../settings/settings-store.ts";
import { t } from "../../i18n/messages.ts";
import type { Logger } from "pino";
import type { Clock } from "@atelier/common/clock";
import { startInterval } from "@atelier/common/periodic-work";
import { guildAccount } from "../credits/guild-accounts.ts";
import type { Balance, Credits, Ledger } from "@atelier/ledger/ledger";
import type { Store } from "@atelier/store/store";
import { createPurchaseClaims, type PurchaseClaim } from "./purchase-claims.ts";
import type { Purchase, EntitlementClient } from "./entitlement-client.ts";

interface TopUpItem {
	readonly skuId: string;
	readonly credits: Credits;
}

interface Redeemed {
	readonly credits: Credits;
	readonly balance: Balance;
}

export interface TopUpService {
	/** Returns the configured items that Discord sells, in the configured order. */
	offered(): readonly TopUpItem[];
	/** Handles a purchase event in the background. */
	onPurchase(purchase: Purchase): void;
	/** Logs a refund for the operator, who decides about the credits. */
	onRefund(purchase: Purchase): void;
	/** Grants this server the pending purchases for it, and those of the buyer without a server. `undefined` if this call granted none. */
	redeem(buyer: Member, purchases: readonly Purchase[], logger: Logger): Promise<Redeemed | undefined>;
	/** Processes every unconsumed purchase whose server is known. Never rejects: the interval of `start` retries failures. */
	reconcile(): Promise<void>;
	/** Starts to reconcile regularly. */
	start(): void;
	stop(): Promise<void>;
}

export interface TopUpGrant {
	readonly entitlementId: string;
	readonly guildId: string;
	/** The buyer, if known. */
	readonly userId: string | null;
	readonly credits: Credits;
	readonly balance: Balance;
}

interface TopUpDeps {
	readonly items: readonly TopUpItem[];
	readonly entitlements: EntitlementClient;
	readonly store: Store;
	readonly ledger: Pick<Ledger, "grant">;
	/** Notifies a server of a top-up, at most once. */
	readonly notify: (granted: TopUpGrant, signal: AbortSignal) => Promise<void>;
	readonly clock: Clock;
	readonly logger: Logger;
}

/** The longest delay of a purchase whose event was lost, or that could not be granted or consumed. */
const RECONCILE_EVERY_MS = 5 * 60_000;

export function createTopUpService({
	items,
	entitlements: entitlementClient,
	store,
	ledger,
	notify,
	clock,
	logger,
}: TopUpDeps): TopUpService {
	const claims = createPurchaseClaims(store);
	const background = createBackgroundWork({ clock });
	const { signal } = background;
	/** Configured items that Discord sells as consumables; `undefined` until read. */
	let offered: readonly TopUpItem[] | undefined;
	let stopReconciling: (() => Promise<void>) | undefined;

	const itemOf = ({ skuId }: Purchase): TopUpItem | undefined => offered?.find((item) => item.skuId === skuId);

	/** claimed -> granted. Resolves to the balance if this call changed the state. */
	async function grant(purchase: Purchase, { guildId, credits, state }: PurchaseClaim): Promise<Balance | undefined> {
		if (state !== "claimed") return undefined;
		const { id, userId, skuId } = purchase;
		const note = {
			by: userId === null ? "system" : byMember(userId),
			reason: `top-up: item ${skuId}, entitlement ${id}`,
		};
		const { balance } = await ledger.grant(guildAccount(guildId), `entitlement:${id}`, credits, note);
		if (!(await claims.markGranted(id))) return undefined;
		logger.info({ entitlementId: id, skuId, guildId, credits }, "top-up granted");
		const notification = notify({ entitlementId: id, guildId, userId, credits, balance }, signal).catch(
			(error: unknown) => logger.warn({ err: error, guildId }, "top-up notification failed"),
		);
		background.add(notification);
		return balance;
	}

	/** After a failure, the item cannot be bought again until a retry succeeds. */
	async function consume({ id }: Purchase, { guildId }: PurchaseClaim): Promise<void> {
		try {
			await entitlementClient.consume(id, signal);
		} catch (error) {
			logger.warn({ err: error, entitlementId: id, guildId }, "top-up not consumed");
		}
	}

	/** Claims, grants and consumes a purchase, for the server that has claimed it, or else for this one. */
	async function processPurchase(purchase: Purchase, item: TopUpItem, guildId: string) {
		const claim = await claims.claim(purchase.id, { guildId, credits: item.credits });
		const balance = await grant(purchase, claim);
		await consume(purchase, claim);
		return { claim, balance };
	}

	/** Processes a purchase whose server is known. A failure is logged, and does not stop the others. */
	async function processIfGuildKnown(purchase: Purchase): Promise<void> {
		const item = itemOf(purchase);
		if (!item || !isOpen(purchase)) return;
		try {
			const guildId = purchase.guildId ?? (await claims.find(purchase.id))?.guildId;
			if (guildId !== undefined) await processPurchase(purchase, item, guildId);
			else logger.debug({ entitlementId: purchase.id, skuId: item.skuId }, "top-up waits for its buyer");
		} catch (error) {
			logger.error({ err: error, entitlementId: purchase.id }, "top-up failed");
		}
	}

	async function logRefund({ id: entitlementId, skuId }: Purchase): Promise<void> {
		try {
			const claim = await claims.find(entitlementId);
			if (claim === undefined) {
				logger.info({ entitlementId, skuId }, "purchase refunded before its credits were granted");
				return;
			}
			const { state, guildId, credits } = claim;
			// A crash may have come between the grant and the record of it.
			const message =
				state === "claimed"
					? "purchase refunded: its credits may have been granted, and stay until the operator revokes them"
					: "purchase refunded: its credits stay until the operator revokes them";
			logger.warn({ entitlementId, skuId, guildId, credits }, message);
		} catch (error) {
			logger.error({ err: error, entitlementId, skuId }, "purchase refunded: its server could not be read");
		}
	}

	async function readOffer(): Promise<readonly TopUpItem[]> {
		const sold = await entitlementClient.consumableIds(signal);
		const unknown = items.filter(({ skuId }) => !sold.has(skuId)).map(({ skuId }) => skuId);
		if (unknown.length > 0 && offered === undefined)
			logger.error({ skuIds: unknown }, "TOP_UP_ITEMS names unknown consumables");
		return items.filter(({ skuId }) => sold.has(skuId));
	}

	async function reconcile(): Promise<void> {
		if (items.length === 0) return;
		try {
			offered = await readOffer();
			const skuIds = offered.map(({ skuId }) => skuId);
			if (skuIds.length === 0) return;
			for await (const purchase of entitlementClient.openPurchases(skuIds, signal)) await processIfGuildKnown(purchase);
		} catch (error) {
			if (!signal.aborted) logger.warn({ err: error }, "top-ups not reconciled");
		}
	}

	return {
		offered: () => offered ?? [],
		onPurchase(purchase) {
			const { id: entitlementId, skuId } = purchase;
			if (!items.some((item) => item.skuId === skuId)) {
				logger.warn({ entitlementId, skuId }, "purchase ignored: not in TOP_UP_ITEMS");
				return;
			}
			background.add(processIfGuildKnown(purchase));
		},
		onRefund: (purchase) => background.add(logRefund(purchase)),
		async redeem({ guildId, userId }, purchases, requestLogger) {
			let credits = 0;
			let lastBalance: Balance | undefined;
			for (const purchase of purchases) {
				const item = itemOf(purchase);
				const isForThisGuild = purchase.guildId === null ? purchase.userId === userId : purchase.guildId === guildId;
				if (!item || !isOpen(purchase) || !isForThisGuild) continue;
				const { claim, balance } = await processPurchase(purchase, item, guildId);
				if (balance === undefined || claim.guildId !== guildId) continue;
				credits += claim.credits;
				lastBalance = balance;
			}
			requestLogger.info({ credits }, "top-up redeemed");
			return lastBalance && { credits, balance: lastBalance };
		},
		reconcile,
		start() {
			if (items.length > 0) stopReconciling = startInterval({ clock, everyMs: RECONCILE_EVERY_MS, run: reconcile });
		},
		async stop() {
			await Promise.all([background.stop(), stopReconciling?.()]);
		},
	};
}

function isOpen({ isConsumed, isDeleted }: Purchase): boolean {
	return !isConsumed && !isDeleted;
}

/** The content of the purchase buttons and the redeem button. */
export interface TopUpOffer {
	readonly skuIds: readonly string[];
	readonly redeemLabel: string;
}

/** Returns `undefined` if no item is for sale. */
export function createTopUpOffer(topUp: Pick<TopUpService, "offered">, locale: string): TopUpOffer | undefined {
	const skuIds = topUp.offered().map(({ skuId }) => skuId);
	return skuIds.length === 0 ? undefined : { skuIds, redeemLabel: t(locale, { key: "button.redeem" }) };
}

/** Creates the function that announces a top-up in the server's warning channel, or else in its log channel, if it has one. */
export function createTopUpNotifier({
	settings,
	textPoster,
	languages,
}: {
	readonly settings: Pick<SettingsStore, "read">;
	readonly textPoster: TextPoster;
	readonly languages: Pick<GuildLanguages, "localeOf">;
}) {
	return async (
		{ entitlementId, guildId, userId, credits, balance }: TopUpGrant,
		signal: AbortSignal,
	): Promise<void> => {
		const guildSettings = await settings.read(guildId);
		const channelId = guildSettings.warnChannelId ?? guildSettings.logChannelId;
		if (channelId === null) return;
		const params = { buyerId: userId, addedCredits: credits, leftCredits: balance.availableCredits };
		const text = t(await languages.localeOf(guildId, guildSettings), { key: "credits.topUpAnnounced", params });
		await textPoster.post(channelId, { text, key: `top-up:${entitlementId}` }, signal);
	};
}
