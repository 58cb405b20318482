/** Sums a server's charges by day, media type, model and member. */
import { MEDIA_TYPES, type MediaType } from "@atelier/media-protocol/model";
import type { AccountId, Entry, Ledger } from "@atelier/ledger/ledger";
import { memberIdOf } from "../access/change-author.ts";
import { readJournalReverse } from "./history.ts";
import type { PeriodSpan } from "../period.ts";

/** The most journal entries read for a report. With more, it covers only the newest, and states from when on it is complete. */
const ENTRIES_MAX = 100_000;

interface Usage {
	readonly credits: number;
	readonly results: number;
}

interface NamedUsage extends Usage {
	/** Member id or model name. */
	readonly name: string;
}

export interface DayUsage {
	readonly day: PeriodSpan;
	/** The charged credits by media type. */
	readonly media: Readonly<Record<MediaType, number>>;
}

export function creditsOfDay({ media }: DayUsage): number {
	return MEDIA_TYPES.reduce((sum, mediaType) => sum + media[mediaType], 0);
}

export interface UsageReport {
	readonly total: Usage;
	/** Every day of the report, oldest first. */
	readonly days: readonly DayUsage[];
	/** Those with the most credits first, as for `models`. */
	readonly members: readonly NamedUsage[];
	readonly models: readonly NamedUsage[];
	readonly media: readonly (Usage & { readonly mediaType: MediaType })[];
	/** The time of the newest entry that was left out: the report is complete after it. `undefined` if it covers all days. */
	readonly completeAfterMs: number | undefined;
}

/** Sums the charges of the days, oldest day first. Reads the journal backwards. */
export async function readUsage(
	ledger: Pick<Ledger, "history">,
	account: AccountId,
	days: readonly PeriodSpan[],
	{ entriesMax = ENTRIES_MAX } = {},
): Promise<UsageReport> {
	const { charges, completeAfterMs } = await readCharges(ledger, account, days, entriesMax);
	return { ...tally(charges, days), completeAfterMs };
}

/** Sums the newer half of the days, and the total of the older half, in one read. `before` is `null` if the report does not cover all of it. */
export async function readUsageAndBefore(
	ledger: Pick<Ledger, "history">,
	account: AccountId,
	days: readonly PeriodSpan[],
	{ entriesMax = ENTRIES_MAX } = {},
): Promise<UsageReport & { readonly before: Usage | null }> {
	const { charges, completeAfterMs } = await readCharges(ledger, account, days, entriesMax);
	const reported = days.slice(days.length / 2);
	const fromMs = reported[0]?.startsAtMs ?? 0;
	const isReported = ({ atMs }: Entry): boolean => atMs >= fromMs;
	return {
		...tally(charges.filter(isReported), reported),
		before: completeAfterMs === undefined ? totalOf(charges.filter((entry) => !isReported(entry))) : null,
		completeAfterMs: completeAfterMs !== undefined && completeAfterMs >= fromMs ? completeAfterMs : undefined,
	};
}

async function readCharges(
	ledger: Pick<Ledger, "history">,
	account: AccountId,
	days: readonly PeriodSpan[],
	entriesMax: number,
): Promise<{ readonly charges: readonly Entry[]; readonly completeAfterMs: number | undefined }> {
	const fromMs = days[0]?.startsAtMs ?? Number.POSITIVE_INFINITY;
	const charges: Entry[] = [];
	let readCount = 0;
	for await (const entry of readJournalReverse(ledger, account)) {
		if (entry.atMs < fromMs) break;
		if (readCount++ === entriesMax) return { charges, completeAfterMs: entry.atMs };
		if (entry.kind === "post") charges.push(entry);
	}
	return { charges, completeAfterMs: undefined };
}

function tally(charges: readonly Entry[], days: readonly PeriodSpan[]): Omit<UsageReport, "completeAfterMs"> {
	const media = new Map<string, Usage>();
	const models = new Map<string, Usage>();
	const members = new Map<string, Usage>();
	const dayUses = days.map((day) => ({ day, media: { image: 0, video: 0, music: 0 } }));
	for (const { amountCredits, atMs, by, mediaType, model = "?" } of charges) {
		add(members, memberIdOf(by) ?? by, amountCredits);
		add(models, model, amountCredits);
		const knownType = MEDIA_TYPES.find((each) => each === mediaType);
		if (!knownType) continue;
		add(media, knownType, amountCredits);
		const use = dayUses.findLast(({ day }) => day.startsAtMs <= atMs);
		if (use) use.media[knownType] += amountCredits;
	}
	return {
		total: totalOf(charges),
		days: dayUses,
		members: byCreditsDescending(members),
		models: byCreditsDescending(models),
		media: MEDIA_TYPES.map((mediaType) => ({ mediaType, ...(media.get(mediaType) ?? { credits: 0, results: 0 }) })),
	};
}

function totalOf(charges: readonly Entry[]): Usage {
	return { credits: charges.reduce((sum, { amountCredits }) => sum + amountCredits, 0), results: charges.length };
}

function add(uses: Map<string, Usage>, name: string, amountCredits: number): void {
	const { credits, results } = uses.get(name) ?? { credits: 0, results: 0 };
	uses.set(name, { credits: credits + amountCredits, results: results + 1 });
}

function byCreditsDescending(uses: ReadonlyMap<string, Usage>): readonly NamedUsage[] {
	return [...uses].map(([name, use]) => ({ name, ...use })).toSorted((a, b) => b.credits - a.credits);
}
