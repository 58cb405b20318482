/** Formats a report for moderators. No I/O. */
import { messageLink, toTimestampS } from "../../i18n/message-param-values.ts";
import { t } from "../../i18n/messages.ts";
import { quote, quoteName, quotePrompt } from "../../i18n/quote.ts";
import { REPORT_ACTIONS } from "@atelier/dashboard/schemas/reports";
import type { ReportedResult } from "./report-store.ts";

const REASON_CHARS_SHOWN = 300;

export function formatReport(reported: ReportedResult, reporterId: string, locale: string): string {
	const { taskId, guildId, userId, channelId, messageId, modelName, prompt, chargedCredits, reports, done } = reported;
	const report = reports[reporterId];
	const link = messageId === null ? null : messageLink(guildId, channelId, messageId);
	// A refund alone decides nothing about the result.
	const isResolved = [done.delete, done.block, done.dismiss].some((mark) => mark && mark.atMs >= (report?.atMs ?? 0));
	const headParams = {
		isResolved,
		reporterId,
		userId,
		channelId,
		link,
		atS: toTimestampS(report?.atMs ?? 0),
	};
	const lines = [
		t(locale, { key: "report.head", params: headParams }),
		t(locale, { key: "report.reason", params: { reason: quote(report?.reason ?? "", REASON_CHARS_SHOWN) } }),
		t(locale, {
			key: "report.about",
			params: {
				prompt: quotePrompt(prompt),
				model: quoteName(modelName),
				costCredits: chargedCredits,
				taskId,
			},
		}),
		...REPORT_ACTIONS.flatMap((action) => {
			const mark = done[action];
			if (!mark) return [];
			const params = { action, byUserId: mark.byUserId, atS: toTimestampS(mark.atMs), costCredits: chargedCredits };
			return [t(locale, { key: "report.done", params })];
		}),
	];
	return lines.join("\n");
}
