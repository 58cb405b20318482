/** Buttons below the reason of a denial, which lead to what the member can do instead. */
import { denialTraits } from "../i18n/denial-traits.ts";
import type { MessageKey } from "../i18n/message-descriptor.ts";
import { t } from "../i18n/messages.ts";
import { button, row } from "./card.ts";
import { defineCustomId } from "./custom-id.ts";
import { taskButtonRows } from "./task-buttons.ts";

export const showLimitsCustomId = defineCustomId("show-limits", {});
export const showHelpCustomId = defineCustomId("show-help", {});

/** Denials of a model, a media type or a channel: `/help` lists what the member may use. */
const DENIALS_WITH_HELP: ReadonlySet<MessageKey> = new Set([
	"request.modelUnknown",
	"request.noModel",
	"request.optionNotSupported",
	"request.tooManyImages",
	"access.modelOff",
	"access.modelAgeRestricted",
	"access.mediaTypeOff",
	"access.mediaTypeOffHere",
	"access.channelDenied",
	"access.channelElsewhere",
]);

/** Returns the button rows for a denial. `draftId`: the stored request whose prompt the member can edit, if there is one. */
export function denialRows(key: MessageKey, draftId: string | undefined, locale: string) {
	if (draftId !== undefined)
		return taskButtonRows(draftId, [{ action: "editDraft", label: t(locale, { key: "button.editPrompt" }) }]);
	if (denialTraits(key).isLimit)
		return [row(button(showLimitsCustomId.encode({}), t(locale, { key: "button.showLimits" })))];
	if (!DENIALS_WITH_HELP.has(key)) return [];
	return [row(button(showHelpCustomId.encode({}), t(locale, { key: "button.showHelp" })))];
}
