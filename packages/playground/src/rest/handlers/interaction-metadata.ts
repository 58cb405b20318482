import { commandNameOf, type Interaction } from "../../simulator/interactions.ts";
import type { StoredMessage, MessageOrigin } from "../../simulator/stored-message.ts";

/** Returns the interaction metadata of a message. */
export function interactionMetadata(
	interaction: Interaction,
	isFollowUp: boolean,
): NonNullable<StoredMessage["interaction"]> {
	const { id, userId } = interaction;
	return { id, name: commandNameOf(interaction), userId, isFollowUp, origin: originOf(interaction) };
}

function originOf(interaction: Interaction): MessageOrigin {
	switch (interaction.kind) {
		case "component":
			return { kind: "component", messageId: interaction.messageId };
		case "modal":
			return { kind: "modal", opener: interaction.opener };
		case "command":
		case "autocomplete": {
			const target = interaction.kind === "command" ? interaction.target : undefined;
			return { kind: "command", commandName: interaction.commandName, ...(target && { target }) };
		}
	}
}
