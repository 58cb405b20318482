/** Lists reported results for moderators. */
import { isReportOpen, lastReportAtMs, type ReportedResult } from "./report-store.ts";

export interface ReportQuery {
	readonly state: "open" | "closed";
	/** Only results whose last report is before this time. */
	readonly beforeMs?: number | undefined;
	readonly reportsMax: number;
}

export interface ReportPage {
	/** The result with the latest report first. */
	readonly reports: readonly ReportedResult[];
	/** `beforeMs` of the next page; `undefined` at the end. */
	readonly nextBeforeMs: number | undefined;
}

/** Reads all reported results of a server: they are few, and the time of their last report is not in their keys. */
export async function listReports(
	reportedResults: AsyncIterable<ReportedResult>,
	{ state, beforeMs = Number.POSITIVE_INFINITY, reportsMax }: ReportQuery,
): Promise<ReportPage> {
	const found: ReportedResult[] = [];
	for await (const reported of reportedResults) {
		const lastAtMs = lastReportAtMs(reported);
		const isPosted = lastAtMs > 0;
		const hasState = isReportOpen(reported) === (state === "open");
		if (isPosted && hasState && lastAtMs < beforeMs) found.push(reported);
	}
	found.sort((one, other) => lastReportAtMs(other) - lastReportAtMs(one));
	const reports = found.slice(0, reportsMax);
	const last = reports.at(-1);
	return { reports, nextBeforeMs: last && found.length > reportsMax ? lastReportAtMs(last) : undefined };
}
