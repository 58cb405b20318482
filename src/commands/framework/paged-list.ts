/** Lists as cards, with "Previous" and "Next" that show another page in place. */
import { type APIButtonComponent, type ButtonInteraction, type ModalSubmitInteraction } from "discord.js";
import {
	button,
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
import { t } from "../../i18n/messages.ts";
import type { InGuild, SlashInteraction } from "./command.ts";
import { defineButton, type AuthorizePress } from "./component.ts";
import type { CommandServices } from "../command-services.ts";

/** One row; a line separates rows with buttons. */
interface ListRow {
	readonly text: string;
	readonly buttons?: readonly APIButtonComponent[];
	readonly image?: MediaItem | undefined;
}

interface ListPage {
	readonly head: string;
	readonly rows: readonly ListRow[];
	readonly foot?: string | undefined;
	readonly hasMore: boolean;
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
		await interaction.editReply(
			typeof content === "string"
				? cardReply([text(services.commandMentions.link(content, locale))])
				: renderPage(content, { ...position, page }, customIdCodec, locale),
		);
	}
	return {
		/** Edits the deferred reply to show a page. */
		async show(interaction: ListInteraction, position: Partial<ListPosition>, services: CommandServices) {
			await showPage(interaction, { memberId: null, page: 0, before: null, ...position }, services);
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
	position: ListPosition,
	customIdCodec: CustomIdCodec<ListPosition>,
	locale: string,
) {
	const { head, foot = "", hasMore } = listPage;
	const rows = cutRowsToFit(listPage.rows, CARD_CHARS_MAX - head.length - foot.length);
	const hasImages = rows.some(({ image }) => image !== undefined);
	return cardReply([
		text(head),
		...rows.flatMap((each, index) => [
			...(index > 0 && each.buttons ? [separator()] : []),
			...rowParts(each, hasImages),
		]),
		...(foot === "" ? [] : [text(foot)]),
		...pageButtons(position, hasMore, customIdCodec, locale),
	]);
}

/** Puts the image beside the text and the buttons below. In a list without images, a single button is beside the text. */
function rowParts({ text: line, buttons = [], image }: ListRow, hasImages: boolean): readonly CardPart[] {
	const [first] = buttons;
	if (!hasImages && first && buttons.length === 1) return [section(line, first)];
	const content = textWithImage(line, image);
	return buttons.length > 0 ? [content, row(...buttons)] : [content];
}

/** Returns a row with "Previous" and "Next"; empty for a single page. */
function pageButtons(
	position: ListPosition,
	hasMore: boolean,
	customIdCodec: CustomIdCodec<ListPosition>,
	locale: string,
): readonly CardPart[] {
	const { page } = position;
	if (page === 0 && !hasMore) return [];
	const pageButton = (key: "button.previousPage" | "button.nextPage", targetPage: number, isEnabled: boolean) => {
		const customId = customIdCodec.encode({ ...position, page: Math.max(0, targetPage) });
		return button(customId, t(locale, { key }), { isDisabled: !isEnabled });
	};
	return [row(pageButton("button.previousPage", page - 1, page > 0), pageButton("button.nextPage", page + 1, hasMore))];
}

/** Returns the entries of a page, and whether others follow. `all` starts with those of the first page. */
export function entriesOfPage<Entry>(all: readonly Entry[], page: number, pageSize: number) {
	const end = (page + 1) * pageSize;
	return { entries: all.slice(page * pageSize, end), hasMore: all.length > end };
}
