import {
	DiscordAPIError,
	MessageFlags,
	RESTJSONErrorCodes,
	type InteractionReplyOptions,
	type MessageComponentInteraction,
	type RepliableInteraction,
} from "discord.js";
import { CARD_FLAG, type cardReply } from "../../discord/card.ts";
import { localeOfReply } from "./guild-locale.ts";
import type { CommandServices } from "../command-services.ts";

type ReplyableInteraction = RepliableInteraction | MessageComponentInteraction;

/**
 * Replies to the requesting member alone. Discord keeps the visibility of a deferred reply, and turns the first follow-up
 * into that reply: a public deferral is therefore deleted before the ephemeral message is sent.
 */
export async function replyPrivately(
	interaction: ReplyableInteraction,
	message: (ReturnType<typeof cardReply> & Pick<InteractionReplyOptions, "files">) | { readonly content: string },
	services: CommandServices,
): Promise<void> {
	const { deferred, replied, ephemeral } = interaction;
	const isCard = "components" in message;
	const flags: InteractionReplyOptions["flags"] = isCard ? [MessageFlags.Ephemeral, CARD_FLAG] : MessageFlags.Ephemeral;
	const privately = { ...message, flags };
	if (!deferred && !replied) {
		await interaction.reply(privately);
	} else if (ephemeral === false) {
		await removePublicReply(interaction, services);
		await interaction.followUp(privately);
	} else if (ephemeral === null) {
		// A component that was only acknowledged has no reply: an edit would change the message that it belongs to.
		await interaction.followUp(privately);
	} else {
		// The reply may show a text, which a card does not allow.
		await interaction.editReply({ content: null, ...message });
	}
}

/** Deletes the reply, or the message of a component whose update is deferred, unless it is deleted already. */
export async function deleteReply(interaction: ReplyableInteraction): Promise<void> {
	try {
		await interaction.deleteReply();
	} catch (error) {
		const isGone = error instanceof DiscordAPIError && error.code === RESTJSONErrorCodes.UnknownMessage;
		if (!isGone) throw error;
	}
}

/** Deletes the deferral. If Discord rejects that, edits it to a sentence that does not mention the member. */
async function removePublicReply(interaction: ReplyableInteraction, services: CommandServices): Promise<void> {
	try {
		await deleteReply(interaction);
	} catch (error) {
		services.logger.warn({ err: error }, "public reply not deleted");
		const locale = await localeOfReply(interaction, services);
		await interaction.editReply({ content: services.commandMentions.say(locale, { key: "request.repliedPrivately" }) });
	}
}
