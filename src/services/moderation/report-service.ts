import type { Logger } from "pino";
import type { Clock } from "@atelier/common/clock";
import { REPORT_REASON_CHARS_MAX } from "@atelier/dashboard/limits";
import { plainLine, PROMPT_CHARS_SHOWN } from "../../i18n/quote.ts";
import type { Member } from "../access/member.ts";
import type { GuildLanguages } from "../settings/guild-languages.ts";
import type { SettingsStore } from "../settings/settings-store.ts";
import { publicMessageIdOf } from "../tasks/delivered-result.ts";
import { isTaskId } from "../task-id.ts";
import { awaitsReply, type Task } from "../tasks/task.ts";
import { requireGuildTask, type TaskStore } from "../tasks/task-store.ts";
import { UserError } from "../user-error.ts";
import type { ModeratorsChannel } from "./moderators-channel.ts";
import { REPORTERS_MAX, type PostedReport, type ReportedResult, type ReportStore } from "./report-store.ts";

interface ReportServiceDeps {
	readonly taskStore: Pick<TaskStore, "load">;
	readonly reportStore: ReportStore;
	readonly settings: Pick<SettingsStore, "read">;
	readonly moderatorsChannel: Pick<ModeratorsChannel, "post">;
	readonly languages: Pick<GuildLanguages, "localeOf">;
	readonly clock: Clock;
}

/** Lets members report results to the moderators. Throws denials. */
export function createReportService(deps: ReportServiceDeps) {
	const { taskStore, reportStore, settings, moderatorsChannel, languages, clock } = deps;

	async function reportChannelOf(guildId: string): Promise<string> {
		const { reportChannelId } = await settings.read(guildId);
		if (reportChannelId === null) throw new UserError({ key: "report.off" });
		return reportChannelId;
	}

	/** Reads the result from an earlier report, or from its task. */
	async function findReported({ guildId, userId }: Member, taskId: string): Promise<ReportedResult> {
		const stored = isTaskId(taskId) ? await reportStore.read(guildId, taskId) : undefined;
		if (stored) return stored;
		const { task } = await requireGuildTask(taskStore, guildId, taskId);
		// A forged id must not show another member's private result to moderators.
		if (task.reply.isEphemeral && task.userId !== userId) throw new UserError({ key: "job.notFound" });
		return reportedResultOf(task);
	}

	return {
		/** Throws the denial that `report` would throw, before the member writes a report. */
		async requireReportable(reporter: Member, taskId: string): Promise<void> {
			await reportChannelOf(reporter.guildId);
			const { reports } = await findReported(reporter, taskId);
			requireNotReportedBy(reports, reporter.userId);
		},
		async report(reporter: Member, taskId: string, reason: string, logger: Logger): Promise<void> {
			const { guildId, userId } = reporter;
			const channelId = await reportChannelOf(guildId);
			const found = await findReported(reporter, taskId);
			const text = plainLine(reason, REPORT_REASON_CHARS_MAX);
			if (text === "") throw new UserError({ key: "report.empty" });
			const atMs = clock.nowMs();
			const withReport = (posted?: PostedReport) => (before: ReportedResult) => {
				if (!posted) requireNotReportedBy(before.reports, userId);
				const written = { reason: text, atMs, ...(posted && { posted }) };
				return { ...before, reports: { ...reportsOfOthers(before.reports, userId), [userId]: written } };
			};
			const written = await reportStore.change(guildId, taskId, () => found, withReport());
			const locale = await languages.localeOf(guildId, await settings.read(guildId));
			const posted = await moderatorsChannel.post(channelId, written, userId, locale);
			if (!posted) throw new UserError({ key: "report.channelClosed" });
			await reportStore.change(guildId, taskId, () => found, withReport(posted));
			logger.info({ taskId, reporterId: userId, reasonChars: text.length }, "result reported");
		},
	};
}

/**
 * Returns the reports of other members. Of those without a recorded post only the latest: they would add up without a limit, but the
 * message of one may exist.
 */
function reportsOfOthers(reports: ReportedResult["reports"], userId: string): ReportedResult["reports"] {
	const others = Object.entries(reports).filter(([reporterId]) => reporterId !== userId);
	const unposted = others.filter(([, { posted }]) => !posted).toSorted(([, one], [, other]) => other.atMs - one.atMs);
	return Object.fromEntries([...others.filter(([, { posted }]) => posted), ...unposted.slice(0, REPORTERS_MAX)]);
}

/** A member may report again if the first report was not posted. */
function requireNotReportedBy(reports: ReportedResult["reports"], userId: string): void {
	if (reports[userId]?.posted) throw new UserError({ key: "report.already" });
	const postedCount = Object.values(reports).filter(({ posted }) => posted).length;
	if (postedCount >= REPORTERS_MAX) throw new UserError({ key: "report.byMany" });
}

function reportedResultOf(task: Task): ReportedResult {
	if (awaitsReply(task)) throw new UserError({ key: "job.notDone" });
	if (task.outcome.kind === "failed") throw new UserError({ key: "job.nothingMade" });
	const { id, guildId, userId, reply, request, chargedCredits } = task;
	return {
		taskId: id,
		guildId,
		userId,
		channelId: reply.channelId,
		messageId: publicMessageIdOf(task) ?? null,
		isMessageDeleted: task.messageDeletedAtMs !== undefined && !reply.isEphemeral,
		mediaType: request.mediaType,
		modelName: request.modelName,
		prompt: plainLine(request.prompt, PROMPT_CHARS_SHOWN),
		chargedCredits,
		reports: {},
		done: {},
	};
}
