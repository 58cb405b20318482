import { ButtonStyle } from "discord.js";
import { button, row } from "../../discord/card.ts";
import type { CustomIdCodec } from "../../discord/custom-id.ts";
import type { MessageDescriptor, PlainKey } from "../../i18n/message-descriptor.ts";
import { t } from "../../i18n/messages.ts";

interface PageTabs<Page extends string> {
	readonly pages: readonly Page[];
	readonly currentPage: Page;
	readonly labelKeyOf: (page: Page) => PlainKey;
	readonly customIdCodec: CustomIdCodec<{ readonly page: Page }>;
}

/** Builds a row with one button for each page. That of the current page stands out, and shows it again. */
export function pageTabs<Page extends string>(
	{ pages, currentPage, labelKeyOf, customIdCodec }: PageTabs<Page>,
	locale: string,
) {
	return row(
		...pages.map((page) =>
			button(customIdCodec.encode({ page }), t(locale, { key: labelKeyOf(page) } as MessageDescriptor), {
				style: page === currentPage ? ButtonStyle.Primary : ButtonStyle.Secondary,
			}),
		),
	);
}
