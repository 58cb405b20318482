import { DiscordAPIError, RESTJSONErrorCodes, type ChatInputCommandInteraction } from "discord.js";

/** Answers "thinking…", for everyone to see. Resolves to the id of the message that becomes the reply. */
export async function deferPublicly(interaction: ChatInputCommandInteraction): Promise<string> {
	try {
		const { resource } = await interaction.deferReply({ withResponse: true });
		if (resource?.message) return resource.message.id;
	} catch (error) {
		// The answer to an earlier try was lost, and discord.js sent it again: the first one counts.
		const isTaken =
			error instanceof DiscordAPIError && error.code === RESTJSONErrorCodes.InteractionHasAlreadyBeenAcknowledged;
		if (!isTaken) throw error;
	}
	return (await interaction.fetchReply()).id;
}
