import { beforeAll, describe, expect, test } from "vitest";
import { formatHistoryCsv } from "../../../src/services/credits/credits-csv.ts";
import { readHistory } from "../../../src/services/credits/history.ts";
import { createPeriodSpending } from "../../../src/services/credits/period-spending.ts";
import { createLedger } from "@atelier/ledger/create-ledger";
import type { Entry, Ledger } from "@atelier/ledger/ledger";
import { openStore } from "@atelier/store/open-store";
import { createManualClock } from "@atelier/common/testing/manual-clock";

const ACCOUNT = "guild:1";
const open = async () => createLedger({ store: await openStore("memory:"), clock: createManualClock() });

/** A ledger with 450 grants by two members in turn: more than two pages of the journal. */
async function openWithGrants() {
	const ledger = await open();
	for (let n = 1; n <= 450; n++)
		await ledger.grant(ACCOUNT, `grant:${n}`, n, { by: `member:${n % 2}`, reason: "test" });
	return ledger;
}

describe("a page of the history", () => {
	let ledger: Ledger;
	beforeAll(async () => {
		ledger = await openWithGrants();
	});

	test.each([
		["is newest first", {}, [450, 449, 448], 448, false],
		["begins at the cursor of the page before", { beforeSeq: 448 }, [447, 446, 445], 445, false],
		["of one member has only that member's entries", { userId: "0" }, [450, 448, 446], 445, false],
		["with the last entries of a member is the last", { userId: "0", beforeSeq: 7 }, [6, 4, 2], undefined, false],
		["at the beginning of the journal is the last", { beforeSeq: 4 }, [3, 2, 1], undefined, false],
		["without a match searches a limited range", { userId: "7", scannedMax: 250 }, [], 201, true],
	])("%s", async (_rule, query, amounts, nextBeforeSeq, isTruncated) => {
		const { entries, ...page } = await readHistory(ledger, ACCOUNT, { entriesMax: 3, ...query });
		expect(entries.map(({ amountCredits }) => amountCredits)).toStrictEqual(amounts);
		expect(page).toStrictEqual({ nextBeforeSeq, isTruncated });
	});

	test("can omit entries without effect, such as reserved holds, or all but spending", async () => {
		const other = await open();
		const note = { by: "member:1", reason: "test" };
		await other.grant(ACCOUNT, "grant:1", 10, note);
		await other.reserve(ACCOUNT, "a", 4, note);
		await other.void(ACCOUNT, "a", note);
		await other.void(ACCOUNT, "never-reserved", note);
		const read = async (query: object) => {
			const { entries } = await readHistory(other, ACCOUNT, { entriesMax: 10, ...query });
			return entries.map(({ kind, amountCredits }) => `${kind} ${amountCredits}`);
		};
		expect(await read({ effectiveOnly: true })).toStrictEqual(["void 4", "grant 10"]);
		expect(await read({ spendingOnly: true })).toStrictEqual(["void 0", "void 4", "reserve 4"]);
	});
});

test("a period that was counted before is counted again from a short page on, then from full ones", async () => {
	const ledger = await open();
	const limits: number[] = [];
	const spending = createPeriodSpending({
		history: async (account, page) => {
			limits.push(page.limit);
			return await ledger.history(account, page);
		},
	});
	for (let n = 1; n <= 20; n++) {
		await ledger.grant(ACCOUNT, `grant:${n}`, n, { by: "operator", reason: "test" });
		if (n === 1 || n === 20) await spending.read(ACCOUNT, 0);
	}
	expect(limits).toStrictEqual([200, 8, 200]);
});

describe("a CSV export", () => {
	const amounts = { amountCredits: -5, postedAfterCredits: 10, heldAfterCredits: 0 };
	const origin = { atMs: Date.UTC(2026, 10, 20, 12), by: "operator", reason: "why" };
	const entry: Entry = { seq: 1, operationId: "grant:1", kind: "adjust", ...amounts, ...origin };

	test("begins with the mark of UTF-8 and the columns, and writes numbers as numbers, including negative ones", () => {
		expect(formatHistoryCsv([entry], undefined).split("\r\n").slice(0, 2)).toStrictEqual([
			"\uFEFFentry,time (UTC),what,amount,change,balance after,held after,member,reason,media type,model,task",
			"1,2026-11-20T12:00:00.000Z,adjust,-5,-5,10,0,operator,why,,,",
		]);
	});

	test.each([
		["void", "service.timedOut"],
		["post", "image"],
		["expire", "grant:monthly:2026-10"],
	] as const)("has no reason for the entry %s, whose reason is %s", (kind, reason) => {
		expect(formatHistoryCsv([{ ...entry, kind, reason }], undefined)).toContain("operator,,,,\r\n");
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
		expect(formatHistoryCsv([{ ...entry, reason }], undefined)).toContain(`operator,${cell},,,\r\n`);
	});
});
