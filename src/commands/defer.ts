import { DiscordAPIError, MessageFlags, RESTJSONErrorCodes, type RepliableInteraction } from "discord.js";

/**
 * Answers "thinking…", for everyone to see or for whoever asked alone: the answer stays what it is then. Resolves to the
 * id of the message that becomes the reply. `isSurelyOurs`: no other process can have answered it.
 */
export async function deferResult(
	interaction: RepliableInteraction,
	{ isPrivate, isSurelyOurs }: { readonly isPrivate: boolean; readonly isSurelyOurs: boolean },
): Promise<string> {
	try {
		const { resource } = await interaction.deferReply({
			withResponse: true,
			...(isPrivate && { flags: MessageFlags.Ephemeral }),
		});
		if (resource?.message) return resource.message.id;
	} catch (error) {
		// The answer to an earlier try was lost, and discord.js sent it again: the first one counts.
		const isTaken =
			error instanceof DiscordAPIError && error.code === RESTJSONErrorCodes.InteractionHasAlreadyBeenAcknowledged;
		if (!isTaken || !isSurelyOurs) throw error;
	}
	return (await interaction.fetchReply()).id;
}
