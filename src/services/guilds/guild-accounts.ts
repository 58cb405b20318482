import type { Clock } from "@atelier/common/clock";
import { MEDIA_TYPES, type MediaType } from "@atelier/media-protocol/model";
import type { AccountId, Balance, Ledger } from "@atelier/ledger/operations";
import type { Store } from "@atelier/store/store";
import type { GuildSettings, GuildSettingsStore } from "./guild-settings.ts";
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
import { createPeriodUse } from "./period-use.ts";
import { periodAt } from "./period.ts";

/** A limit with what is left of it now. */
export interface LimitLeft extends CountedLimit {
	readonly leftCredits: number;
	/** What is used or set aside; more than the limit where that was higher before. */
	readonly usedCredits: number;
}

/** What a member sees of the money. */
export interface GuildStanding {
	readonly balance: Balance;
	/** What the operator gives each month, and when the next comes. */
	readonly monthlyCredits: number;
	readonly refillsAtMs: number | null;
	readonly member: LimitLeft | undefined;
	/** By medium, what the member may use of it within all that, where there is a limit on it. */
	readonly media: ReadonlyMap<MediaType, LimitLeft>;
	readonly server: LimitLeft | undefined;
}

/** What one payment has to pass: limits on use first, then the server's balance. */
export interface PaymentRoute {
	readonly account: AccountId;
	readonly limits: readonly CountedLimit[];
	/** When the next monthly credits come; `null` where the operator gives none. */
	readonly refillsAtMs: number | null;
	/** How many those are. */
	readonly monthlyCredits: number;
}

/** The credits of a server and the limits of its members. */
export interface GuildAccounts {
	routeFor(member: Member, mediaType: MediaType): Promise<PaymentRoute>;
	standing(member: Member): Promise<GuildStanding>;
	/** The server's account, with this month's credits in it. */
	open(guildId: string): Promise<AccountId>;
}

interface GuildAccountsDeps {
	readonly store: Store;
	readonly ledger: Ledger;
	readonly settings: GuildSettingsStore;
	readonly clock: Clock;
	/** What each server is given each month. */
	readonly monthlyCredits: number;
}

export function guildAccount(guildId: string): AccountId {
	return `guild:${guildId}`;
}

export function createGuildAccounts(deps: GuildAccountsDeps): GuildAccounts {
	const { store, ledger, settings, clock, monthlyCredits } = deps;
	const monthly = createMonthlyCredits({ store, ledger, clock, monthlyCredits });
	const use = createPeriodUse(ledger);
	const turnOver = (guildId: string, decided: GuildSettings): Promise<number | null> =>
		monthly.turnOver(guildId, guildAccount(guildId), decided);

	/** An admin who sets 100 a month expects what was spent this month to count: the account of a new limit starts at zero. */
	async function counted(
		limit: UseLimit,
		decided: GuildSettings,
		{ guildId, userId }: Member,
		mediaType: MediaType | undefined,
	): Promise<CountedLimit & { readonly balance: Balance }> {
		const { startsAtMs } = periodAt(clock.nowMs(), limit.per, decided.timeZone);
		const spender = {
			...(limit.kind !== "server" && { by: `member:${userId}` }),
			...(limit.kind === "medium" && mediaType !== undefined && { mediaType }),
		};
		// In this order: what is spent now is charged to the limit's account first.
		const spentCredits = await use.spent(guildAccount(guildId), startsAtMs, spender);
		const balance = await ledger.balance(limit.account);
		return { ...limit, uncountedCredits: Math.max(0, spentCredits + balance.postedCredits), balance };
	}

	async function mediaLeft(decided: GuildSettings, member: Member, nowMs: number): Promise<Map<MediaType, LimitLeft>> {
		const left = new Map<MediaType, LimitLeft>();
		for (const mediaType of MEDIA_TYPES) {
			const limit = await withLeft(mediumLimitOf(decided, member, mediaType, nowMs), decided, member, mediaType);
			if (limit) left.set(mediaType, limit);
		}
		return left;
	}

	async function withLeft(
		limit: UseLimit | undefined,
		decided: GuildSettings,
		member: Member,
		mediaType?: MediaType,
	): Promise<LimitLeft | undefined> {
		if (!limit) return undefined;
		const { balance, ...known } = await counted(limit, decided, member, mediaType);
		const usedCredits = Math.max(0, known.uncountedCredits - balance.availableCredits);
		return { ...known, usedCredits, leftCredits: Math.max(0, limit.credits - usedCredits) };
	}

	return {
		async open(guildId) {
			await turnOver(guildId, await settings.read(guildId));
			return guildAccount(guildId);
		},
		async routeFor(member, mediaType) {
			const decided = await settings.read(member.guildId);
			const refillsAtMs = await turnOver(member.guildId, decided);
			const limits = await Promise.all(
				limitsFor(decided, member, mediaType, clock.nowMs()).map(async (limit) => {
					const { balance: _read, ...known } = await counted(limit, decided, member, mediaType);
					return known;
				}),
			);
			return { account: guildAccount(member.guildId), limits, refillsAtMs, monthlyCredits };
		},
		async standing(member) {
			const decided = await settings.read(member.guildId);
			const refillsAtMs = await turnOver(member.guildId, decided);
			const nowMs = clock.nowMs();
			return {
				balance: await ledger.balance(guildAccount(member.guildId)),
				monthlyCredits,
				refillsAtMs,
				member: await withLeft(memberLimitOf(decided, member, nowMs), decided, member),
				media: await mediaLeft(decided, member, nowMs),
				server: await withLeft(serverLimitOf(decided, member.guildId, nowMs), decided, member),
			};
		},
	};
}
