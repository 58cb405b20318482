import { AUDIT_RULES, type AuditFinding } from "@atelier/ledger/audit-account";
import type { AuditResult } from "../services/credits/daily-audit.ts";
import { secondsOf, type Metrics } from "./metrics.ts";

interface AuditMetricsDeps {
	readonly metrics: Metrics;
	readonly readLastAudit: () => Promise<AuditResult | undefined>;
}

/** Shows the last audit of the ledger. Returns the counter of findings. */
export function createAuditMetrics({ metrics, readLastAudit }: AuditMetricsDeps): {
	readonly onFinding: (finding: Pick<AuditFinding, "rule">) => void;
} {
	const violations = metrics.counter(
		"atelier_ledger_invariant_violations_total",
		"Violations of ledger invariants that the audits of this process have found.",
		{ rule: AUDIT_RULES.map(labelOf) },
	);
	metrics.value(
		"atelier_ledger_audited_accounts",
		"Accounts in the last audit by any process.",
		async () => (await readLastAudit())?.accounts,
	);
	metrics.value("atelier_ledger_audit_timestamp_seconds", "End of the last audit by any process.", async () =>
		secondsOf((await readLastAudit())?.atMs),
	);
	return { onFinding: ({ rule }) => violations.add({ rule: labelOf(rule) }) };
}

function labelOf(rule: AuditFinding["rule"]): string {
	return rule.replaceAll(" ", "_");
}
