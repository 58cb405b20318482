import type { Clock } from "../../clock.ts";
import { MEDIA_TYPES, type MediaType } from "../generation/model.ts";
import type { AccountId, Balance, Ledger } from "../ledger/operations.ts";
import type { Store } from "../store/store.ts";
import type { GuildSettings, GuildSettingsStore } from "./guild-settings.ts";
import { limitsFor, mediumLimitOf, memberLimitOf, serverLimitOf, type Member, type UseLimit } from "./limits.ts";
import { createMonthlyCredits } from "./monthly-credits.ts";

/** A limit with what is left of it now. */
export interface LimitLeft extends UseLimit {
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
	readonly limits: readonly UseLimit[];
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
	const turnOver = (guildId: string, decided: GuildSettings): Promise<number | null> =>
		monthly.turnOver(guildId, guildAccount(guildId), decided);

	async function mediaLeft(decided: GuildSettings, member: Member, nowMs: number): Promise<Map<MediaType, LimitLeft>> {
		const left = new Map<MediaType, LimitLeft>();
		for (const mediaType of MEDIA_TYPES) {
			const limit = await withLeft(mediumLimitOf(decided, member, mediaType, nowMs));
			if (limit) left.set(mediaType, limit);
		}
		return left;
	}

	async function withLeft(limit: UseLimit | undefined): Promise<LimitLeft | undefined> {
		if (!limit) return undefined;
		const { availableCredits } = await ledger.balance(limit.account);
		const usedCredits = Math.max(0, -availableCredits);
		return { ...limit, usedCredits, leftCredits: Math.max(0, limit.credits - usedCredits) };
	}

	return {
		async open(guildId) {
			await turnOver(guildId, await settings.read(guildId));
			return guildAccount(guildId);
		},
		async routeFor(member, mediaType) {
			const decided = await settings.read(member.guildId);
			const refillsAtMs = await turnOver(member.guildId, decided);
			const limits = limitsFor(decided, member, mediaType, clock.nowMs());
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
				member: await withLeft(memberLimitOf(decided, member, nowMs)),
				media: await mediaLeft(decided, member, nowMs),
				server: await withLeft(serverLimitOf(decided, member.guildId, nowMs)),
			};
		},
	};
}
