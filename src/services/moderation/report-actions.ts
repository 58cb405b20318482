import type { Logger } from "pino";
import type { Clock } from "@atelier/common/clock";
import { BLOCK_REASON_CHARS_MAX } from "@atelier/dashboard/limits";
import { t } from "../../i18n/messages.ts";
import { plainLine } from "../../i18n/quote.ts";
import { byMember, memberAuthor, type Surface } from "../access/change-author.ts";
import type { Actor } from "../access/member.ts";
import type { RefundTask } from "../tasks/refund-task.ts";
import type { ResultStore } from "../delivery/result-store.ts";
import type { ResultDeletion } from "../gallery/result-deletion.ts";
import type { ResultMessages } from "../gallery/result-messages.ts";
import { blockMember } from "../settings/change-moderation.ts";
import type { GuildLanguages } from "../settings/guild-languages.ts";
import type { SettingsStore, SettingsUpdate } from "../settings/settings-store.ts";
import type { SettingsService } from "../settings/settings-service.ts";
import type { Block } from "../settings/guild-settings.ts";
import { UserError } from "../user-error.ts";
import type { ModeratorsChannel } from "./moderators-channel.ts";
import type { ReportAction } from "@atelier/dashboard/schemas/reports";
import {
	type ActionMark,
	isActionDone,
	type PostedReport,
	isDeletable,
	type ReportedResult,
	type ReportStore,
} from "./report-store.ts";

interface Moderator extends Actor {
	/** Managers may move credits. */
	readonly isManager: boolean;
	/** The surface on which the moderator acts. */
	readonly via: Surface;
}

type BlockTerms = Pick<Block, "reason" | "untilMs">;

interface ActedReport {
	readonly reported: ReportedResult;
	/** False if the action was performed, but a message in the moderators' channel does not show it. */
	readonly isChannelUpdated: boolean;
}

interface ReportActionsDeps {
	readonly results: Pick<ResultStore, "remove">;
	readonly reportStore: ReportStore;
	readonly settings: Pick<SettingsStore, "read">;
	readonly settingsService: Pick<SettingsService, "change">;
	readonly refundTask: RefundTask;
	readonly moderatorsChannel: Pick<ModeratorsChannel, "update">;
	readonly resultMessages: Pick<ResultMessages, "delete">;
	readonly resultDeletion: Pick<ResultDeletion, "unlist">;
	readonly languages: Pick<GuildLanguages, "localeOf">;
	readonly clock: Clock;
}

/** Lets moderators act on reported results. Throws denials. */
export function createReportActions(deps: ReportActionsDeps) {
	const {
		results,
		reportStore,
		settings,
		settingsService,
		refundTask,
		moderatorsChannel,
		resultMessages,
		resultDeletion,
		languages,
		clock,
	} = deps;

	async function localeOf(guildId: string): Promise<string> {
		return await languages.localeOf(guildId, await settings.read(guildId));
	}

	/** Returns the mark of the action. */
	async function performAction(
		reportedResult: ReportedResult,
		action: ReportAction,
		{ userId, via }: Moderator,
		blockTerms: BlockTerms | undefined,
		logger: Logger,
	): Promise<ActionMark> {
		const { taskId, guildId, channelId, messageId, chargedCredits } = reportedResult;
		const mark = { byUserId: userId, atMs: clock.nowMs() };
		switch (action) {
			case "delete":
				if (!isDeletable(reportedResult)) throw new UserError({ key: "report.nothingToDelete" });
				if (messageId !== null && !(await resultMessages.delete(channelId, messageId))) {
					throw new UserError({ key: "report.deleteForbidden", params: { channelId } });
				}
				// Removes the files, so that the result cannot be fetched again.
				await results.remove(taskId);
				await resultDeletion.unlist(guildId, taskId, logger);
				return mark;
			case "block": {
				const { reason, untilMs } = blockTerms ?? {
					reason: t(await localeOf(guildId), { key: "report.blockReason" }),
					untilMs: null,
				};
				const block = { reason: plainLine(reason, BLOCK_REASON_CHARS_MAX), ...mark, untilMs };
				const update: SettingsUpdate = (before) => blockMember(before, reportedResult.userId, block);
				await settingsService.change({ guildId, author: memberAuthor(userId, via), update }, logger);
				return mark;
			}
			case "refund": {
				const refund = { guildId, taskId, by: byMember(userId), reportedCredits: chargedCredits };
				const { refundedBeforeAtMs } = await refundTask(refund);
				return refundedBeforeAtMs === undefined ? mark : { byUserId: null, atMs: refundedBeforeAtMs };
			}
			case "dismiss":
				// Changes nothing: the mark records the moderator and the time.
				return mark;
		}
	}

	async function actOnce(
		found: ReportedResult,
		action: ReportAction,
		moderator: Moderator,
		blockTerms: BlockTerms | undefined,
		logger: Logger,
	): Promise<ReportedResult> {
		const { guildId, taskId } = found;
		const mark = await performAction(found, action, moderator, blockTerms, logger);
		logger.info({ taskId, action, moderatorId: moderator.userId }, "report acted on");
		return await reportStore.change(
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
				posted !== undefined && (await moderatorsChannel.update(posted, acted, reporterId, await localeOf(guildId)));
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
		const stale = Object.entries(acted.reports).filter(([id, { posted }]) => posted && id !== exceptReporterId);
		const updated = await Promise.all(stale.map(([id, { posted }]) => updateMessage(acted, id, posted, logger)));
		return updated.every(Boolean);
	}

	return {
		/**
		 * Performs an action once, and shows it in the messages of all reports of the result. A repeat after a crash changes
		 * nothing else. `pressedReporterId`: the report whose message the caller updates, because its button was pressed. `block`: the
		 * terms of a block; without them, it lasts until it is lifted.
		 */
		async act(
			moderator: Moderator,
			taskId: string,
			action: ReportAction,
			logger: Logger,
			{ pressedReporterId, block }: { readonly pressedReporterId?: string; readonly block?: BlockTerms } = {},
		): Promise<ActedReport> {
			requireActionPermission(moderator, action);
			const found = await reportStore.read(moderator.guildId, taskId);
			if (!found) throw new UserError({ key: "job.notFound" });
			const acted = isActionDone(found, action) ? found : await actOnce(found, action, moderator, block, logger);
			return { reported: acted, isChannelUpdated: await updateMessages(acted, pressedReporterId, logger) };
		},
	};
}

/** Moderators may delete, block and dismiss; only managers may refund. */
function requireActionPermission({ isModerator, isManager }: Moderator, action: ReportAction): void {
	if (!isModerator) throw new UserError({ key: "permission.moderate" });
	if (action === "refund" && !isManager) throw new UserError({ key: "permission.manage" });
}
