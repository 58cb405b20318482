/** Formats journal entries as CSV for spreadsheets. */
import type { Entry } from "@atelier/ledger/ledger";
import { formatCsv } from "./csv.ts";
import { signedCredits } from "./history.ts";

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
