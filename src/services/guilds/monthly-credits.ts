import { z } from "zod";
import type { Clock } from "@atelier/common/clock";
import { LedgerRefusal, type AccountId, type Ledger } from "@atelier/ledger/operations";
import { CorruptDocument } from "@atelier/store/keyv-store";
import type { Store } from "@atelier/store/store";
import type { GuildSettings } from "./guild-settings.ts";
import { periodAt, type PeriodSpan } from "./period.ts";

/** What the operator gives each server each month. */
export interface MonthlyCredits {
	/** Gives what is due; resolves to when the next come, or to `null` where the operator gives none. */
	turnOver(guildId: string, account: AccountId, decided: GuildSettings): Promise<number | null>;
}

interface MonthlyCreditsDeps {
	readonly store: Store;
	readonly ledger: Ledger;
	readonly clock: Clock;
	readonly monthlyCredits: number;
}

/** The newest month that was given, which ends when it was said to end, whatever time zone was chosen since. */
const monthSchema = z.object({ id: z.string(), endsAtMs: z.number() });
type Month = z.infer<typeof monthSchema>;

/**
 * Lazily, on the first touch of a month: no timer races with a hold, and the grant's id makes it once. `month:GUILD`
 * remembers the running month, so that a server that moves its clock neither gets two nor goes hours without.
 */
export function createMonthlyCredits({ store, ledger, clock, monthlyCredits }: MonthlyCreditsDeps): MonthlyCredits {
	async function give(account: AccountId, month: Month, decided: GuildSettings): Promise<void> {
		const note = { by: "operator", reason: `monthly credits ${month.id}` };
		const options = decided.unusedCredits === "expire" ? { expiresAtMs: month.endsAtMs } : {};
		try {
			await ledger.grant(account, `grant:monthly:${month.id}`, monthlyCredits, note, { ...options, isRecurring: true });
		} catch (error) {
			// The operator changed the amount since: a month is granted once, with what was given then.
			if (!(error instanceof LedgerRefusal) || error.code !== "exists_with_different_amount") throw error;
		}
	}

	return {
		async turnOver(guildId, account, decided) {
			if (monthlyCredits === 0) return null;
			const key = `month:${guildId}`;
			const stored = await store.get(key);
			const parsed = monthSchema.optional().safeParse(stored?.value);
			if (!parsed.success) throw new CorruptDocument(key, parsed.error);
			const nowMs = clock.nowMs();
			const running = parsed.data;
			if (running && nowMs < running.endsAtMs) return running.endsAtMs;

			const { id, endsAtMs } = monthAfter(running, nowMs, decided.timeZone);
			// The grant first: a crash in between repeats it, and its id makes that nothing.
			await give(account, { id, endsAtMs }, decided);
			await store.compareAndSet(key, stored?.raw, { id, endsAtMs });
			return endsAtMs;
		},
	};
}

/** The month that is due now: the one on the wall, or the next where that one was given by another clock already. */
function monthAfter(running: Month | undefined, nowMs: number, timeZone: string): PeriodSpan {
	const onTheWall = periodAt(nowMs, "month", timeZone);
	const wasGiven = running !== undefined && onTheWall.id <= running.id;
	return wasGiven ? periodAt(onTheWall.endsAtMs, "month", timeZone) : onTheWall;
}
