import type { InteractionEditReplyOptions, MessageComponentInteraction, ModalSubmitInteraction } from "discord.js";
import type { CommandServices } from "../command-services.ts";

/** Shows a performed action in the message of its button. If the message is deleted, the action must not be reported as failed. */
export async function updatePressedMessage(
	interaction: MessageComponentInteraction | ModalSubmitInteraction,
	message: InteractionEditReplyOptions,
	{ logger }: Pick<CommandServices, "logger">,
): Promise<void> {
	try {
		await interaction.editReply(message);
	} catch (error) {
		logger.warn({ err: error }, "pressed message not updated");
	}
}
