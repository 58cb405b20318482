/**
 * Turns purchases on Discord into credits. A purchase is granted to one server, and then consumed; both steps are idempotent, so
 * they are repeated safely after a crash in between. A purchase for a server is granted at once. A purchase without a server waits
 * until its buyer redeems it in one.
 */
import { byMember } from "../access/change-author.ts";
import type { Member } from "../access/member.ts";
import { createBackgroundWork } from "../background-work.ts";
import type { TextPoster } from "../text-poster.ts";
import type { GuildLanguages } from "../settings/guild-languages.ts";
import type { SettingsStore } from "../settings/settings-store.ts";
import { t } from "../../i18n/messages.ts";
import type { Logger } from "pino";
import { z } from "zod";
import type { Clock } from "@atelier/common/clock";
import { startInterval } from "@atelier/common/periodic-work";
import { guildAccount } from "../credits/guild-accounts.ts";
import { LedgerRejectedError, type Balance, type Credits, type Ledger } from "@atelier/ledger/ledger";
import { storedObject } from "@atelier/store/stored-object";
import type { Store } from "@atelier/store/store";
import { readDocument } from "../read-document.ts";
import type { Purchase, EntitlementClient } from "./entitlement-client.ts";

interface TopUpItem {
	readonly skuId: string;
	readonly credits: Credits;
}

interface Redeemed {
	/** The credits that were added now; 0 if the server already had all of them. */
	readonly credits: Credits;
	readonly balance: Balance;
}

export type TopUpService = ReturnType<typeof createTopUpService>;

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
	readonly store: Pick<Store, "get">;
	readonly ledger: Pick<Ledger, "grant">;
	/** Notifies a server of a top-up, at most once. */
	readonly notify: (granted: TopUpGrant, signal: AbortSignal) => Promise<void>;
	readonly clock: Clock;
	readonly logger: Logger;
}

/** `top-up:ENTITLEMENT`: a granted purchase. Written together with the grant, so that a purchase is granted to one server only. */
const grantSchema = storedObject({ guildId: z.string(), credits: z.number() });

function keyOf(purchaseId: string): string {
	return `top-up:${purchaseId}`;
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
}: TopUpDeps) {
	const background = createBackgroundWork({ clock });
	const { signal } = background;
	/** Configured items that Discord sells as consumables; `undefined` until read. */
	let offered: readonly TopUpItem[] | undefined;
	let stopReconciling: (() => Promise<void>) | undefined;

	const itemOf = ({ skuId }: Purchase): TopUpItem | undefined => offered?.find((item) => item.skuId === skuId);

	async function findGrant(purchaseId: string) {
		return (await readDocument(store, keyOf(purchaseId), grantSchema)).value;
	}

	/** Grants the purchase to one server, forever. Resolves to what this server has of it; `undefined` if another server has it. */
	async function grant({ id, userId, skuId }: Purchase, credits: Credits, guildId: string) {
		const note = {
			by: userId === null ? "system" : byMember(userId),
			reason: `top-up: item ${skuId}, entitlement ${id}`,
		};
		const record: z.infer<typeof grantSchema> = { guildId, credits };
		const alsoWrite = [{ key: keyOf(id), expectedRaw: undefined, next: record }];
		try {
			const granted = await ledger.grant(guildAccount(guildId), `entitlement:${id}`, credits, note, { alsoWrite });
			logger.info({ entitlementId: id, skuId, guildId, credits }, "top-up granted");
			return { credits, balance: granted.balance, isNew: true };
		} catch (error) {
			if (!(error instanceof LedgerRejectedError) || error.code !== "not_new") throw error;
			const earlier = await findGrant(id);
			if (earlier?.guildId !== guildId) return undefined;
			return { credits: earlier.credits, balance: error.balance, isNew: false };
		}
	}

	/** After a failure, the item cannot be bought again until a retry succeeds. */
	async function consume({ id }: Purchase): Promise<void> {
		try {
			await entitlementClient.consume(id, signal);
		} catch (error) {
			logger.warn({ err: error, entitlementId: id }, "top-up not consumed");
		}
	}

	/** Grants a purchase and consumes it. Resolves to what the server has of it; `undefined` if another server has it. */
	async function processPurchase(purchase: Purchase, { credits }: TopUpItem, guildId: string) {
		const { id: entitlementId, userId } = purchase;
		const granted = await grant(purchase, credits, guildId);
		if (granted?.isNew) {
			const { balance } = granted;
			const notification = notify({ entitlementId, guildId, userId, credits, balance }, signal).catch(
				(error: unknown) => logger.warn({ err: error, guildId }, "top-up notification failed"),
			);
			background.add(notification);
		}
		await consume(purchase);
		return granted;
	}

	/**
	 * Processes a purchase whose server is known. A failure is logged, and does not stop the others. Does nothing before the offer is
	 * read: the reconciliation that reads it finds the purchase.
	 */
	async function processIfGuildKnown(purchase: Purchase): Promise<void> {
		const item = itemOf(purchase);
		if (!item || !isOpen(purchase)) return;
		try {
			// The process may have crashed between the grant and the consumption.
			const guildId = purchase.guildId ?? (await findGrant(purchase.id))?.guildId;
			if (guildId !== undefined) await processPurchase(purchase, item, guildId);
			else logger.debug({ entitlementId: purchase.id, skuId: item.skuId }, "top-up waits for its buyer");
		} catch (error) {
			logger.error({ err: error, entitlementId: purchase.id }, "top-up failed");
		}
	}

	async function logRefund({ id: entitlementId, skuId }: Purchase): Promise<void> {
		try {
			const granted = await findGrant(entitlementId);
			if (granted === undefined) {
				logger.info({ entitlementId, skuId }, "purchase refunded before its credits were granted");
				return;
			}
			const { guildId, credits } = granted;
			const message = "purchase refunded: its credits stay until the operator revokes them";
			logger.warn({ entitlementId, skuId, guildId, credits }, message);
		} catch (error) {
			logger.error({ err: error, entitlementId, skuId }, "purchase refunded: its server could not be read");
		}
	}

	async function readOffer(): Promise<readonly TopUpItem[]> {
		const sold = await entitlementClient.consumableIds(signal);
		const unknown = items.filter(({ skuId }) => !sold.has(skuId)).map(({ skuId }) => skuId);
		// Once per process, not at every interval.
		if (unknown.length > 0 && offered === undefined)
			logger.error({ skuIds: unknown }, "TOP_UP_ITEMS names unknown consumables");
		return items.filter(({ skuId }) => sold.has(skuId));
	}

	/**
	 * Reads which items Discord sells, then processes every open purchase whose server is known. Never rejects: the interval of
	 * `start` retries failures.
	 */
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
		/** Returns the configured items that Discord sells, in the configured order. */
		offered: (): readonly TopUpItem[] => offered ?? [],
		/** Handles a purchase event in the background. */
		onPurchase(purchase: Purchase): void {
			const { id: entitlementId, skuId } = purchase;
			if (!items.some((item) => item.skuId === skuId)) {
				logger.warn({ entitlementId, skuId }, "purchase ignored: not in TOP_UP_ITEMS");
				return;
			}
			background.add(processIfGuildKnown(purchase));
		},
		/** Logs a refund for the operator, who decides about the credits. */
		onRefund: (purchase: Purchase) => background.add(logRefund(purchase)),
		/**
		 * Grants this server the pending purchases for it, and those of the buyer without a server. `undefined` without any. A
		 * granted purchase stays pending until it is consumed.
		 */
		async redeem(
			{ guildId, userId }: Member,
			purchases: readonly Purchase[],
			requestLogger: Logger,
		): Promise<Redeemed | undefined> {
			if (items.length > 0) offered ??= await readOffer();
			let credits = 0;
			let lastBalance: Balance | undefined;
			for (const purchase of purchases) {
				const item = itemOf(purchase);
				const isForThisGuild = purchase.guildId === null ? purchase.userId === userId : purchase.guildId === guildId;
				if (!item || !isOpen(purchase) || !isForThisGuild) continue;
				const granted = await processPurchase(purchase, item, guildId);
				if (granted === undefined) continue;
				if (granted.isNew) credits += granted.credits;
				lastBalance = granted.balance;
			}
			if (!lastBalance) return undefined;
			if (credits > 0) requestLogger.info({ credits }, "top-up redeemed");
			return { credits, balance: lastBalance };
		},
		reconcile,
		/** Starts to reconcile regularly. */
		start(): void {
			if (items.length > 0) stopReconciling = startInterval({ clock, everyMs: RECONCILE_EVERY_MS, run: reconcile });
		},
		async stop(): Promise<void> {
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
