import { MessageFlags, type RepliableInteraction } from "discord.js";

/** Defers the reply, public or ephemeral for good. Resolves to the id of the message that becomes the reply. */
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
		// Discord accepted the deferral, but discord.js could not parse the response.
		if (!interaction.deferred) throw error;
	}
	return (await interaction.fetchReply()).id;
}
