/** Buttons below the reason of a denial, which lead to what the member can do instead. */
import { t } from "../i18n/messages.ts";
import { createTopUpOffer, type TopUpService } from "../services/entitlements/top-up-service.ts";
import type { Remedy } from "../services/user-error.ts";
import { button, row } from "./card.ts";
import { defineCustomId } from "./custom-id.ts";
import { taskButtonRows } from "./task-buttons.ts";
import { topUpRow } from "./top-up-buttons.ts";

export const showLimitsCustomId = defineCustomId("show-limits", {});
export const showHelpCustomId = defineCustomId("show-help", {});

interface OfferedRemedy {
	readonly remedy: Remedy | undefined;
	/** The stored request whose prompt the member can edit, if there is one. */
	readonly draftId: string | undefined;
}

/** Returns the button rows that a denial offers. */
export function denialRows({ remedy, draftId }: OfferedRemedy, topUp: Pick<TopUpService, "offered">, locale: string) {
	switch (remedy) {
		case "editPrompt":
			return draftId === undefined
				? []
				: taskButtonRows(draftId, [{ action: "editDraft", label: t(locale, { key: "button.editPrompt" }) }]);
		case "topUp": {
			const offer = createTopUpOffer(topUp, locale);
			return [...(offer ? [topUpRow(offer)] : []), limitsRow(locale)];
		}
		case "limits":
			return [limitsRow(locale)];
		case "help":
			return [row(button(showHelpCustomId.encode({}), t(locale, { key: "button.showHelp" })))];
		case "editTexts":
		case undefined:
			return [];
	}
}

function limitsRow(locale: string) {
	return row(button(showLimitsCustomId.encode({}), t(locale, { key: "button.showLimits" })));
}
