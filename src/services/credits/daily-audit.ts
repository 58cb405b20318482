import { commandHint } from "../../config/command-hint.ts";
import type { Logger } from "pino";
import type { Clock } from "@atelier/common/clock";
import type { Store } from "@atelier/store/store";
import type { Finding } from "@atelier/ledger/audit";
import type { Auditor } from "@atelier/ledger/auditor";

const KEY = "ledger-audit";
/** A little less than a day, so that who comes daily is never a moment too early. */
const NOT_AGAIN_FOR_MS = 20 * 60 * 60 * 1000;
/** Between two accounts, so that a store with a hundred thousand of them is not kept from its work. */
const PAUSE_MS = 5;
/** The command shows all of them. */
const FINDINGS_LOGGED_MAX = 20;

interface DailyAuditDeps {
	readonly auditor: Pick<Auditor, "all">;
	readonly store: Store;
	readonly clock: Clock;
	readonly logger: Logger;
	readonly stopping: AbortSignal;
	readonly onFinding: (finding: Finding) => void;
	readonly onDone: (audited: { readonly accounts: number; readonly atMs: number }) => void;
}

/**
 * Audits every account, slowly, at most once in twenty hours and by one of the processes on a store: whoever comes first
 * writes down that it does. One that dies over it has audited nothing on that day.
 */
export async function auditOnceADay(deps: DailyAuditDeps): Promise<void> {
	const { auditor, store, clock, logger, stopping } = deps;
	const before = await store.get<{ atMs: number }>(KEY);
	const sinceMs = clock.nowMs() - (before?.value.atMs ?? 0);
	// A clock that was set back puts off nothing.
	if (sinceMs >= 0 && sinceMs < NOT_AGAIN_FOR_MS) return;
	if ((await store.compareAndSet(KEY, before?.raw, { atMs: clock.nowMs() })) === undefined) return;
	let accounts = 0;
	let found = 0;
	for await (const { findings } of auditor.all()) {
		accounts++;
		for (const finding of findings) {
			deps.onFinding(finding);
			if (found++ < FINDINGS_LOGGED_MAX) logger.error(finding, "the books do not add up");
		}
		await clock.sleep(PAUSE_MS, stopping).catch(() => {});
		if (stopping.aborted) return;
	}
	deps.onDone({ accounts, atMs: clock.nowMs() });
	if (found > 0)
		logger.error({ accounts, found }, `audited: ${commandHint("credits audit")} shows everything that differs`);
	else logger.info({ accounts }, "audited: the books add up");
}
