import { commandHint } from "../../config/command-hint.ts";
import type { Logger } from "pino";
import type { Clock } from "@atelier/common/clock";
import type { Store } from "@atelier/store/store";
import type { AuditFinding } from "@atelier/ledger/audit-account";
import type { Auditor } from "@atelier/ledger/audit-store";

/** The document of the last started audit. */
const START_KEY = "ledger-audit";
/** The document of the last complete audit. */
const RESULT_KEY = "ledger-audit-result";
/** Shorter than a day, so that an audit is due at each daily run. */
const INTERVAL_MS_MIN = 20 * 60 * 60 * 1000;
/** Pauses after this number of entries and accounts, so that a large audit does not slow down the store. */
const READS_PER_PAUSE = 20;
const PAUSE_MS = 5;
/** The CLI's `credits audit` shows all findings. */
const FINDINGS_LOGGED_MAX = 20;

interface DailyAuditDeps {
	readonly auditor: Pick<Auditor, "all">;
	readonly store: Store;
	readonly clock: Clock;
	readonly logger: Logger;
	/** Ends the audit without a result. */
	readonly stopping: AbortSignal;
	readonly onFinding: (finding: AuditFinding) => void;
}

/** The result of a complete audit. */
export interface AuditResult {
	readonly atMs: number;
	readonly accounts: number;
	readonly findings: number;
}

/** Resolves to the last complete audit by any process; `undefined` before the first. */
export async function readLastAudit(store: Pick<Store, "get">): Promise<AuditResult | undefined> {
	return (await store.get<AuditResult>(RESULT_KEY))?.value;
}

/**
 * Audits every account at most once in 20 hours. The first process claims the audit in the store; if it crashes, the
 * next audit is due 20 hours later.
 */
export async function runDailyAudit(deps: DailyAuditDeps): Promise<void> {
	const { auditor, store, clock, logger, stopping } = deps;
	const lastStart = await store.get<{ atMs: number }>(START_KEY);
	const elapsedMs = clock.nowMs() - (lastStart?.value.atMs ?? 0);
	// A clock that was set back does not delay the audit.
	if (elapsedMs >= 0 && elapsedMs < INTERVAL_MS_MIN) return;
	if ((await store.compareAndSet(START_KEY, lastStart?.raw, { atMs: clock.nowMs() })) === undefined) return;
	let accountCount = 0;
	let findingCount = 0;
	let readsUntilPause = READS_PER_PAUSE;
	for await (const { entryCount, findings } of auditor.all()) {
		accountCount++;
		for (const finding of findings) {
			deps.onFinding(finding);
			if (findingCount++ < FINDINGS_LOGGED_MAX) logger.error(finding, "ledger invariant violated");
		}
		readsUntilPause -= 1 + entryCount;
		if (readsUntilPause <= 0) {
			readsUntilPause = READS_PER_PAUSE;
			await clock.sleep(PAUSE_MS, stopping).catch(() => {});
		}
		if (stopping.aborted) return;
	}
	const result: AuditResult = { atMs: clock.nowMs(), accounts: accountCount, findings: findingCount };
	await store.set(RESULT_KEY, result);
	if (findingCount > 0)
		logger.error(
			{ accounts: accountCount, found: findingCount },
			`ledger audited: ${commandHint("credits audit")} shows every difference`,
		);
	else logger.info({ accounts: accountCount }, "ledger audited");
}
