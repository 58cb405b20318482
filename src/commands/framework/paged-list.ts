/** Lists as cards, with "Previous" and "Next" that show another page in place. */
import { type APIButtonComponent, type ButtonInteraction, type ModalSubmitInteraction } from "discord.js";
import { button, CARD_CHARS_MAX, cardReply, row, section, text, thumbnail, type CardPart } from "../../discord/card.ts";
import { defineCustomId, idField, type CustomIdCodec } from "../../discord/custom-id.ts";
import { t } from "../../i18n/messages.ts";
import type { InGuild, SlashInteraction } from "./command.ts";
import { defineComponent, type Component } from "./component.ts";

interface ListRow {
	readonly text: string;
	readonly button?: APIButtonComponent;
	readonly image?: { readonly url: string; readonly description: string; readonly isSpoiler: boolean };
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

type CommandReplyInteraction = SlashInteraction | ModalSubmitInteraction<InGuild>;
type ListInteraction = CommandReplyInteraction | ButtonInteraction<InGuild>;

/** Reads one page. Resolves to a sentence if there is nothing to list. */
type ReadPage<Deps> = (interaction: ListInteraction, position: ListPosition, deps: Deps) => Promise<ListPage | string>;

interface PagedList<Deps> {
	/** Edits the deferred reply of a command to show a page. */
	show(interaction: CommandReplyInteraction, position: Partial<ListPosition>, deps: Deps): Promise<void>;
	readonly turnPage: Component<Deps>;
}

/**
 * `name`: the first word of the custom ids. `authorizePress` denies members who may not turn pages: Discord does not apply
 * the admins' command permissions to buttons.
 */
export function definePagedList<Deps>(
	name: string,
	readPage: ReadPage<Deps>,
	authorizePress: (interaction: ButtonInteraction<InGuild>, deps: Deps) => void | Promise<void> = () => {},
): PagedList<Deps> {
	const customIdCodec = defineCustomId(name, {
		memberId: idField.optional(idField.snowflake),
		before: idField.optional(idField.number),
		page: idField.number,
	});
	async function showPage(interaction: ListInteraction, position: ListPosition, deps: Deps): Promise<void> {
		let content = await readPage(interaction, position, deps);
		let { page } = position;
		// The list may have become shorter since the button was shown. The first page ends the search, because the number may be forged.
		for (const earlier of [page - 1, 0]) {
			if (typeof content !== "string" || page === 0) break;
			page = earlier;
			content = await readPage(interaction, { ...position, page }, deps);
		}
		await interaction.editReply(renderPage(content, { ...position, page }, customIdCodec, interaction.locale));
	}
	return {
		async show(interaction, position, deps) {
			await showPage(interaction, { memberId: null, page: 0, before: null, ...position }, deps);
		},
		turnPage: defineComponent("button", customIdCodec, async (interaction, position, deps: Deps) => {
			await interaction.deferUpdate();
			await authorizePress(interaction, deps);
			await showPage(interaction, position, deps);
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
	pageOrSentence: ListPage | string,
	position: ListPosition,
	customIdCodec: CustomIdCodec<ListPosition>,
	locale: string,
) {
	if (typeof pageOrSentence === "string") return cardReply([text(pageOrSentence)]);
	const { head, foot = "", hasMore } = pageOrSentence;
	const rows = cutRowsToFit(pageOrSentence.rows, CARD_CHARS_MAX - head.length - foot.length);
	const idOf = (page: number): string => customIdCodec.encode({ ...position, page });
	return cardReply([
		text(head),
		...rows.flatMap(rowParts),
		...(foot === "" ? [] : [text(foot)]),
		...pageButtons({ page: position.page, hasMore, idOf }, locale),
	]);
}

/** Puts the image beside the text and the button below; without an image, the button is beside the text. */
function rowParts({ text: line, button: rowButton, image }: ListRow): readonly CardPart[] {
	if (!image) return [rowButton ? section(line, rowButton) : text(line)];
	const imageSection = section(line, thumbnail(image.url, image.description, image.isSpoiler));
	return rowButton ? [imageSection, row(rowButton)] : [imageSection];
}

interface PageLinks {
	/** The page shown; from 0. */
	readonly page: number;
	readonly hasMore: boolean;
	/** Returns the custom id of a page. */
	readonly idOf: (page: number) => string;
}

/** Returns a row with "Previous" and "Next"; empty for a single page. */
export function pageButtons({ page, hasMore, idOf }: PageLinks, locale: string): readonly CardPart[] {
	if (page === 0 && !hasMore) return [];
	const pageButton = (key: "button.previousPage" | "button.nextPage", targetPage: number, isEnabled: boolean) =>
		button(idOf(Math.max(0, targetPage)), t(locale, { key }), { isDisabled: !isEnabled });
	return [row(pageButton("button.previousPage", page - 1, page > 0), pageButton("button.nextPage", page + 1, hasMore))];
}
