import { MessageFlags, type RepliableInteraction } from "discord.js";

/**
 * Answers "thinking…", for everyone to see or for whoever asked alone: the answer stays what it is then. Resolves to the
 * id of the message that becomes the reply.
 */
export async function deferReply(
	interaction: RepliableInteraction,
	{ isPrivate }: { readonly isPrivate: boolean },
): Promise<string> {
	try {
		const { resource } = await interaction.deferReply({
			withResponse: true,
			...(isPrivate && { flags: MessageFlags.Ephemeral }),
		});
		if (resource?.message) return resource.message.id;
	} catch (error) {
		// Discord has accepted the defer, and discord.js cannot read the answer: it is empty, or something else.
		if (!interaction.deferred) throw error;
	}
	return (await interaction.fetchReply()).id;
}
