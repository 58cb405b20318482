import { pino } from "pino";
import { expect, test } from "vitest";
import { createAuditMetrics } from "../../../src/metrics/audit-metrics.ts";
import { createMetrics } from "../../../src/metrics/metrics.ts";
import { createAuditor } from "@atelier/ledger/audit-store";
import { readLastAudit, runDailyAudit } from "../../../src/services/credits/daily-audit.ts";
import { createLedger } from "@atelier/ledger/create-ledger";
import { openMemoryStore } from "@atelier/store/testing/memory-store";
import { createManualClock } from "@atelier/common/testing/manual-clock";

const ACCOUNTS = 3;

async function setup(store = openMemoryStore()) {
	const clock = createManualClock();
	const ledger = createLedger({ store, clock });
	for (let n = 1; n <= ACCOUNTS; n++)
		await ledger.grant(`guild:${n}`, "grant:1", 10, { by: "operator", reason: "a test" });
	const lines: string[] = [];
	const logger = pino({}, { write: (line) => void lines.push((JSON.parse(line) as { msg: string }).msg) });
	const metrics = createMetrics({ logger });
	const stopping = new AbortController().signal;
	const auditMetrics = createAuditMetrics({ metrics, clock, readLastAudit: () => readLastAudit(store) });
	const deps = { store, clock, logger, stopping, auditor: createAuditor({ store }), ...auditMetrics };
	async function audit(): Promise<void> {
		const auditing = runDailyAudit(deps);
		for (let n = 0; n < ACCOUNTS + 1; n++) await clock.advance(5);
		await auditing;
	}
	return { clock, store, lines, metrics, audit };
}

test("correct accounts are audited once a day, with a log entry", async () => {
	const { clock, lines, audit } = await setup();
	await audit();
	await audit();
	expect(lines).toStrictEqual(["ledger audited"]);
	await clock.advance(24 * 60 * 60_000);
	await audit();
	expect(lines).toHaveLength(2);
});

test("every process shows the last audit, also one that has started since", async () => {
	const { store, audit } = await setup();
	await audit();
	const scrape = await (await setup(store)).metrics.scrape();
	expect(scrape).toContain("atelier_ledger_audited_accounts 3\n");
	expect(scrape).toMatch(/^atelier_ledger_audit_timestamp_seconds \d/m);
});

test("a scrape waits a second for a store that hangs, and shows the audit that was read before", async () => {
	const { clock, store, metrics, audit } = await setup();
	await audit();
	await metrics.scrape();
	store.get = async () => await new Promise(() => {});
	const scraping = metrics.scrape();
	await clock.advance(1_000);
	expect(await scraping).toContain("atelier_ledger_audited_accounts 3\n");
});

test("a violation is logged, and counted by its rule", async () => {
	const { store, lines, metrics, audit } = await setup();
	// The balance differs from the account's journal.
	const stored = await store.get<object>("account:guild:2");
	await store.set("account:guild:2", { ...stored?.value, postedCredits: 11 });
	await audit();
	const scrape = await metrics.scrape();
	expect(scrape).toContain('atelier_ledger_invariant_violations_total{rule="posted"} 1');
	expect(scrape).toContain('atelier_ledger_invariant_violations_total{rule="held"} 0');
	expect(lines[0]).toBe("ledger invariant violated");
	expect(lines.at(-1)).toContain("npx atelier credits audit");
});
