/** Reports of results, by the same service as the buttons in the moderators' channel. */
import { messageLink } from "../../../i18n/message-param-values.ts";
import type { Report } from "@atelier/dashboard/schemas/reports";
import { REPORT_ACTIONS, type ReportAction } from "@atelier/dashboard/schemas/reports";
import {
	isActionDone,
	isDeletable,
	isReportOpen,
	type ReportedResult,
} from "../../../services/moderation/report-store.ts";
import { isRefundable } from "../../../services/tasks/refund-task.ts";
import { undefinedIfCorrupt } from "../../../services/read-document.ts";
import type { Handlers, Caller } from "../api-request.ts";
import type { DashboardServices } from "../dashboard-services.ts";

const PAGE_REPORTS = 25;

export const reportHandlers = {
	async reports({ params: { server }, query: { state, before }, caller }, services) {
		const query = { state, beforeMs: before, reportsMax: PAGE_REPORTS };
		const { reports, nextBeforeMs } = await services.reportStore.list(server, query);
		const items = await Promise.all(reports.map((each) => reportOf(each, caller, services)));
		return { items, next: nextBeforeMs ?? null };
	},

	async actOnReport({ params: { server, job }, body: { action }, caller }, services) {
		const moderator = moderatorOf(server, caller);
		const { reported, isChannelUpdated } = await services.reportActions.act(moderator, job, action, caller.logger);
		return { ...(await reportOf(reported, caller, services)), isChannelUpdated };
	},
} satisfies Partial<Handlers>;

function moderatorOf(guildId: string, { userId, permissions: { isModerator, isManager } }: Caller) {
	return { guildId, userId, isModerator, isManager, via: "dashboard" as const };
}

async function reportOf(
	reported: ReportedResult,
	caller: Caller,
	services: Pick<DashboardServices, "mayManagersGrant" | "taskStore">,
): Promise<Report> {
	const { taskId, guildId, userId, channelId, messageId, mediaType, modelName, prompt, chargedCredits } = reported;
	const mayRefund = await mayRefundResult(reported, caller, services);
	const isShown = messageId !== null && reported.done.delete === undefined;
	return {
		taskId,
		userId,
		mediaType,
		model: modelName,
		prompt,
		credits: chargedCredits,
		url: isShown ? messageLink(guildId, channelId, messageId) : null,
		isOpen: isReportOpen(reported),
		reports: Object.entries(reported.reports)
			.flatMap(([reporterId, { reason, atMs, posted }]) => (posted ? [{ userId: reporterId, reason, atMs }] : []))
			.toSorted((one, other) => other.atMs - one.atMs),
		done: REPORT_ACTIONS.flatMap((action) => {
			const mark = reported.done[action];
			return mark ? [{ action, ...mark }] : [];
		}).toSorted((one, other) => other.atMs - one.atMs),
		actions: REPORT_ACTIONS.filter((action) => mayAct(reported, action, caller.userId, mayRefund)),
	};
}

function mayAct(reported: ReportedResult, action: ReportAction, callerId: string, mayRefund: boolean): boolean {
	const isPossible = {
		delete: isDeletable(reported),
		block: reported.userId !== callerId,
		refund: mayRefund,
		dismiss: isReportOpen(reported),
	};
	return isPossible[action] && !isActionDone(reported, action);
}

/** A task that was removed or is damaged does not tell whether it was refunded. */
async function mayRefundResult(
	{ taskId, chargedCredits }: ReportedResult,
	{ permissions }: Caller,
	{ mayManagersGrant, taskStore }: Pick<DashboardServices, "mayManagersGrant" | "taskStore">,
): Promise<boolean> {
	if (!permissions.isManager || !mayManagersGrant || chargedCredits === 0) return false;
	const loaded = await taskStore.load(taskId).catch(undefinedIfCorrupt);
	return loaded === undefined || isRefundable(loaded.task);
}
