/** Builders of commands that exist in servers only: credits belong to servers. */
import {
	ApplicationCommandType,
	ApplicationIntegrationType,
	ContextMenuCommandBuilder,
	InteractionContextType,
	SlashCommandBuilder,
} from "discord.js";
import type { PlainKey } from "../i18n/message-params.ts";
import type { CommandWord } from "../i18n/message-descriptor.ts";
import { localize, localizeTitle } from "./localize.ts";

export function guildCommand(name: CommandWord, description: PlainKey): SlashCommandBuilder {
	return localize(new SlashCommandBuilder(), name, description)
		.setContexts(InteractionContextType.Guild)
		.setIntegrationTypes(ApplicationIntegrationType.GuildInstall);
}

/** Builds a command in the context menu of messages. */
export function guildMessageCommand(name: PlainKey): ContextMenuCommandBuilder {
	return localizeTitle(new ContextMenuCommandBuilder(), name)
		.setType(ApplicationCommandType.Message)
		.setContexts(InteractionContextType.Guild)
		.setIntegrationTypes(ApplicationIntegrationType.GuildInstall);
}
