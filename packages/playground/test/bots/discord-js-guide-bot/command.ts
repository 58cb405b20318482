import type { ChatInputCommandInteraction, Interaction, SlashCommandOptionsOnlyBuilder } from "discord.js";

/** One file of the command folder exports one command. */
export interface Command {
	readonly data: SlashCommandOptionsOnlyBuilder;
	/** The wait before the next use by the same member. */
	readonly cooldownS?: number;
	readonly execute: (interaction: ChatInputCommandInteraction) => Promise<unknown>;
	/** Handles the components and forms of the command, whose custom ids begin with its name. */
	readonly respond?: (interaction: Interaction) => Promise<unknown>;
}
