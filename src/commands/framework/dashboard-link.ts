import { linkButton, row, type CardPart } from "../../discord/card.ts";
import { t } from "../../i18n/messages.ts";
import type { CommandServices } from "../command-services.ts";

/** Links to a page of the dashboard, which shows the same to the same readers. Empty without a dashboard. */
export function dashboardLink(
	page: Parameters<CommandServices["dashboardUrl"]>[1],
	{ guildId, locale }: { readonly guildId: string; readonly locale: string },
	{ dashboardUrl }: Pick<CommandServices, "dashboardUrl">,
): readonly CardPart[] {
	const url = dashboardUrl(guildId, page);
	return url === undefined ? [] : [row(linkButton(url, t(locale, { key: "button.openDashboard" })))];
}
