import type { Actor, Member } from "../access/member.ts";
import type { Logger } from "pino";
import type { Clock } from "@atelier/common/clock";
import type { ResultStore } from "../delivery/result-store.ts";
import { t } from "../../i18n/messages.ts";
import { plainLine, PROMPT_CHARS_SHOWN } from "../../i18n/quote.ts";
import type { ResultDeletion } from "../gallery/result-deletion.ts";
import type { ResultMessages } from "../gallery/result-messages.ts";
import { isTaskId, type Task } from "../tasks/task.ts";
import { deliveredMessageIdOf } from "../tasks/delivered-result.ts";
import type { TaskStore } from "../tasks/task-store.ts";
import { UserError } from "../user-error.ts";
import { blockMember } from "../settings/change-moderation.ts";
import { memberAuthor, type Surface } from "../access/change-author.ts";
import type { RefundTask } from "../credits/refunds.ts";
import type { GuildLanguages } from "../settings/guild-languages.ts";
import { REPORT_REASON_CHARS_MAX } from "@atelier/dashboard/limits";
import type { GuildSettingsStore } from "../settings/guild-settings.ts";
import {
	isActionDone,
	REPORTERS_MAX,
	type PostedReport,
	type ReportAction,
	type ReportedResult,
	type ReportedResults,
} from "./reported-results.ts";
import { listReports, type ReportPage, type ReportQuery } from "./report-list.ts";

/** Posts reports in the moderators' channel of a server. */
export interface ModeratorsChannel {
	/**
	 * Posts a report with its buttons. Resolves to `undefined` without permission. A repeated post of a report within minutes
	 * creates no second message.
	 */
	post(
		channelId: string,
		reported: ReportedResult,
		reporterId: string,
		locale: string,
	): Promise<PostedReport | undefined>;
	/** Shows the present state in the message of a report. Resolves to `false` without permission, and to `true` for a deleted message. */
	update(posted: PostedReport, reported: ReportedResult, reporterId: string, locale: string): Promise<boolean>;
}

interface Moderator extends Actor {
	/** Managers may move credits. */
	readonly isManager: boolean;
	/** The surface on which the moderator acts. */
	readonly via: Surface;
}

/** Lets members report results, and moderators act on reports. Throws denials. */
export interface ReportService {
	/** Throws the denial that `report` would throw, before the member writes a report. */
	requireReportable(reporter: Member, taskId: string): Promise<void>;
	report(reporter: Member, taskId: string, reason: string, logger: Logger): Promise<void>;
	/** Lists reported results, the last report first. */
	list(moderator: Moderator, query: ReportQuery): Promise<ReportPage>;
	/**
	 * Performs an action once, and shows it in the messages of all reports of the result. A repeat after a crash changes
	 * nothing else. `pressedReporterId`: the report whose message the caller updates, because its button was pressed.
	 */
	act(
		moderator: Moderator,
		taskId: string,
		action: ReportAction,
		logger: Logger,
		pressedReporterId?: string,
	): Promise<ActedReport>;
}

interface ActedReport {
	readonly reported: ReportedResult;
	/** False if the action was performed, but a message in the moderators' channel does not show it. */
	readonly isChannelUpdated: boolean;
}

interface ReportServiceDeps {
	readonly taskStore: Pick<TaskStore, "load">;
	readonly results: Pick<ResultStore, "remove">;
	readonly reported: ReportedResults;
	readonly settings: GuildSettingsStore;
	readonly refundTask: RefundTask;
	readonly channel: ModeratorsChannel;
	readonly messages: Pick<ResultMessages, "delete">;
	readonly resultDeletion: Pick<ResultDeletion, "unlist">;
	readonly languages: Pick<GuildLanguages, "localeOf">;
	readonly clock: Clock;
}

export function createReportService(deps: ReportServiceDeps): ReportService {
	const { taskStore, results, reported, settings, refundTask, channel, messages, resultDeletion, languages, clock } =
		deps;

	async function reportChannelOf(guildId: string): Promise<string> {
		const { reportChannelId } = await settings.read(guildId);
		if (reportChannelId === null) throw new UserError({ key: "report.off" });
		return reportChannelId;
	}

	async function localeOf(guildId: string): Promise<string> {
		return await languages.localeOf(guildId, await settings.read(guildId));
	}

	/** Reads the result from an earlier report, or from its task. */
	async function findReported({ guildId, userId }: Member, taskId: string): Promise<ReportedResult> {
		const stored = isTaskId(taskId) ? await reported.read(guildId, taskId) : undefined;
		if (stored) return stored;
		const loaded = isTaskId(taskId) ? await taskStore.load(taskId) : undefined;
		if (!loaded || loaded.task.guildId !== guildId) throw new UserError({ key: "job.notFound" });
		// A forged id must not show another member's private result to moderators.
		if (loaded.task.reply.isEphemeral && loaded.task.userId !== userId) throw new UserError({ key: "job.notFound" });
		return reportedResultOf(loaded.task);
	}

	async function performAction(
		reportedResult: ReportedResult,
		action: ReportAction,
		{ userId, via }: Moderator,
		logger: Logger,
	): Promise<void> {
		const { taskId, guildId, channelId, messageId, chargedCredits } = reportedResult;
		switch (action) {
			case "delete":
				if (messageId === null) throw new UserError({ key: "report.nothingToDelete" });
				if (!(await messages.delete(channelId, messageId))) {
					throw new UserError({ key: "report.deleteForbidden", params: { channelId } });
				}
				// Removes the files, so that the result cannot be fetched again.
				await results.remove(taskId);
				await resultDeletion.unlist(guildId, taskId, logger);
				return;
			case "block": {
				const reason = plainLine(t(await localeOf(guildId), { key: "report.blockReason" }), REPORT_REASON_CHARS_MAX);
				const block = { reason, byUserId: userId, atMs: clock.nowMs(), untilMs: null };
				await settings.change(
					guildId,
					(before) => blockMember(before, reportedResult.userId, block),
					memberAuthor(userId, via),
				);
				return;
			}
			case "refund": {
				if (chargedCredits === 0) throw new UserError({ key: "report.nothingCharged" });
				const reason = t(await localeOf(guildId), { key: "report.refundReason", params: { taskId } });
				await refundTask({ guildId, taskId, amountCredits: chargedCredits, by: memberAuthor(userId, via).by, reason });
				return;
			}
			case "dismiss":
				// Changes nothing: the mark records the moderator and the time.
				return;
		}
	}

	async function actOnce(
		found: ReportedResult,
		action: ReportAction,
		moderator: Moderator,
		logger: Logger,
	): Promise<ReportedResult> {
		const { guildId, taskId } = found;
		const { userId } = moderator;
		await performAction(found, action, moderator, logger);
		logger.info({ taskId, action, moderatorId: userId }, "report acted on");
		const mark = { byUserId: userId, atMs: clock.nowMs() };
		return await reported.change(
			guildId,
			taskId,
			() => found,
			(before) => ({
				...before,
				done: { ...before.done, [action]: isActionDone(before, action) ? before.done[action] : mark },
			}),
		);
	}

	async function updateMessage(
		acted: ReportedResult,
		reporterId: string,
		posted: PostedReport | undefined,
		logger: Logger,
	): Promise<boolean> {
		const { guildId, taskId } = acted;
		try {
			const isUpdated =
				posted !== undefined && (await channel.update(posted, acted, reporterId, await localeOf(guildId)));
			if (!isUpdated) logger.warn({ taskId, reporterId }, "message of report not updated");
			return isUpdated;
		} catch (error) {
			// The action has been performed, and must not be reported as failed.
			logger.warn({ err: error, taskId, reporterId }, "message of report not updated");
			return false;
		}
	}

	async function updateMessages(
		acted: ReportedResult,
		exceptReporterId: string | undefined,
		logger: Logger,
	): Promise<boolean> {
		const stale = Object.entries(acted.reports).filter(([id, { isPosted }]) => isPosted && id !== exceptReporterId);
		const updated = await Promise.all(stale.map(([id, { posted }]) => updateMessage(acted, id, posted, logger)));
		return updated.every(Boolean);
	}

	return {
		async requireReportable(reporter, taskId) {
			await reportChannelOf(reporter.guildId);
			const { reports } = await findReported(reporter, taskId);
			requireNotReportedBy(reports, reporter.userId);
		},
		async report(reporter, taskId, reason, logger) {
			const { guildId, userId } = reporter;
			const channelId = await reportChannelOf(guildId);
			const found = await findReported(reporter, taskId);
			const text = plainLine(reason, REPORT_REASON_CHARS_MAX);
			if (text === "") throw new UserError({ key: "report.empty" });
			const atMs = clock.nowMs();
			const withReport = (posted?: PostedReport) => (before: ReportedResult) => {
				requireNotReportedBy(before.reports, userId);
				const written = { reason: text, atMs, isPosted: posted !== undefined, ...(posted && { posted }) };
				return { ...before, reports: { ...before.reports, [userId]: written } };
			};
			const written = await reported.change(guildId, taskId, () => found, withReport());
			const posted = await channel.post(channelId, written, userId, await localeOf(guildId));
			if (!posted) throw new UserError({ key: "report.channelClosed" });
			await reported.change(guildId, taskId, () => found, withReport(posted));
			logger.info({ taskId, reporterId: userId, reasonChars: text.length }, "result reported");
		},
		async list(moderator, query) {
			requireModerator(moderator);
			return await listReports(reported.ofGuild(moderator.guildId), query);
		},
		async act(moderator, taskId, action, logger, pressedReporterId) {
			requireActionPermission(moderator, action);
			const found = await reported.read(moderator.guildId, taskId);
			if (!found) throw new UserError({ key: "job.notFound" });
			const acted = isActionDone(found, action) ? found : await actOnce(found, action, moderator, logger);
			return { reported: acted, isChannelUpdated: await updateMessages(acted, pressedReporterId, logger) };
		},
	};
}

/** Moderators may delete, block and dismiss; only managers may refund. */
export function requireActionPermission(moderator: Moderator, action: ReportAction): void {
	requireModerator(moderator);
	if (action === "refund" && !moderator.isManager) throw new UserError({ key: "permission.manage" });
}

/** A member may report again if the first report was not posted. */
function requireNotReportedBy(reports: ReportedResult["reports"], userId: string): void {
	const before = Object.hasOwn(reports, userId) ? reports[userId] : undefined;
	if (before?.isPosted === true) throw new UserError({ key: "report.already" });
	if (!before && Object.keys(reports).length >= REPORTERS_MAX) throw new UserError({ key: "report.byMany" });
}

function reportedResultOf(task: Task): ReportedResult {
	if (!("shown" in task)) throw new UserError({ key: "job.notDone" });
	if (task.outcome.kind === "failed") throw new UserError({ key: "job.nothingMade" });
	const { id, guildId, userId, reply, request, chargedCredits } = task;
	return {
		taskId: id,
		guildId,
		userId,
		channelId: reply.channelId,
		// Also of a deleted message: moderators can still delete the stored files.
		messageId: reply.isEphemeral ? null : (deliveredMessageIdOf(task) ?? null),
		mediaType: request.mediaType,
		modelName: request.modelName,
		prompt: plainLine(request.prompt, PROMPT_CHARS_SHOWN),
		chargedCredits,
		reports: {},
		done: {},
	};
}

/** Throws a denial for a member who is no moderator. */
function requireModerator({ isModerator }: Pick<Moderator, "isModerator">): void {
	if (!isModerator) throw new UserError({ key: "permission.moderate" });
}
