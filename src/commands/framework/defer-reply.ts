import { MessageFlags, type RepliableInteraction } from "discord.js";

/** Defers the reply as public or ephemeral, which cannot change later. Resolves to the id of the reply message. */
export async function deferAndReadId(
	interaction: RepliableInteraction,
	{ isEphemeral }: { readonly isEphemeral: boolean },
): Promise<string> {
	try {
		const { resource } = await interaction.deferReply({
			withResponse: true,
			...(isEphemeral && { flags: MessageFlags.Ephemeral }),
		});
		if (resource?.message) return resource.message.id;
	} catch (error) {
		// Discord accepted the deferral, but discord.js could not parse the response.
		if (!interaction.deferred) throw error;
	}
	return (await interaction.fetchReply()).id;
}
