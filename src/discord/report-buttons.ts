/** Reports in the moderators' channel. A button stays, disabled, after its action. */
import { ButtonStyle } from "discord.js";
import { REPORT_ACTIONS } from "@atelier/dashboard/schemas/reports";
import { isActionDone, isDeletable, type ReportedResult } from "../services/moderation/report-store.ts";
import { formatReport } from "../services/moderation/format-report.ts";
import { t } from "../i18n/messages.ts";
import { altText } from "../services/delivery/stored-files.ts";
import { button, cardReply, row, textWithImage } from "./card.ts";
import { defineCustomId, idField } from "./custom-id.ts";

/** The reporter's id is for display only; it authorizes nothing. */
export const reportActionCustomId = defineCustomId("moderate", {
	action: idField.oneOf(...REPORT_ACTIONS),
	taskId: idField.snowflake,
	reporterId: idField.snowflake,
});

/** Builds the buttons of a report; those of performed and impossible actions are disabled. */
function reportRow(reported: ReportedResult, reporterId: string, locale: string) {
	const { taskId, chargedCredits } = reported;
	const isPossible = { delete: isDeletable(reported), block: true, refund: chargedCredits > 0, dismiss: true };
	return row(
		...REPORT_ACTIONS.map((action) =>
			button(
				reportActionCustomId.encode({ action, taskId, reporterId }),
				t(locale, { key: "button.reportAction", params: { action } }),
				{
					style: action === "delete" || action === "block" ? ButtonStyle.Danger : ButtonStyle.Secondary,
					isDisabled: isActionDone(reported, action) || !isPossible[action],
				},
			),
		),
	);
}

/** Builds the card of a report. `imageUrl`: the reported image, hidden until a moderator clicks it. */
export function reportCard(reported: ReportedResult, reporterId: string, locale: string, imageUrl: string | undefined) {
	const content = formatReport(reported, reporterId, locale);
	const isShown = imageUrl !== undefined && reported.done.delete === undefined;
	const image = isShown
		? { url: imageUrl, description: altText(reported.prompt, undefined), isSpoiler: true }
		: undefined;
	const body = textWithImage(content, image);
	const isDone = Object.keys(reported.done).length > 0;
	return cardReply([body, reportRow(reported, reporterId, locale)], isDone ? "success" : "warning");
}
