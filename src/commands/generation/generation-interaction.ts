import type {
	ButtonInteraction,
	ChatInputCommandInteraction,
	MessageContextMenuCommandInteraction,
	ModalSubmitInteraction,
} from "discord.js";
import type { InGuild } from "../framework/command.ts";

/** The interactions that start a generation. */
export type GenerationInteraction =
	| ChatInputCommandInteraction<InGuild>
	| ButtonInteraction<InGuild>
	| ModalSubmitInteraction<InGuild>
	| MessageContextMenuCommandInteraction<InGuild>;
