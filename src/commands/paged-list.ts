/** Lists as cards, with "Previous" and "Next" that show another page in place. */
import {
	ButtonStyle,
	ComponentType,
	type APIButtonComponent,
	type ButtonInteraction,
	type ChatInputCommandInteraction,
	type ModalSubmitInteraction,
} from "discord.js";
import { CARD_CHARS_MAX, cardReply, row, section, text, thumbnail, type CardPart } from "../discord/card.ts";
import { defineCustomId, part, type CustomIdCodec } from "../discord/custom-id.ts";
import { t } from "../i18n/messages.ts";
import type { InGuild } from "./command.ts";
import { defineComponent, type Component } from "./components/component.ts";

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
	/** The number of the first older entry; `null` starts with the newest. */
	readonly before: number | null;
}

type ShownBy = ChatInputCommandInteraction<InGuild> | ModalSubmitInteraction<InGuild>;
type ListInteraction = ShownBy | ButtonInteraction<InGuild>;

/** Reads one page. Resolves to a sentence if there is nothing to list. */
type ReadPage<Deps> = (interaction: ListInteraction, position: ListPosition, deps: Deps) => Promise<ListPage | string>;

export interface PagedList<Deps> {
	/** Edits a page into the deferred reply of a command. */
	show(interaction: ShownBy, position: Partial<ListPosition>, deps: Deps): Promise<void>;
	readonly turnPage: Component<Deps>;
}

/**
 * `name`: the first word of the custom ids. `authorizePress` denies members who may not turn pages: buttons do not know whom the
 * admins' command permissions allow.
 */
export function definePagedList<Deps>(
	name: string,
	read: ReadPage<Deps>,
	authorizePress: (interaction: ButtonInteraction<InGuild>) => void = () => {},
): PagedList<Deps> {
	const customIdCodec = defineCustomId(name, {
		member: part.optionalSnowflake,
		before: part.number,
		page: part.number,
	});
	return {
		async show(interaction, position, deps) {
			const first = { memberId: null, page: 0, before: null, ...position };
			await interaction.editReply(
				replyOf(await read(interaction, first, deps), first, customIdCodec, interaction.locale),
			);
		},
		turnPage: defineComponent("button", customIdCodec, async (interaction, { member, before, page }, deps: Deps) => {
			authorizePress(interaction);
			await interaction.deferUpdate();
			const position = {
				memberId: member === NONE ? null : member,
				before: before === NONE ? null : Number(before),
				page: Number(page),
			};
			await interaction.editReply(
				replyOf(await read(interaction, position, deps), position, customIdCodec, interaction.locale),
			);
		}),
	};
}

const NONE = "0";

/** Cuts rows that are longer than their share, if all together are too long. */
function fitting(rows: ListPage["rows"], charsMax: number): ListPage["rows"] {
	if (rows.reduce((sum, { text: line }) => sum + line.length, 0) <= charsMax) return rows;
	const share = Math.floor(charsMax / rows.length) - 1;
	return rows.map((each) => (each.text.length <= share ? each : { ...each, text: `${each.text.slice(0, share)}…` }));
}

function replyOf(
	found: ListPage | string,
	position: ListPosition,
	customIdCodec: CustomIdCodec<{ readonly member: string; readonly before: string; readonly page: string }>,
	locale: string,
) {
	if (typeof found === "string") return cardReply([text(found)]);
	const { head, foot = "", hasMore } = found;
	const rows = fitting(found.rows, CARD_CHARS_MAX - head.length - foot.length);
	const idOf = (page: number): string =>
		customIdCodec.encode({
			member: position.memberId ?? NONE,
			before: String(position.before ?? NONE),
			page: String(page),
		});
	return cardReply([
		text(head),
		...rows.flatMap(partsOf),
		...(foot === "" ? [] : [text(foot)]),
		...pageTurns({ page: position.page, hasMore, idOf }, locale),
	]);
}

/** Beside the text is the image, or else the button. */
function partsOf({ text: line, button, image }: ListRow): readonly CardPart[] {
	if (!image) return [button ? section(line, button) : text(line)];
	const shown = section(line, thumbnail(image.url, image.description, image.isSpoiler));
	return button ? [shown, row(button)] : [shown];
}

interface PageTurns {
	/** The page shown; from 0. */
	readonly page: number;
	readonly hasMore: boolean;
	/** Returns the custom id of a page. */
	readonly idOf: (page: number) => string;
}

/** Returns a row with "Previous" and "Next"; empty for a single page. */
export function pageTurns({ page, hasMore, idOf }: PageTurns, locale: string): readonly CardPart[] {
	if (page === 0 && !hasMore) return [];
	const turn = (
		key: "button.previousPage" | "button.nextPage",
		to: number,
		isPossible: boolean,
	): APIButtonComponent => ({
		type: ComponentType.Button,
		style: ButtonStyle.Secondary,
		label: t(locale, { key }),
		custom_id: idOf(Math.max(0, to)),
		disabled: !isPossible,
	});
	return [row(turn("button.previousPage", page - 1, page > 0), turn("button.nextPage", page + 1, hasMore))];
}
