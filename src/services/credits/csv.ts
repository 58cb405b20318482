/** Excel needs this mark to detect UTF-8. */
const BYTE_ORDER_MARK = "\uFEFF";
/** Texts that a spreadsheet would run as a formula. */
const FORMULA_START = /^[\s]*[=+\-@＝＋－＠]|^[\t\r\n]/;

type Cell = string | number;

export function formatCsv(rows: readonly (readonly Cell[])[]): string {
	return BYTE_ORDER_MARK + rows.map((row) => `${row.map(formatCell).join(",")}\r\n`).join("");
}

/** Escapes a cell. An apostrophe disarms a text that begins like a formula. */
function formatCell(cell: Cell): string {
	if (typeof cell === "number") return String(cell);
	const text = FORMULA_START.test(cell) ? `'${cell}` : cell;
	return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
