import { createAuditor } from "@atelier/ledger/audit-store";
import { startDaily, type DailyWork } from "@atelier/common/periodic-work";
import { LEFT_BEHIND_MS } from "@atelier/media-files/temp-dir";
import { createAuditMetrics } from "../metrics/audit-metrics.ts";
import { readLastAudit, runDailyAudit } from "../services/credits/daily-audit.ts";
import { STAGED_LIFE_MS } from "../services/delivery/result-store.ts";
import { removeOldTasks } from "../services/tasks/remove-tasks.ts";
import { createHoldTaskLookup } from "../services/tasks/task-store.ts";
import type { BotContext } from "./app-context.ts";
import type { Services } from "./create-services.ts";

const DAY_MS = 24 * 60 * 60 * 1000;
/** The audit reads the whole ledger: it waits until the start and the removal of old tasks are over. */
const FIRST_AUDIT_AFTER_MS = 15 * 60_000;

/** Starts the work that the bot does once a day, until shutdown. */
export function startDailyWork(context: BotContext, services: Services): void {
	const { config, store, clock, logger, metrics, stopping, disposables } = context;
	const { taskStore, removeTask, drafts, results, tempDir } = services;
	const retentionMs = config.TASK_RETENTION_DAYS * DAY_MS;
	const auditor = createAuditor({ store, holdTaskState: createHoldTaskLookup(taskStore) });
	const auditDeps = {
		auditor,
		store,
		clock,
		logger,
		stopping,
		...createAuditMetrics({ metrics, clock, readLastAudit: () => readLastAudit(store) }),
	};
	const dailyWork: readonly DailyWork[] = [
		{
			name: "remove old tasks",
			work: () => removeOldTasks({ taskStore, removeTask, clock, logger, retentionMs, stopping }),
		},
		{ name: "remove old drafts", work: () => drafts.removeOld(logger) },
		{ name: "audit the ledger", work: () => runDailyAudit(auditDeps), firstAfterMs: FIRST_AUDIT_AFTER_MS },
		{ name: "prune results", work: () => results.prune(), firstAfterMs: STAGED_LIFE_MS },
		{ name: "prune temporary files", work: () => tempDir.prune(), firstAfterMs: LEFT_BEHIND_MS },
	];
	for (const work of dailyWork) disposables.defer(startDaily({ ...work, clock, logger }));
}
