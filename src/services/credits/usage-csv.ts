/** Formats a usage report by day as CSV for spreadsheets. */
import { MEDIA_TYPES } from "@atelier/media-protocol/model";
import { formatCsv } from "./csv.ts";
import type { UsageReport } from "./usage-report.ts";

/** The last row says if older charges are left out. */
export function formatUsageCsv({ days, completeAfterMs }: Pick<UsageReport, "days" | "completeAfterMs">): string {
	const rows = days.map(({ day, media }) => [day.id, ...MEDIA_TYPES.map((mediaType) => media[mediaType])]);
	const cutRows =
		completeAfterMs === undefined
			? []
			: [["cut", `charges until ${new Date(completeAfterMs).toISOString()} are missing`, "", ""]];
	return formatCsv([["day", ...MEDIA_TYPES], ...rows, ...cutRows]);
}
