/** The buttons of a report in the moderators' channel. A button that has done its work stays, disabled. */
import {
	ButtonStyle,
	ComponentType,
	type APIActionRowComponent,
	type APIButtonComponentWithCustomId,
} from "discord.js";
import { REPORT_ACTIONS, type ReportAction, type ReportedResult } from "../services/moderation/reported-results.ts";
import { t } from "../i18n/messages.ts";
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
} as const satisfies Record<ReportAction, string>;

export function reportRow(
	{ taskId, messageId, chargedCredits, done }: ReportedResult,
	reporterId: string,
	locale: string,
): APIActionRowComponent<APIButtonComponentWithCustomId> {
	const isPossible = { delete: messageId !== null, block: true, refund: chargedCredits > 0 };
	return {
		type: ComponentType.ActionRow,
		components: REPORT_ACTIONS.map((action) => ({
			type: ComponentType.Button,
			style: action === "refund" ? ButtonStyle.Secondary : ButtonStyle.Danger,
			label: t(locale, { key: LABELS[action] }),
			custom_id: moderateIds.write({ action, taskId, reporterId }),
			disabled: done[action] !== undefined || !isPossible[action],
		})),
	};
}
