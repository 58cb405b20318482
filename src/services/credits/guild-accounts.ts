import type { MemberWithRoles } from "../access/member.ts";
import type { Clock } from "@atelier/common/clock";
import { MEDIA_TYPES, type MediaType } from "@atelier/media-protocol/model";
import type { AccountId, Balance, Ledger } from "@atelier/ledger/ledger";
import type { Store } from "@atelier/store/store";
import type { SettingsStore } from "../settings/settings-store.ts";
import type { GuildSettings } from "../settings/guild-settings.ts";
import { limitsFor, type Limit } from "./limits.ts";
import { createMonthlyCredits } from "./monthly-credits.ts";
import { createPeriodSpending } from "./period-spending.ts";
import { forecastMonth, periodAt } from "../period.ts";

/** A limit with its used and its remaining credits. */
export interface LimitBalance extends Limit {
	readonly leftCredits: number;
	/** Charged or held in the period; exceeds `credits` if the limit was lowered. */
	readonly usedCredits: number;
	/** The credits by which the account may go below zero: `credits` without those spent in the period before the limit was set. */
	readonly overdraftCredits: number;
}

/** A server's balance and the limits of one member. */
export interface GuildBalance {
	readonly balance: Balance;
	readonly monthlyCredits: number;
	readonly refillsAtMs: number | null;
	/** The member's limit for all media types; `undefined` for no limit. */
	readonly memberLimit: LimitBalance | undefined;
	/** The member's limits by media type, only for types with a limit. */
	readonly mediaLimits: ReadonlyMap<MediaType, LimitBalance>;
	/** The limit of all members together. */
	readonly serverLimit: LimitBalance | undefined;
}

/** The limits of a member for a task, and the facts that a denial names. */
export interface PaymentPlan {
	/** The limits that apply, the narrowest first. */
	readonly limits: readonly LimitBalance[];
	/** Time of the next grant of monthly credits; `null` if the operator grants none. */
	readonly refillsAtMs: number | null;
	readonly monthlyCredits: number;
}

interface MonthSpending {
	readonly spentCredits: number;
	/** The credits that will be spent by the end of the month at the present rate; `null` on its first day. */
	readonly forecastCredits: number | null;
	readonly endsAtMs: number;
}

export type GuildAccounts = ReturnType<typeof createGuildAccounts>;

interface GuildAccountsDeps {
	readonly store: Store;
	readonly ledger: Ledger;
	readonly settings: SettingsStore;
	readonly clock: Clock;
	readonly monthlyCredits: number;
}

export function guildAccount(guildId: string): AccountId {
	return `guild:${guildId}`;
}

/** The credits of a server and the limits of its members. */
export function createGuildAccounts(deps: GuildAccountsDeps) {
	const { store, ledger, settings, clock, monthlyCredits } = deps;
	const monthly = createMonthlyCredits({ store, ledger, clock, monthlyCredits });
	const periodSpending = createPeriodSpending(ledger);

	/** Reads the settings, and grants this month's credits if they are due. */
	async function open(guildId: string) {
		const guildSettings = await settings.read(guildId);
		const refillsAtMs = await monthly.grantDue(guildId, guildAccount(guildId), guildSettings);
		return { guildSettings, refillsAtMs };
	}

	/** Reads what was spent in the period, also before the limit was set: the account of a new limit is empty. */
	async function readLimit(limit: Limit, guildId: string): Promise<LimitBalance> {
		// Read the journal first: a charge between the reads would otherwise also count as one from before the limit.
		const spentCredits = (await periodSpending.read(guildAccount(guildId), limit.startsAtMs)).spentCredits(
			limit.spender,
		);
		// Charges and holds make the limit's account negative.
		const { postedCredits, availableCredits } = await ledger.balance(limit.account);
		const spentBeforeLimitCredits = Math.max(0, spentCredits + postedCredits);
		const usedCredits = Math.max(0, spentBeforeLimitCredits - availableCredits);
		const leftCredits = Math.max(0, limit.credits - usedCredits);
		const overdraftCredits = Math.max(0, limit.credits - spentBeforeLimitCredits);
		return { ...limit, leftCredits, usedCredits, overdraftCredits };
	}

	async function readLimits(guildSettings: GuildSettings, member: MemberWithRoles, mediaTypes: readonly MediaType[]) {
		const applicable = limitsFor(guildSettings, member, mediaTypes, clock.nowMs());
		return await Promise.all(applicable.map((each) => readLimit(each, member.guildId)));
	}

	return {
		/** Grants this month's credits if they are due. */
		async grantMonthlyCredits(guildId: string): Promise<void> {
			await open(guildId);
		},
		/** Selects the limits that apply. Grants this month's credits first if they are due. */
		async planPayment(member: MemberWithRoles, mediaType: MediaType): Promise<PaymentPlan> {
			const { guildSettings, refillsAtMs } = await open(member.guildId);
			return { limits: await readLimits(guildSettings, member, [mediaType]), refillsAtMs, monthlyCredits };
		},
		/** Reads the balance and the member's limits. Grants this month's credits first if they are due. */
		async readBalance(member: MemberWithRoles): Promise<GuildBalance> {
			const { guildSettings, refillsAtMs } = await open(member.guildId);
			const limits = await readLimits(guildSettings, member, MEDIA_TYPES);
			const limitOf = (kind: Limit["kind"]) => limits.find((limit) => limit.kind === kind);
			return {
				balance: await ledger.balance(guildAccount(member.guildId)),
				monthlyCredits,
				refillsAtMs,
				memberLimit: limitOf("member"),
				mediaLimits: new Map(
					limits.flatMap((limit) => (limit.spender.mediaType ? [[limit.spender.mediaType, limit]] : [])),
				),
				serverLimit: limitOf("server"),
			};
		},
		/** Counts the charges since a time, which is the start of a period. */
		readSpending: (guildId: string, startsAtMs: number) => periodSpending.read(guildAccount(guildId), startsAtMs),
		/** Reads the spending of the current month. */
		async readMonth(guildId: string): Promise<MonthSpending> {
			const { timeZone } = await settings.read(guildId);
			const nowMs = clock.nowMs();
			const { startsAtMs, endsAtMs } = periodAt(nowMs, "month", timeZone);
			const spentCredits = (await periodSpending.read(guildAccount(guildId), startsAtMs)).spentCredits({});
			return { spentCredits, forecastCredits: forecastMonth(spentCredits, nowMs, timeZone), endsAtMs };
		},
	};
}
