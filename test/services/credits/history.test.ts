import { describe, expect, test } from "vitest";
import { formatHistoryCsv } from "../../../src/services/credits/credits-csv.ts";
import { readHistory } from "../../../src/services/credits/history.ts";
import { createLedger } from "@atelier/ledger/create-ledger";
import type { Entry } from "@atelier/ledger/ledger";
import { openStore } from "@atelier/store/open-store";
import { createManualClock } from "@atelier/common/testing/manual-clock";

const ACCOUNT = "guild:1";

/** 450 grants by two members in turn: more than two pages of the journal. */
async function setup() {
	const ledger = createLedger({ store: await openStore("memory:"), clock: createManualClock() });
	for (let n = 1; n <= 450; n++) {
		await ledger.grant(ACCOUNT, `grant:${n}`, n, { by: `member:${n % 2}`, reason: "test" });
	}
	return ledger;
}
const amounts = (entries: readonly Entry[]): number[] => entries.map(({ amountCredits }) => amountCredits);

describe("a page of the history", () => {
	test.each([
		["is newest first", {}, [450, 449, 448], 448],
		["begins at the cursor of the page before", { beforeSeq: 448 }, [447, 446, 445], 445],
		["of one member has only that member's entries", { userId: "0" }, [450, 448, 446], 445],
		["with the last entries of a member has no next page", { userId: "0", beforeSeq: 7 }, [6, 4, 2], undefined],
		["at the beginning of the journal has no next page", { beforeSeq: 4 }, [3, 2, 1], undefined],
	])("%s", async (_rule, query, expected, nextBeforeSeq) => {
		const page = await readHistory(await setup(), ACCOUNT, { entriesMax: 3, ...query });
		expect({ ...page, entries: amounts(page.entries) }).toStrictEqual({
			entries: expected,
			nextBeforeSeq,
			isTruncated: false,
		});
	});

	test("of a member without entries searches a limited range, and reports it", async () => {
		const page = await readHistory(await setup(), ACCOUNT, { entriesMax: 3, userId: "7", scannedMax: 250 });
		expect(page).toStrictEqual({ entries: [], nextBeforeSeq: 201, isTruncated: true });
	});

	test("with effective entries only, omits reserved holds, and voids that returned nothing", async () => {
		const ledger = createLedger({ store: await openStore("memory:"), clock: createManualClock() });
		const note = { by: "member:1", reason: "test" };
		await ledger.grant(ACCOUNT, "grant:1", 10, note);
		await ledger.reserve(ACCOUNT, "a", 4, note);
		await ledger.void(ACCOUNT, "a", note);
		await ledger.void(ACCOUNT, "never-reserved", note);
		const { entries } = await readHistory(ledger, ACCOUNT, { entriesMax: 10, effectiveOnly: true });
		expect(entries.map(({ kind, amountCredits }) => [kind, amountCredits])).toStrictEqual([
			["void", 4],
			["grant", 10],
		]);
	});
});

describe("a CSV export", () => {
	const entry: Entry = {
		seq: 1,
		operationId: "grant:1",
		kind: "adjust",
		amountCredits: -5,
		postedAfterCredits: 10,
		heldAfterCredits: 0,
		atMs: Date.UTC(2026, 10, 20, 12),
		by: "operator",
		reason: "why",
	};
	const reasonCell = (reason: string): string =>
		/operator,(.*),,,\r\n$/s.exec(formatHistoryCsv([{ ...entry, reason }], undefined))?.[1] ?? "no such row";

	test("begins with the mark of UTF-8 and the columns, and writes numbers as numbers, including negative ones", () => {
		expect(formatHistoryCsv([entry], undefined).split("\r\n").slice(0, 2)).toStrictEqual([
			"\uFEFFentry,time (UTC),what,amount,change,balance after,held after,member,reason,media type,model,task",
			"1,2026-11-20T12:00:00.000Z,adjust,-5,-5,10,0,operator,why,,,",
		]);
	});

	test.each([
		["=1+1", "'=1+1"],
		["@SUM(A1)", "'@SUM(A1)"],
		["\t=1", "'\t=1"],
		["＝1", "'＝1"],
		["a, b", '"a, b"'],
		['say "hi"', '"say ""hi"""'],
		["5 = five", "5 = five"],
	])("writes %j as %j", (reason, cell) => {
		expect(reasonCell(reason)).toBe(cell);
	});
});
