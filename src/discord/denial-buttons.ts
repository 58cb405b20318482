/** The ways out of a denial: buttons below its reason. */
import { ButtonStyle, ComponentType } from "discord.js";
import type { MessageKey } from "../i18n/message-ref.ts";
import { t } from "../i18n/messages.ts";
import { row } from "./card.ts";
import { defineCustomId } from "./custom-id.ts";
import { taskButtonRows } from "./task-buttons.ts";

export const showLimitsCustomId = defineCustomId("show-limits", {});
export const showHelpCustomId = defineCustomId("show-help", {});

/** Denials of a model, a medium or a channel: `/help` lists what the member may use. */
const HELPED: ReadonlySet<MessageKey> = new Set([
	"request.modelUnknown",
	"request.noModel",
	"request.optionNotSupported",
	"request.tooManyImages",
	"access.modelOff",
	"access.modelAgeRestricted",
	"access.mediumOff",
	"access.mediumOffHere",
	"access.channelDenied",
	"access.channelElsewhere",
]);

/** `draftId`: of a request with a prompt that the member can edit. */
export function denialRows(key: MessageKey, draftId: string | undefined, locale: string) {
	if (draftId !== undefined)
		return taskButtonRows(draftId, [{ action: "editDraft", label: t(locale, { key: "button.editPrompt" }) }]);
	if (key.startsWith("limit.")) return [row(buttonOf(showLimitsCustomId.encode({}), "button.showLimits", locale))];
	return HELPED.has(key) ? [row(buttonOf(showHelpCustomId.encode({}), "button.showHelp", locale))] : [];
}

function buttonOf(customId: string, label: "button.showLimits" | "button.showHelp", locale: string) {
	return {
		type: ComponentType.Button as const,
		style: ButtonStyle.Secondary as const,
		label: t(locale, { key: label }),
		custom_id: customId,
	};
}
