import {
	DiscordAPIError,
	RESTJSONErrorCodes,
	type InteractionEditReplyOptions,
	type MessageComponentInteraction,
	type ModalSubmitInteraction,
} from "discord.js";
import { t } from "../../i18n/messages.ts";
import type { CommandServices } from "../command-services.ts";
import { replyPrivately } from "./reply-privately.ts";

/**
 * Shows a performed action in the message of its button, in the report channel. If that is impossible, the action must not be reported
 * as failed.
 */
export async function updatePressedMessage(
	interaction: MessageComponentInteraction | ModalSubmitInteraction,
	message: InteractionEditReplyOptions,
	services: CommandServices,
): Promise<void> {
	try {
		await interaction.editReply(message);
	} catch (error) {
		if (error instanceof DiscordAPIError && error.code === RESTJSONErrorCodes.UnknownMessage) return;
		services.logger.warn({ err: error }, "pressed message not updated");
		const content = t(interaction.locale, { key: "report.messageStale" });
		await replyPrivately(interaction, { content }, services);
	}
}
