/** Lists as cards, with buttons that show another page in place. */
import { type APIButtonComponent, type ButtonInteraction, type ModalSubmitInteraction } from "discord.js";
import {
	button,
	buttonRows,
	CARD_CHARS_MAX,
	cardReply,
	row,
	section,
	separator,
	text,
	textWithImage,
	type CardPart,
	type MediaItem,
} from "../../discord/card.ts";
import { defineCustomId, idField, type CustomIdCodec } from "../../discord/custom-id.ts";
import type { MessageDescriptor } from "../../i18n/message-descriptor.ts";
import { t } from "../../i18n/messages.ts";
import type { InGuild, SlashInteraction } from "./command.ts";
import { defineButton, type AuthorizePress } from "./component.ts";
import type { CommandServices } from "../command-services.ts";

/** One row. Lines separate the rows of a list with buttons below them. */
interface ListRow {
	readonly text: string;
	readonly buttons?: readonly APIButtonComponent[];
	readonly image?: MediaItem | undefined;
}

interface ListPage {
	readonly head: string;
	readonly rows: readonly ListRow[];
	readonly hasMore: boolean;
	/** The position at which a search that stopped early continues. */
	readonly searchBefore?: number | undefined;
}

/** The part of a list that a reply shows. */
interface ListPosition {
	/** `null` for lists that are not about one member. */
	readonly memberId: string | null;
	/** From 0. */
	readonly page: number;
	/** Only entries with a lower number than this; `null` starts with the newest. */
	readonly before: number | null;
}

export type ListInteraction = SlashInteraction | ModalSubmitInteraction<InGuild> | ButtonInteraction<InGuild>;

/** Reads one page. Resolves to a sentence if there is nothing to list. */
type ReadPage = (
	interaction: ListInteraction,
	position: ListPosition,
	services: CommandServices,
) => Promise<ListPage | string>;

/** `name`: the first word of the custom ids. `authorizePress` denies members who may not turn pages. */
export function definePagedList(name: string, readPage: ReadPage, authorizePress: AuthorizePress = () => {}) {
	const customIdCodec = defineCustomId(name, {
		memberId: idField.optional(idField.snowflake),
		before: idField.optional(idField.number),
		page: idField.number,
	});
	async function showPage(
		interaction: ListInteraction,
		position: ListPosition,
		services: CommandServices,
		notice?: MessageDescriptor,
	): Promise<void> {
		let content = await readPage(interaction, position, services);
		let { page } = position;
		// The list may have become shorter since the button was shown. The first page ends the search, because the number may be forged.
		for (const earlier of [page - 1, 0]) {
			if (typeof content !== "string" || page === 0) break;
			page = earlier;
			content = await readPage(interaction, { ...position, page }, services);
		}
		const { locale } = interaction;
		const { link, say } = services.commandMentions;
		const lead = notice ? [say(locale, notice)] : [];
		await interaction.editReply(
			typeof content === "string"
				? cardReply([...lead, link(content, locale)].map(text))
				: renderPage(content, lead, { ...position, page }, customIdCodec, locale),
		);
	}
	return {
		/** Edits the deferred reply to show a page. `notice`: what was changed, above the list. */
		async show(
			interaction: ListInteraction,
			position: Partial<ListPosition>,
			services: CommandServices,
			notice?: MessageDescriptor,
		) {
			await showPage(interaction, { memberId: null, page: 0, before: null, ...position }, services, notice);
		},
		turnPage: defineButton(customIdCodec, async (interaction, position, services) => {
			await interaction.deferUpdate();
			await authorizePress(interaction, services);
			await showPage(interaction, position, services);
		}),
	};
}

/** Cuts each row to an equal share of `charsMax` if the rows together are longer. */
function cutRowsToFit(rows: ListPage["rows"], charsMax: number): ListPage["rows"] {
	if (rows.reduce((sum, { text: line }) => sum + line.length, 0) <= charsMax) return rows;
	const share = Math.floor(charsMax / rows.length) - 1;
	return rows.map((each) => (each.text.length <= share ? each : { ...each, text: `${each.text.slice(0, share)}…` }));
}

function renderPage(
	listPage: ListPage,
	lead: readonly string[],
	position: ListPosition,
	customIdCodec: CustomIdCodec<ListPosition>,
	locale: string,
) {
	const heads = [...lead, listPage.head];
	const rows = cutRowsToFit(listPage.rows, CARD_CHARS_MAX - heads.join("").length);
	const hasImages = rows.some(({ image }) => image !== undefined);
	const parts = rows.map((each) => rowParts(each, hasImages));
	const hasLines = parts.some(({ length }) => length > 1);
	return cardReply([
		...heads.map(text),
		...parts.flatMap((each, index) => (index > 0 && hasLines ? [separator(), ...each] : each)),
		...pageButtons(position, listPage, customIdCodec, locale),
	]);
}

/** Puts the image beside the text and the buttons below. In a list without images, a single button is beside the text. */
function rowParts({ text: line, buttons = [], image }: ListRow, hasImages: boolean): readonly CardPart[] {
	const [first] = buttons;
	if (!hasImages && first && buttons.length === 1) return [section(line, first)];
	const content = textWithImage(line, image);
	return buttons.length > 0 ? [content, row(...buttons)] : [content];
}

type PageButtonKey = "button.previousPage" | "button.nextPage" | "button.searchFurther";

/** Returns a row with "Previous" and "Next" for several pages, and "Search further back" after a search that stopped early. */
function pageButtons(
	position: ListPosition,
	{ hasMore, searchBefore }: ListPage,
	customIdCodec: CustomIdCodec<ListPosition>,
	locale: string,
): readonly CardPart[] {
	const { page } = position;
	const pageButton = (key: PageButtonKey, target: Partial<ListPosition>, isEnabled = true) =>
		button(customIdCodec.encode({ ...position, ...target }), t(locale, { key }), { isDisabled: !isEnabled });
	const turnButtons = [
		pageButton("button.previousPage", { page: Math.max(0, page - 1) }, page > 0),
		pageButton("button.nextPage", { page: page + 1 }, hasMore),
	];
	return buttonRows([
		...(page > 0 || hasMore ? turnButtons : []),
		...(searchBefore === undefined ? [] : [pageButton("button.searchFurther", { before: searchBefore, page: 0 })]),
	]);
}

/** Returns the entries of a page, and whether others follow. `all` starts with those of the first page. */
export function entriesOfPage<Entry>(all: readonly Entry[], page: number, pageSize: number) {
	const end = (page + 1) * pageSize;
	return { entries: all.slice(page * pageSize, end), hasMore: all.length > end };
}
