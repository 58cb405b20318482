import type { Clock } from "@atelier/common/clock";
import { t } from "../../i18n/messages.ts";
import { undefinedIfCorrupt } from "../read-document.ts";
import type { GuildLanguages } from "../settings/guild-languages.ts";
import type { SettingsStore } from "../settings/settings-store.ts";
import { UserError } from "../user-error.ts";
import type { CreditService } from "../credits/credit-service.ts";
import type { GuildAccounts } from "../credits/guild-accounts.ts";
import { changeTask } from "./change-task.ts";
import { isDeliveredResult } from "./delivered-result.ts";
import type { Task } from "./task.ts";
import type { TaskStore } from "./task-store.ts";

interface Refund {
	readonly guildId: string;
	readonly taskId: string;
	/** `member:ID` or `key:NAME`. */
	readonly by: string;
	/** The charged credits as a report has them, for a task that was removed or is damaged. */
	readonly reportedCredits?: number;
}

/**
 * Refunds the credits of a task to its server, and records that in the task. Throws a `UserError` for a task without a charge. A
 * task that was refunded before stays as it is. The operation id contains the task id, so that a concurrent refund moves no credits.
 */
export type RefundTask = (
	refund: Refund,
) => Promise<{ readonly amountCredits: number; readonly refundedBeforeAtMs: number | undefined }>;

/** Returns whether credits were charged for a task and have not been refunded. */
export function isRefundable(task: Task): boolean {
	return isDeliveredResult(task) && task.chargedCredits > 0 && task.refundedAtMs === undefined;
}

export function createRefundTask({
	accounts,
	creditService,
	taskStore,
	settings,
	languages,
	clock,
}: {
	readonly accounts: Pick<GuildAccounts, "grantMonthlyCredits">;
	readonly creditService: Pick<CreditService, "grant">;
	readonly taskStore: Pick<TaskStore, "load" | "move">;
	readonly settings: Pick<SettingsStore, "read">;
	readonly languages: Pick<GuildLanguages, "localeOf">;
	readonly clock: Clock;
}): RefundTask {
	return async ({ guildId, taskId, by, reportedCredits }) => {
		const task = (await taskStore.load(taskId).catch(undefinedIfCorrupt))?.task;
		if (task ? task.guildId !== guildId : reportedCredits === undefined) throw new UserError({ key: "job.notFound" });
		const result = task && isDeliveredResult(task) ? task : undefined;
		const amountCredits = (task ? result?.chargedCredits : reportedCredits) ?? 0;
		if (amountCredits === 0) throw new UserError({ key: "report.nothingCharged" });
		const refundedBeforeAtMs = result?.refundedAtMs;
		if (refundedBeforeAtMs !== undefined) return { amountCredits, refundedBeforeAtMs };
		await accounts.grantMonthlyCredits(guildId);
		const locale = await languages.localeOf(guildId, await settings.read(guildId));
		const reason = t(locale, { key: "report.refundReason", params: { taskId } });
		await creditService.grant({ guildId, operationId: `refund:${taskId}`, amountCredits, by, reason });
		// A damaged task does not record the refund, which stays on offer; a repeat moves no credits.
		await changeTask(taskStore, taskId, (before) =>
			isDeliveredResult(before) ? { ...before, refundedAtMs: clock.nowMs() } : undefined,
		).catch(undefinedIfCorrupt);
		return { amountCredits, refundedBeforeAtMs };
	};
}
