/** A journal as a table for spreadsheets: pure. */
import type { Entry } from "@atelier/ledger/operations";
import { movedCredits } from "./history.ts";

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

/** Without it Excel reads UTF-8 as something else. */
const BYTE_ORDER_MARK = "\uFEFF";
/** What makes a spreadsheet take a text for a formula. */
const FORMULA_START = /^[\s]*[=+\-@＝＋－＠]|^[\t\r\n]/;

export function csvOf(entries: readonly Entry[]): string {
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
		movedCredits(entry),
		postedAfterCredits,
		heldAfterCredits,
		by,
		reason,
		entry.mediaType ?? "",
		entry.model ?? "",
		// With a word before it, because spreadsheets round numbers of that length.
		taskId === undefined ? "" : `task:${taskId}`,
	];
}

/** Numbers are ours and stay numbers; a text that begins like a formula gets an apostrophe, which spreadsheets show as text. */
function cellOf(cell: string | number): string {
	if (typeof cell === "number") return String(cell);
	const text = FORMULA_START.test(cell) ? `'${cell}` : cell;
	return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
