/**
 * The forms of a message with the result of a task: as a card and as a classic message. No I/O. The documentation of Discord
 * contradicts itself about uploads in cards, so a result must never depend on them: docs/decisions/0014-cards.md.
 */
import { MessageFlags, type APIActionRowComponent, type APIComponentInMessageActionRow } from "discord.js";
import type { DeliveryRoute } from "../services/delivery/delivery-routes.ts";
import type { FinalReply } from "../services/delivery/final-reply.ts";
import { card, CARD_FLAG, gallery, text } from "./card.ts";
import { imageRows, taskButtonCardRows, taskButtonRows } from "./task-buttons.ts";

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
	/** Discord posts one message for a nonce, within a few minutes. */
	readonly nonce?: string;
}

interface MessageContent extends Pick<FinalReply, "text" | "files" | "tone"> {
	readonly rows: readonly Row[];
	readonly cardRows: readonly Row[];
}

/** Lists the forms of a message, best first: a card and a classic message. No player is documented for audio in cards. */
export function cardAndClassic({
	text: messageText,
	files,
	tone,
	rows,
	cardRows,
}: MessageContent): readonly MessageForm[] {
	const hasAudio = files.some(({ contentType }) => contentType.startsWith("audio/"));
	const classic = { text: messageText, files, rows };
	return hasAudio ? [classic] : [{ text: messageText, files, tone, rows: cardRows }, classic];
}

/** Lists the forms of a reply by one route, best first: with the prompt and without, each as a card and as a classic message. */
export function listForms(route: DeliveryRoute, finalReply: FinalReply, mayBeCard: boolean): readonly MessageForm[] {
	const { text: fullText, textWithoutPrompt } = route === "directMessage" ? finalReply.direct : finalReply;
	const rows = rowsFor(route, finalReply, taskButtonRows);
	const cardRows = rowsFor(route, finalReply, taskButtonCardRows);
	return [...new Set([fullText, textWithoutPrompt])]
		.flatMap((messageText) => cardAndClassic({ ...finalReply, text: messageText, rows, cardRows }))
		.filter(({ tone }) => mayBeCard || tone === undefined);
}

function rowsFor(
	route: DeliveryRoute,
	{ taskId, buttons, images = [], moreLabel }: FinalReply,
	buttonRows: typeof taskButtonCardRows,
): readonly Row[] {
	// Buttons act on a server and its credits, so direct messages have none. Those of a follow-up belong to the public reply, which is gone.
	if (route === "directMessage" || route === "ephemeralFollowUp") return [];
	return [...imageRows(taskId, images), ...buttonRows(taskId, buttons, moreLabel)];
}

/** Builds the body of the request. `attachments` lists all files of the message; without `allowed_mentions` each edit would ping again. */
export function buildMessageBody({ text: messageText, files, rows, tone, nonce, isEphemeral = false }: MessageForm) {
	const attachments = files.map(({ name, description, isSpoiler }, index) => ({
		id: String(index),
		filename: name,
		description,
		...(isSpoiler && { is_spoiler: true }),
	}));
	const visibility = isEphemeral ? MessageFlags.Ephemeral : 0;
	const uniqueness = nonce === undefined ? {} : { nonce, enforce_nonce: true };
	const common = { ...uniqueness, attachments, allowed_mentions: { parse: [] } };
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
