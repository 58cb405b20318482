/** Formats the history and the usage of credits as CSV for spreadsheets. */
import { MEDIA_TYPES } from "@atelier/media-protocol/model";
import type { Entry } from "@atelier/ledger/ledger";
import { givenReason, signedCredits } from "./history.ts";
import type { UsageReport } from "./usage-report.ts";

/** Excel needs this mark to detect UTF-8. */
const BYTE_ORDER_MARK = "\uFEFF";
/** Texts that a spreadsheet would run as a formula. */
const FORMULA_START = /^[\s]*[=+\-@＝＋－＠]|^[\t\r\n]/;

const COLUMNS = [
	"entry",
	"time (UTC)",
	"what",
	"amount",
	"change",
	"balance after",
	"held after",
	"member",
	"reason",
	"media type",
	"model",
	"task",
] as const;

/** With `nextBeforeSeq`, the last row says that older entries are left out. */
export function formatHistoryCsv(entries: readonly Entry[], nextBeforeSeq: number | undefined): string {
	const reason = `older entries are missing; export them with before=${nextBeforeSeq}`;
	const cutRows = nextBeforeSeq === undefined ? [] : [["", "", "cut", "", "", "", "", "", reason, "", "", ""]];
	return formatCsv([COLUMNS, ...entries.map((entry) => rowOf(entry)), ...cutRows]);
}

function rowOf(entry: Entry): readonly (string | number)[] {
	const { seq, atMs, kind, amountCredits, postedAfterCredits, heldAfterCredits, by, taskId } = entry;
	return [
		seq,
		new Date(atMs).toISOString(),
		kind,
		amountCredits,
		signedCredits(entry),
		postedAfterCredits,
		heldAfterCredits,
		by,
		givenReason(entry),
		entry.mediaType ?? "",
		entry.model ?? "",
		// The prefix keeps spreadsheets from rounding the id.
		taskId === undefined ? "" : `task:${taskId}`,
	];
}

/** One row for each day. The last row says if older charges are left out. */
export function formatUsageCsv({ days, completeAfterMs }: Pick<UsageReport, "days" | "completeAfterMs">): string {
	const rows = days.map(({ day, media }) => [day.id, ...MEDIA_TYPES.map((mediaType) => media[mediaType])]);
	const cutRows =
		completeAfterMs === undefined
			? []
			: [["cut", `charges until ${new Date(completeAfterMs).toISOString()} are missing`, "", ""]];
	return formatCsv([["day", ...MEDIA_TYPES], ...rows, ...cutRows]);
}

type Cell = string | number;

function formatCsv(rows: readonly (readonly Cell[])[]): string {
	return BYTE_ORDER_MARK + rows.map((row) => `${row.map(formatCell).join(",")}\r\n`).join("");
}

/** Escapes a cell. An apostrophe disarms a text that begins like a formula. */
function formatCell(cell: Cell): string {
	if (typeof cell === "number") return String(cell);
	const text = FORMULA_START.test(cell) ? `'${cell}` : cell;
	return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
