import { LRUCache } from "lru-cache";
import { z } from "zod";
import type { Clock } from "@atelier/common/clock";
import { LedgerRejectedError, type AccountId, type Entry, type Ledger } from "@atelier/ledger/ledger";
import type { DocumentChange, Store } from "@atelier/store/store";
import type { GuildSettings } from "../settings/guild-settings.ts";
import type { MessageDescriptor } from "../../i18n/message-descriptor.ts";
import { OPERATOR } from "../access/change-author.ts";
import { readDocument } from "../read-document.ts";
import { periodAt, type PeriodSpan } from "../period.ts";

interface MonthlyCreditsDeps {
	readonly store: Store;
	readonly ledger: Ledger;
	readonly clock: Clock;
	readonly monthlyCredits: number;
}

const CACHED_GUILDS_MAX = 10_000;
/** The codes with which the ledger rejects a repeated grant. */
const GRANTED_CODES: ReadonlySet<string> = new Set(["not_new", "exists_with_different_amount"]);

/** The last granted month. Its end is fixed, even if the server's time zone changes. */
const monthSchema = z.object({ id: z.string(), endsAtMs: z.number() });
type Month = z.infer<typeof monthSchema>;

const GRANT_ID = "grant:monthly:";
/** The operation id of a grant, or of its expiry. */
const ENTRY_ID = new RegExp(`^(?:expire:\\d+:)?${GRANT_ID}(\\d{4}-\\d{2})$`);

const monthKey = (guildId: string): string => `month:${guildId}`;

/** Resolves to the last granted month of a server; `undefined` before its first. */
export async function readGrantedMonth(store: Store, guildId: string): Promise<Month | undefined> {
	return (await readDocument(store, monthKey(guildId), monthSchema)).value;
}

/** Names the month that an entry grants, or whose unused credits expire; `undefined` for other entries. */
export function formatMonthlyReason({ operationId }: Pick<Entry, "operationId">): MessageDescriptor | undefined {
	const month = ENTRY_ID.exec(operationId)?.[1];
	if (month === undefined) return undefined;
	// The middle of a month is in the same month in all time zones.
	return { key: "history.monthlyCredits", params: { monthAtMs: Date.parse(`${month}-15T12:00Z`) } };
}

/**
 * Grants on the first use in a month, so no timer races with a hold; the id makes the grant idempotent. `month:GUILD` stores
 * the last granted month, so that a time zone change neither grants twice nor leaves a gap.
 */
export function createMonthlyCredits({ store, ledger, clock, monthlyCredits }: MonthlyCreditsDeps) {
	/** The end of the last granted month, by server. */
	const grantedUntilMs = new LRUCache<string, number>({ max: CACHED_GUILDS_MAX });

	/**
	 * Grants the month and stores it as `document` in one transaction. Resolves to false if another process stored a month
	 * meanwhile.
	 */
	async function grantMonth(
		account: AccountId,
		month: Month,
		document: Omit<DocumentChange, "next">,
		settings: GuildSettings,
	): Promise<boolean> {
		const note = { by: OPERATOR, reason: `monthly credits ${month.id}` };
		const options = {
			...(settings.unusedCredits === "expire" && { expiresAtMs: month.endsAtMs }),
			isRecurring: true,
			alsoWrite: [{ ...document, next: month }],
		};
		try {
			await ledger.grant(account, GRANT_ID + month.id, monthlyCredits, note, options);
			return true;
		} catch (error) {
			// The month is granted already. It keeps that grant, even if the operator changed the amount.
			const isGranted = error instanceof LedgerRejectedError && GRANTED_CODES.has(error.code);
			if (!isGranted) throw error;
			return (await store.compareAndSet(document.key, document.expectedRaw, month)) !== undefined;
		}
	}

	return {
		/** Grants due credits. Resolves to the time of the next grant, or `null` if the operator grants none. */
		async grantDue(guildId: string, account: AccountId, settings: GuildSettings): Promise<number | null> {
			if (monthlyCredits === 0) return null;
			const nowMs = clock.nowMs();
			const knownEndMs = grantedUntilMs.get(guildId) ?? 0;
			if (nowMs < knownEndMs) return knownEndMs;
			const key = monthKey(guildId);
			const { value: lastGranted, raw } = await readDocument(store, key, monthSchema);
			if (lastGranted && nowMs < lastGranted.endsAtMs) {
				grantedUntilMs.set(guildId, lastGranted.endsAtMs);
				return lastGranted.endsAtMs;
			}

			const { id, endsAtMs } = monthToGrant(lastGranted, nowMs, settings.timeZone);
			const isStored = await grantMonth(account, { id, endsAtMs }, { key, expectedRaw: raw }, settings);
			if (isStored) grantedUntilMs.set(guildId, endsAtMs);
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
