/** Reports in the moderators' channel. A button that has done its work stays, disabled. */
import {
	ButtonStyle,
	ComponentType,
	type APIActionRowComponent,
	type APIButtonComponentWithCustomId,
} from "discord.js";
import { REPORT_ACTIONS, type ReportAction, type ReportedResult } from "../services/moderation/reported-results.ts";
import { formatReport } from "../services/moderation/format-report.ts";
import { t } from "../i18n/messages.ts";
import { cardReply, text } from "./card.ts";
import { customIds, part } from "./custom-id.ts";

/** The reporter's id is for display only; it authorizes nothing. */
export const moderateIds = customIds("moderate", {
	action: part.oneOf(...REPORT_ACTIONS),
	taskId: part.snowflake,
	reporterId: part.snowflake,
});

const LABELS = {
	delete: "button.reportDelete",
	block: "button.reportBlock",
	refund: "button.reportRefund",
	dismiss: "button.reportDismiss",
} as const satisfies Record<ReportAction, string>;

export function reportRow(
	{ taskId, messageId, chargedCredits, done }: ReportedResult,
	reporterId: string,
	locale: string,
): APIActionRowComponent<APIButtonComponentWithCustomId> {
	const isPossible = { delete: messageId !== null, block: true, refund: chargedCredits > 0, dismiss: true };
	return {
		type: ComponentType.ActionRow,
		components: REPORT_ACTIONS.map((action) => ({
			type: ComponentType.Button,
			style: action === "delete" || action === "block" ? ButtonStyle.Danger : ButtonStyle.Secondary,
			label: t(locale, { key: LABELS[action] }),
			custom_id: moderateIds.write({ action, taskId, reporterId }),
			disabled: done[action] !== undefined || !isPossible[action],
		})),
	};
}

/** The body of a message with a report: a card, or a classic message where Discord rejects cards. */
export function reportBody(reported: ReportedResult, reporterId: string, locale: string, form: "card" | "classic") {
	const content = formatReport(reported, reporterId, locale);
	const buttons = reportRow(reported, reporterId, locale);
	if (form === "classic") return { content, components: [buttons] };
	const isDone = Object.keys(reported.done).length > 0;
	return { content: null, ...cardReply([text(content), buttons], isDone ? "success" : "partial") };
}
