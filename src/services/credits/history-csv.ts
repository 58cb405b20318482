/** Formats journal entries as CSV for spreadsheets. */
import type { Entry } from "@atelier/ledger/operations";
import { signedCredits } from "./history.ts";

const COLUMNS = [
	"entry",
	"time (UTC)",
	"what",
	"amount",
	"change",
	"owned after",
	"set aside after",
	"who",
	"reason",
	"medium",
	"model",
	"task",
] as const;

/** Excel needs it to detect UTF-8. */
const BYTE_ORDER_MARK = "\uFEFF";
/** Texts that a spreadsheet would run as a formula. */
const FORMULA_START = /^[\s]*[=+\-@＝＋－＠]|^[\t\r\n]/;

export function formatHistoryCsv(entries: readonly Entry[]): string {
	const rows = [COLUMNS, ...entries.map((entry) => rowOf(entry))];
	return BYTE_ORDER_MARK + rows.map((row) => `${row.map((cell) => cellOf(cell)).join(",")}\r\n`).join("");
}

function rowOf(entry: Entry): readonly (string | number)[] {
	const { seq, atMs, kind, amountCredits, postedAfterCredits, heldAfterCredits, by, reason, taskId } = entry;
	return [
		seq,
		new Date(atMs).toISOString(),
		kind,
		amountCredits,
		signedCredits(entry),
		postedAfterCredits,
		heldAfterCredits,
		by,
		reason,
		entry.mediaType ?? "",
		entry.model ?? "",
		// The prefix keeps spreadsheets from rounding the id.
		taskId === undefined ? "" : `task:${taskId}`,
	];
}

/** Escapes a cell. An apostrophe disarms a text that begins like a formula. */
function cellOf(cell: string | number): string {
	if (typeof cell === "number") return String(cell);
	const text = FORMULA_START.test(cell) ? `'${cell}` : cell;
	return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
