/** Sums a guild's charges by day, media type, model and member. */
import { MEDIA_TYPES, type MediaType } from "@atelier/media-protocol/model";
import type { AccountId, Entry, Ledger } from "@atelier/ledger/operations";
import { readJournalReverse } from "./history.ts";
import type { PeriodSpan } from "./period.ts";

/** Results counted in a report; a longer report states its first complete time. */
const RESULTS_MAX = 20_000;
/** Entries read for a report; failed tasks leave entries too. */
const ENTRIES_READ_MAX = 100_000;

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
	readonly media: Readonly<Record<MediaType, number>>;
}

export interface UsageReport {
	readonly total: Usage;
	/** Every day of the report, oldest first. */
	readonly days: readonly DayUsage[];
	/** The most used first. */
	readonly members: readonly NamedUsage[];
	readonly models: readonly NamedUsage[];
	readonly media: readonly (Usage & { readonly mediaType: MediaType })[];
	/** Time at which reading stopped, if before the first day. */
	readonly completeFromMs: number | undefined;
}

/** `days` oldest first. */
export async function readUsage(
	ledger: Pick<Ledger, "history">,
	account: AccountId,
	days: readonly PeriodSpan[],
	{ resultsMax = RESULTS_MAX, entriesMax = ENTRIES_READ_MAX } = {},
): Promise<UsageReport> {
	const fromMs = days[0]?.startsAtMs ?? Number.POSITIVE_INFINITY;
	const posts: Entry[] = [];
	let read = 0;
	let completeFromMs: number | undefined;
	for await (const entry of readJournalReverse(ledger, account)) {
		if (entry.atMs < fromMs) break;
		const isFull = entry.kind === "post" && posts.length === resultsMax;
		if (isFull || read === entriesMax) {
			completeFromMs = entry.atMs;
			break;
		}
		read++;
		if (entry.kind === "post") posts.push(entry);
	}
	return { ...tally(posts, days), completeFromMs };
}

function tally(posts: readonly Entry[], days: readonly PeriodSpan[]): Omit<UsageReport, "completeFromMs"> {
	const media = new Map<string, Usage>();
	const models = new Map<string, Usage>();
	const members = new Map<string, Usage>();
	const byDay = new Map(days.map(({ id }) => [id, { image: 0, video: 0, music: 0 }]));
	for (const { amountCredits, atMs, by, mediaType, model = "?" } of posts) {
		add(members, by.replace(/^member:/, ""), amountCredits);
		add(models, model, amountCredits);
		const medium = MEDIA_TYPES.find((each) => each === mediaType);
		if (!medium) continue;
		add(media, medium, amountCredits);
		const day = byDay.get(days.findLast(({ startsAtMs }) => startsAtMs <= atMs)?.id ?? "");
		if (day) day[medium] += amountCredits;
	}
	return {
		total: { credits: posts.reduce((sum, { amountCredits }) => sum + amountCredits, 0), results: posts.length },
		days: days.map((day) => ({ day, media: byDay.get(day.id) ?? { image: 0, video: 0, music: 0 } })),
		members: mostFirst(members),
		models: mostFirst(models),
		media: MEDIA_TYPES.map((mediaType) => ({ mediaType, ...(media.get(mediaType) ?? { credits: 0, results: 0 }) })),
	};
}

function add(uses: Map<string, Usage>, name: string, amountCredits: number): void {
	const { credits, results } = uses.get(name) ?? { credits: 0, results: 0 };
	uses.set(name, { credits: credits + amountCredits, results: results + 1 });
}

function mostFirst(uses: ReadonlyMap<string, Usage>): readonly NamedUsage[] {
	return [...uses].map(([name, use]) => ({ name, ...use })).toSorted((a, b) => b.credits - a.credits);
}
