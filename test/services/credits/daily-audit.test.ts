import { pino } from "pino";
import { expect, onTestFinished, test } from "vitest";
import { createAuditMetrics } from "../../../src/metrics/audit-metrics.ts";
import { createMetrics } from "../../../src/metrics/metrics.ts";
import { createAuditor } from "@atelier/ledger/audit-store";
import { runDailyAudit } from "../../../src/services/credits/daily-audit.ts";
import { createLedger } from "@atelier/ledger/create-ledger";
import { openStore } from "@atelier/store/open-store";
import { createManualClock } from "@atelier/common/testing/manual-clock";

const DAY_MS = 24 * 60 * 60 * 1000;
const ACCOUNTS = 3;
const note = { by: "operator", reason: "a test" };

async function setup() {
	const clock = createManualClock();
	const store = await openStore("memory:");
	onTestFinished(() => store.close());
	const ledger = createLedger({ store, clock });
	for (let n = 1; n <= ACCOUNTS; n++) await ledger.grant(`guild:${n}`, "grant:1", 10, note);
	const lines: string[] = [];
	const logger = pino({}, { write: (line) => void lines.push((JSON.parse(line) as { msg: string }).msg) });
	const metrics = createMetrics({ logger });
	const stopping = new AbortController();
	const deps = {
		store,
		clock,
		logger,
		stopping: stopping.signal,
		auditor: createAuditor({ store }),
		...createAuditMetrics(metrics),
	};
	const audit = async (): Promise<void> => {
		const auditing = runDailyAudit(deps);
		for (let n = 0; n < ACCOUNTS + 1; n++) await clock.advance(5);
		await auditing;
	};
	/** Changes the balance of one account, so that it differs from the account's journal. */
	const falsifyBalance = async (): Promise<void> => {
		const stored = await store.get<{ postedCredits: number }>("account:guild:2");
		await store.set("account:guild:2", { ...stored?.value, postedCredits: 11 });
	};
	return { clock, store, lines, metrics, stopping, audit, falsifyBalance };
}

test("correct accounts are audited once a day, with a log entry", async () => {
	const { clock, lines, metrics, audit } = await setup();
	await audit();
	await audit();
	expect(lines).toStrictEqual(["ledger audited"]);
	expect(await metrics.scrape()).toContain("atelier_ledger_audited_accounts 3\n");
	await clock.advance(DAY_MS);
	await audit();
	expect(lines).toHaveLength(2);
});

test("a violation is logged, and counted by its rule", async () => {
	const { lines, metrics, audit, falsifyBalance } = await setup();
	await falsifyBalance();
	await audit();
	const scrape = await metrics.scrape();
	expect(scrape).toContain('atelier_ledger_invariant_violations_total{rule="posted"} 1');
	expect(scrape).toContain('atelier_ledger_invariant_violations_total{rule="held"} 0');
	expect(lines[0]).toBe("ledger invariant violated");
	expect(lines.at(-1)).toContain("npx atelier credits audit");
});
