/**
 * The forms of a final reply: as a card and as a classic message. Pure. The documentation of Discord contradicts itself about uploads
 * in cards, so a result must never depend on them: docs/decisions/0014-cards.md.
 */
import { MessageFlags, type APIActionRowComponent, type APIComponentInMessageActionRow } from "discord.js";
import type { FinalReply } from "../services/delivery/final-reply.ts";
import { card, CARD_FLAG, gallery, text } from "./card.ts";
import { imageRows } from "./image-buttons.ts";
import { taskButtonCardRows, taskButtonRows } from "./task-buttons.ts";
import { topUpRow } from "./top-up-buttons.ts";

type Row = APIActionRowComponent<APIComponentInMessageActionRow>;

/** One message in one form. */
export interface MessageForm {
	readonly text: string;
	readonly files: FinalReply["files"];
	/** Buttons and menus; `undefined` leaves those of an edited classic message unchanged. */
	readonly rows?: readonly Row[];
	/** The accent of a card; `undefined` for a classic message. */
	readonly tone?: FinalReply["tone"];
	readonly isEphemeral?: boolean;
	/** Further fields of the request. */
	readonly extra?: Readonly<Record<string, unknown>>;
}

/** Lists the versions of a reply, best first: with the prompt and without, each as a card and as a classic message. */
export function versionsOf(
	finalReply: FinalReply,
	{ text: fullText, textWithoutPrompt }: FinalReply["direct"],
	{ mayBeCard, mayHaveButtons = true }: { readonly mayBeCard: boolean; readonly mayHaveButtons?: boolean },
): readonly MessageForm[] {
	const { files, tone } = finalReply;
	// No player is documented for audio in cards.
	const hasAudio = files.some(({ contentType }) => contentType.startsWith("audio/"));
	const rows = (buttonRows: typeof taskButtonCardRows) => (mayHaveButtons ? rowsOf(finalReply, buttonRows) : []);
	return [...new Set([fullText, textWithoutPrompt])].flatMap((messageText) => [
		...(mayBeCard && !hasAudio ? [{ text: messageText, files, tone, rows: rows(taskButtonCardRows) }] : []),
		{ text: messageText, files, rows: rows(taskButtonRows) },
	]);
}

function rowsOf(
	{ taskId, buttons, images = [], moreLabel, topUp }: FinalReply,
	buttonRows: typeof taskButtonCardRows,
): readonly Row[] {
	return [...imageRows(taskId, images), ...buttonRows(taskId, buttons, moreLabel), ...(topUp ? [topUpRow(topUp)] : [])];
}

/** Returns the body of the request. `attachments` lists all files of the message; without `allowed_mentions` each edit would ping again. */
export function bodyOf({ text: messageText, files, rows, tone, extra, isEphemeral = false }: MessageForm) {
	const attachments = files.map(({ name, description, isSpoiler }, index) => ({
		id: String(index),
		filename: name,
		description,
		...(isSpoiler && { is_spoiler: true }),
	}));
	const visibility = isEphemeral ? MessageFlags.Ephemeral : 0;
	const common = { ...extra, attachments, allowed_mentions: { parse: [] } };
	if (tone === undefined) {
		return {
			...common,
			content: messageText,
			...(rows && { components: rows }),
			flags: MessageFlags.SuppressEmbeds | visibility,
		};
	}
	const parts = [...(files.length > 0 ? [gallery(files)] : []), text(messageText), ...(rows ?? [])];
	// An edit from progress to a card has to remove the text.
	return { ...common, content: null, components: [card(parts, tone)], flags: CARD_FLAG | visibility };
}
