import { AUDIT_RULES, type AuditFinding } from "@atelier/ledger/audit-account";
import type { Metrics } from "./metrics.ts";

interface AuditRun {
	readonly accounts: number;
	readonly atMs: number;
}

/** Counts the findings of the daily audit of the ledger, and shows the last audit. */
export function createAuditMetrics(metrics: Metrics): {
	readonly onFinding: (finding: Pick<AuditFinding, "rule">) => void;
	readonly onDone: (audit: AuditRun) => void;
} {
	const violations = metrics.counter(
		"atelier_ledger_invariant_violations_total",
		"Violations of ledger invariants that the audits of this process have found.",
		{ rule: AUDIT_RULES.map(labelOf) },
	);
	let last: AuditRun | undefined;
	metrics.value("atelier_ledger_audited_accounts", "Accounts in the last audit of this process.", () => last?.accounts);
	metrics.value(
		"atelier_ledger_audit_timestamp_seconds",
		"End of the last audit of this process.",
		() => last && last.atMs / 1000,
	);
	return {
		onFinding: ({ rule }) => violations.add({ rule: labelOf(rule) }),
		onDone(audit) {
			last = audit;
		},
	};
}

function labelOf(rule: AuditFinding["rule"]): string {
	return rule.replaceAll(" ", "_");
}
