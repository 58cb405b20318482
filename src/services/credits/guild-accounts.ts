import type { Clock } from "@atelier/common/clock";
import { MEDIA_TYPES, type MediaType } from "@atelier/media-protocol/model";
import type { AccountId, Balance, Ledger } from "@atelier/ledger/operations";
import type { Store } from "@atelier/store/store";
import type { GuildSettings, GuildSettingsStore } from "../settings/guild-settings.ts";
import {
	limitsFor,
	mediaTypeLimitOf,
	memberLimitOf,
	serverLimitOf,
	type PaymentLimit,
	type Member,
	type UsageLimit,
} from "./limits.ts";
import { createMonthlyCredits } from "./monthly-credits.ts";
import { createPeriodSpending } from "./period-spending.ts";
import { periodAt } from "./period.ts";

/** A limit with its remaining credits. */
export interface RemainingLimit extends PaymentLimit {
	readonly leftCredits: number;
	/** Charged or held in the period; exceeds `credits` if the limit was lowered. */
	readonly usedCredits: number;
}

/** A guild's balance and the limits of one member. */
export interface GuildBalance {
	readonly balance: Balance;
	readonly monthlyCredits: number;
	readonly refillsAtMs: number | null;
	/** The member's limit for all media types; `undefined` for no limit. */
	readonly memberLimit: RemainingLimit | undefined;
	/** The member's limits by media type, only for types with a limit. */
	readonly mediaLimits: ReadonlyMap<MediaType, RemainingLimit>;
	/** The limit of all members together. */
	readonly serverLimit: RemainingLimit | undefined;
}

/** The accounts in which a payment is reserved: those of its limits first, then that of the guild. */
export interface PaymentPlan {
	readonly account: AccountId;
	readonly limits: readonly PaymentLimit[];
	/** Time of the next grant of monthly credits; `null` if the operator grants none. */
	readonly refillsAtMs: number | null;
	readonly monthlyCredits: number;
}

/** The credits of a guild and the limits of its members. */
export interface GuildAccounts {
	/** Selects the accounts to charge. Grants this month's credits first if they are due. */
	planPayment(member: Member, mediaType: MediaType): Promise<PaymentPlan>;
	/** Reads the balance and the member's limits. Grants this month's credits first if they are due. */
	readBalance(member: Member): Promise<GuildBalance>;
	/** Grants this month's credits if they are due. Resolves to the guild's account. */
	openAccount(guildId: string): Promise<AccountId>;
}

interface GuildAccountsDeps {
	readonly store: Store;
	readonly ledger: Ledger;
	readonly settings: GuildSettingsStore;
	readonly clock: Clock;
	readonly monthlyCredits: number;
}

export function guildAccount(guildId: string): AccountId {
	return `guild:${guildId}`;
}

export function createGuildAccounts(deps: GuildAccountsDeps): GuildAccounts {
	const { store, ledger, settings, clock, monthlyCredits } = deps;
	const monthly = createMonthlyCredits({ store, ledger, clock, monthlyCredits });
	const periodSpending = createPeriodSpending(ledger);
	const grantDueMonthlyCredits = (guildId: string, guildSettings: GuildSettings): Promise<number | null> =>
		monthly.grantDue(guildId, guildAccount(guildId), guildSettings);

	/**
	 * Adds the spending in the period from before the limit was set, which the empty account of a new limit does not contain. Resolves
	 * to the limit with that spending, and the balance of its account.
	 */
	async function withUncountedCredits(
		limit: UsageLimit,
		guildSettings: GuildSettings,
		{ guildId, userId }: Member,
		mediaType: MediaType | undefined,
	): Promise<PaymentLimit & { readonly balance: Balance }> {
		const { startsAtMs } = periodAt(clock.nowMs(), limit.per, guildSettings.timeZone);
		const spender = {
			...(limit.kind !== "server" && { by: `member:${userId}` }),
			...(limit.kind === "mediaType" && mediaType !== undefined && { mediaType }),
		};
		// Read the journal first: a concurrent charge reaches the limit's account before the journal.
		const spentCredits = await periodSpending.spentCredits(guildAccount(guildId), startsAtMs, spender);
		const balance = await ledger.balance(limit.account);
		// Charges make the limit's account negative.
		const countedCredits = -balance.postedCredits;
		return { ...limit, uncountedCredits: Math.max(0, spentCredits - countedCredits), balance };
	}

	async function remainingByMediaType(
		guildSettings: GuildSettings,
		member: Member,
		nowMs: number,
	): Promise<Map<MediaType, RemainingLimit>> {
		const limitByMediaType = new Map<MediaType, RemainingLimit>();
		for (const mediaType of MEDIA_TYPES) {
			const limit = await withRemaining(
				mediaTypeLimitOf(guildSettings, member, mediaType, nowMs),
				guildSettings,
				member,
				mediaType,
			);
			if (limit) limitByMediaType.set(mediaType, limit);
		}
		return limitByMediaType;
	}

	/** Adds the credits that remain in a limit. */
	async function withRemaining(
		limit: UsageLimit | undefined,
		guildSettings: GuildSettings,
		member: Member,
		mediaType?: MediaType,
	): Promise<RemainingLimit | undefined> {
		if (!limit) return undefined;
		const { balance, ...paymentLimit } = await withUncountedCredits(limit, guildSettings, member, mediaType);
		// Charges and holds make the limit's account negative.
		const countedCredits = -balance.availableCredits;
		const usedCredits = Math.max(0, paymentLimit.uncountedCredits + countedCredits);
		return { ...paymentLimit, usedCredits, leftCredits: Math.max(0, limit.credits - usedCredits) };
	}

	return {
		async openAccount(guildId) {
			await grantDueMonthlyCredits(guildId, await settings.read(guildId));
			return guildAccount(guildId);
		},
		async planPayment(member, mediaType) {
			const guildSettings = await settings.read(member.guildId);
			const refillsAtMs = await grantDueMonthlyCredits(member.guildId, guildSettings);
			const limits = await Promise.all(
				limitsFor(guildSettings, member, mediaType, clock.nowMs()).map(async (limit) => {
					const { balance: _balance, ...paymentLimit } = await withUncountedCredits(
						limit,
						guildSettings,
						member,
						mediaType,
					);
					return paymentLimit;
				}),
			);
			return { account: guildAccount(member.guildId), limits, refillsAtMs, monthlyCredits };
		},
		async readBalance(member) {
			const guildSettings = await settings.read(member.guildId);
			const refillsAtMs = await grantDueMonthlyCredits(member.guildId, guildSettings);
			const nowMs = clock.nowMs();
			return {
				balance: await ledger.balance(guildAccount(member.guildId)),
				monthlyCredits,
				refillsAtMs,
				memberLimit: await withRemaining(memberLimitOf(guildSettings, member, nowMs), guildSettings, member),
				mediaLimits: await remainingByMediaType(guildSettings, member, nowMs),
				serverLimit: await withRemaining(serverLimitOf(guildSettings, member.guildId, nowMs), guildSettings, member),
			};
		},
	};
}
