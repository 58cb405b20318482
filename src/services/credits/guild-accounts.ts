import type { Clock } from "@atelier/common/clock";
import { MEDIA_TYPES, type MediaType } from "@atelier/media-protocol/model";
import type { AccountId, Balance, Ledger } from "@atelier/ledger/operations";
import type { Store } from "@atelier/store/store";
import type { GuildSettings, GuildSettingsStore } from "../settings/guild-settings.ts";
import {
	limitsFor,
	mediumLimitOf,
	memberLimitOf,
	serverLimitOf,
	type CountedLimit,
	type Member,
	type UseLimit,
} from "./limits.ts";
import { createMonthlyCredits } from "./monthly-credits.ts";
import { createPeriodUsage } from "./period-spending.ts";
import { periodAt } from "./period.ts";

/** A limit with its remaining credits. */
export interface RemainingLimit extends CountedLimit {
	readonly leftCredits: number;
	/** Charged or held; above the limit if the limit was lowered. */
	readonly usedCredits: number;
}

/** A guild's balance and the limits of one member. */
export interface GuildBalance {
	readonly balance: Balance;
	readonly monthlyCredits: number;
	readonly refillsAtMs: number | null;
	readonly member: RemainingLimit | undefined;
	/** The member's limits by media type, only for types with a limit. */
	readonly media: ReadonlyMap<MediaType, RemainingLimit>;
	readonly server: RemainingLimit | undefined;
}

/** The accounts in which a payment is reserved: those of its limits first, then that of the guild. */
export interface PaymentPlan {
	readonly account: AccountId;
	readonly limits: readonly CountedLimit[];
	/** Time of the next monthly credits; `null` if the operator grants none. */
	readonly refillsAtMs: number | null;
	readonly monthlyCredits: number;
}

/** The credits of a guild and the limits of its members. */
export interface GuildAccounts {
	planPayment(member: Member, mediaType: MediaType): Promise<PaymentPlan>;
	readBalance(member: Member): Promise<GuildBalance>;
	/** Grants this month's credits if due, and returns the guild's account. */
	open(guildId: string): Promise<AccountId>;
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
	const periodUsage = createPeriodUsage(ledger);
	const grantDueMonthlyCredits = (guildId: string, guildSettings: GuildSettings): Promise<number | null> =>
		monthly.grantDue(guildId, guildAccount(guildId), guildSettings);

	/** Adds the spending that the account of a limit lacks: a limit that is set within a period starts with an empty account. */
	async function withUncountedCredits(
		limit: UseLimit,
		guildSettings: GuildSettings,
		{ guildId, userId }: Member,
		mediaType: MediaType | undefined,
	): Promise<CountedLimit & { readonly balance: Balance }> {
		const { startsAtMs } = periodAt(clock.nowMs(), limit.per, guildSettings.timeZone);
		const spender = {
			...(limit.kind !== "server" && { by: `member:${userId}` }),
			...(limit.kind === "medium" && mediaType !== undefined && { mediaType }),
		};
		// Read the journal first: a concurrent charge reaches the limit's account before the journal.
		const spentCredits = await periodUsage.spent(guildAccount(guildId), startsAtMs, spender);
		const balance = await ledger.balance(limit.account);
		return { ...limit, uncountedCredits: Math.max(0, spentCredits + balance.postedCredits), balance };
	}

	async function remainingByMediaType(
		guildSettings: GuildSettings,
		member: Member,
		nowMs: number,
	): Promise<Map<MediaType, RemainingLimit>> {
		const remaining = new Map<MediaType, RemainingLimit>();
		for (const mediaType of MEDIA_TYPES) {
			const limit = await withRemaining(
				mediumLimitOf(guildSettings, member, mediaType, nowMs),
				guildSettings,
				member,
				mediaType,
			);
			if (limit) remaining.set(mediaType, limit);
		}
		return remaining;
	}

	async function withRemaining(
		limit: UseLimit | undefined,
		guildSettings: GuildSettings,
		member: Member,
		mediaType?: MediaType,
	): Promise<RemainingLimit | undefined> {
		if (!limit) return undefined;
		const { balance, ...countedLimit } = await withUncountedCredits(limit, guildSettings, member, mediaType);
		const usedCredits = Math.max(0, countedLimit.uncountedCredits - balance.availableCredits);
		return { ...countedLimit, usedCredits, leftCredits: Math.max(0, limit.credits - usedCredits) };
	}

	return {
		async open(guildId) {
			await grantDueMonthlyCredits(guildId, await settings.read(guildId));
			return guildAccount(guildId);
		},
		async planPayment(member, mediaType) {
			const guildSettings = await settings.read(member.guildId);
			const refillsAtMs = await grantDueMonthlyCredits(member.guildId, guildSettings);
			const limits = await Promise.all(
				limitsFor(guildSettings, member, mediaType, clock.nowMs()).map(async (limit) => {
					const { balance: _balance, ...countedLimit } = await withUncountedCredits(
						limit,
						guildSettings,
						member,
						mediaType,
					);
					return countedLimit;
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
				member: await withRemaining(memberLimitOf(guildSettings, member, nowMs), guildSettings, member),
				media: await remainingByMediaType(guildSettings, member, nowMs),
				server: await withRemaining(serverLimitOf(guildSettings, member.guildId, nowMs), guildSettings, member),
			};
		},
	};
}
