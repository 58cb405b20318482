import { AUDIT_RULES, type AuditFinding } from "@atelier/ledger/audit-account";
import { NO_LABELS, type Metrics } from "./metrics.ts";

/** The findings of the daily audit of the ledger, and when it ran. */
export function createAuditMetrics(metrics: Metrics): {
	readonly onFinding: (finding: Pick<AuditFinding, "rule">) => void;
	readonly onDone: (audited: { readonly accounts: number; readonly atMs: number }) => void;
} {
	const violations = metrics.counter(
		"atelier_ledger_invariant_violations_total",
		"Violations of ledger invariants that the audits of this process have found.",
		{ rule: AUDIT_RULES.map((rule) => rule.replaceAll(" ", "_")) },
	);
	let last: { readonly accounts: number; readonly atMs: number } | undefined;
	metrics.gauge("atelier_ledger_audited_accounts", "Accounts in the last audit of this process.", NO_LABELS, () => [
		{ labels: {}, value: last?.accounts },
	]);
	metrics.gauge("atelier_ledger_audit_timestamp_seconds", "End of the last audit of this process.", NO_LABELS, () => [
		{ labels: {}, value: last && last.atMs / 1000 },
	]);
	return {
		onFinding: ({ rule }) => violations.add({ rule: rule.replaceAll(" ", "_") }),
		onDone: (audited) => void (last = audited),
	};
}
