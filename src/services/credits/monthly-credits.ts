import { LRUCache } from "lru-cache";
import { z } from "zod";
import type { Clock } from "@atelier/common/clock";
import { LedgerRejectedError, type AccountId, type Ledger } from "@atelier/ledger/operations";
import type { Store } from "@atelier/store/store";
import type { GuildSettings } from "../settings/guild-settings.ts";
import { readDocument } from "../read-document.ts";
import { periodAt, type PeriodSpan } from "./period.ts";

interface MonthlyCreditsDeps {
	readonly store: Store;
	readonly ledger: Ledger;
	readonly clock: Clock;
	readonly monthlyCredits: number;
}

const CACHED_GUILDS_MAX = 10_000;

/** The last granted month. Its end is fixed, even if the guild's time zone changes. */
const monthSchema = z.object({ id: z.string(), endsAtMs: z.number() });
type Month = z.infer<typeof monthSchema>;

/**
 * Grants on the first use in a month, so no timer races with a hold; the id makes the grant idempotent. `month:GUILD` stores
 * the last granted month, so that a time zone change neither grants twice nor leaves a gap.
 */
export function createMonthlyCredits({ store, ledger, clock, monthlyCredits }: MonthlyCreditsDeps) {
	/** The end of the last granted month, by guild. */
	const grantedUntilMs = new LRUCache<string, number>({ max: CACHED_GUILDS_MAX });

	async function grantMonth(account: AccountId, month: Month, settings: GuildSettings): Promise<void> {
		const note = { by: "operator", reason: `monthly credits ${month.id}` };
		const options = settings.unusedCredits === "expire" ? { expiresAtMs: month.endsAtMs } : {};
		try {
			await ledger.grant(account, `grant:monthly:${month.id}`, monthlyCredits, note, { ...options, isRecurring: true });
		} catch (error) {
			// The operator changed the amount: a month keeps its first grant.
			if (!(error instanceof LedgerRejectedError) || error.code !== "exists_with_different_amount") throw error;
		}
	}

	return {
		/** Grants due credits. Resolves to the time of the next grant, or `null` if the operator grants none. */
		async grantDue(guildId: string, account: AccountId, settings: GuildSettings): Promise<number | null> {
			if (monthlyCredits === 0) return null;
			const nowMs = clock.nowMs();
			const knownEndMs = grantedUntilMs.get(guildId) ?? 0;
			if (nowMs < knownEndMs) return knownEndMs;
			const key = `month:${guildId}`;
			const { value: lastGranted, raw } = await readDocument(store, key, monthSchema);
			if (lastGranted && nowMs < lastGranted.endsAtMs) {
				grantedUntilMs.set(guildId, lastGranted.endsAtMs);
				return lastGranted.endsAtMs;
			}

			const { id, endsAtMs } = monthToGrant(lastGranted, nowMs, settings.timeZone);
			// Grant first: after a crash in between, the repeated grant has no effect.
			await grantMonth(account, { id, endsAtMs }, settings);
			if ((await store.compareAndSet(key, raw, { id, endsAtMs })) !== undefined) grantedUntilMs.set(guildId, endsAtMs);
			return endsAtMs;
		},
	};
}

/** Returns the calendar month, or the next one if a grant in another time zone covered it. */
function monthToGrant(lastGranted: Month | undefined, nowMs: number, timeZone: string): PeriodSpan {
	const current = periodAt(nowMs, "month", timeZone);
	// Ids such as 2026-11 sort by time.
	const isGranted = lastGranted !== undefined && current.id <= lastGranted.id;
	return isGranted ? periodAt(current.endsAtMs, "month", timeZone) : current;
}
