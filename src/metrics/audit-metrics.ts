import { AUDIT_RULES, type AuditFinding } from "@atelier/ledger/audit-account";
import type { Clock } from "@atelier/common/clock";
import { waitAtMost } from "@atelier/common/wait-at-most";
import type { AuditResult } from "../services/credits/daily-audit.ts";
import { secondsOf, type Metrics } from "./metrics.ts";

/** A scrape does not wait longer for a store that hangs. */
const READ_MS_MAX = 1_000;

interface AuditMetricsDeps {
	readonly metrics: Metrics;
	readonly clock: Clock;
	readonly readLastAudit: () => Promise<AuditResult | undefined>;
}

/** Shows the last audit of the ledger. Returns the counter of findings. */
export function createAuditMetrics({ metrics, clock, readLastAudit }: AuditMetricsDeps): {
	readonly onFinding: (finding: Pick<AuditFinding, "rule">) => void;
} {
	const violations = metrics.counter(
		"atelier_ledger_invariant_violations_total",
		"Violations of ledger invariants that the audits of this process have found.",
		{ rule: AUDIT_RULES.map(labelOf) },
	);
	let last: AuditResult | undefined;
	/** Returns the previous result if the store does not respond. */
	async function lastAudit(): Promise<AuditResult | undefined> {
		last = (await waitAtMost(clock, READ_MS_MAX, readLastAudit()).catch(() => undefined)) ?? last;
		return last;
	}
	metrics.value(
		"atelier_ledger_audited_accounts",
		"Accounts in the last audit by any process.",
		async () => (await lastAudit())?.accounts,
	);
	metrics.value("atelier_ledger_audit_timestamp_seconds", "End of the last audit by any process.", async () =>
		secondsOf((await lastAudit())?.atMs),
	);
	return { onFinding: ({ rule }) => violations.add({ rule: labelOf(rule) }) };
}

function labelOf(rule: AuditFinding["rule"]): string {
	return rule.replaceAll(" ", "_");
}
