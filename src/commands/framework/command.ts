/** Commands: what Discord shows of them, in every language, and what they do. Commands exist in servers only: credits belong to servers. */
import {
	ApplicationCommandOptionType,
	ApplicationCommandType,
	ApplicationIntegrationType,
	InteractionContextType,
	MessageFlags,
	type APIApplicationCommandBasicOption,
	type APIApplicationCommandOption,
	type APIApplicationCommandSubcommandOption,
	type AutocompleteInteraction,
	type ChatInputCommandInteraction,
	type MessageContextMenuCommandInteraction,
	type RESTPostAPIChatInputApplicationCommandsJSONBody,
	type RESTPostAPIContextMenuApplicationCommandsJSONBody,
} from "discord.js";
import type { CommandWord, PlainKey } from "../../i18n/message-descriptor.ts";
import { localized, localizedTitle } from "./localize.ts";
import type { CommandServices } from "../command-services.ts";

/** Commands work the same whether or not the client has the server in its cache. */
export type InGuild = "raw" | "cached";

export type SlashInteraction = ChatInputCommandInteraction<InGuild>;
export type MessageInteraction = MessageContextMenuCommandInteraction<InGuild>;
type Execute<Interaction> = (interaction: Interaction, services: CommandServices) => Promise<void>;
type Autocomplete = (interaction: AutocompleteInteraction<InGuild>, services: CommandServices) => Promise<void>;

/** A command: its own file, and an entry in the list of `index.ts`. */
export interface Command {
	/** The body that registers the command with Discord. */
	readonly definition:
		| RESTPostAPIChatInputApplicationCommandsJSONBody
		| RESTPostAPIContextMenuApplicationCommandsJSONBody;
	/** `dispatch.ts` catches what it throws, replies with a translated text, and logs it. */
	readonly execute: Execute<SlashInteraction | MessageInteraction>;
	/** Answers within Discord's three seconds: reads only what is in memory or quick to read. */
	readonly autocomplete?: Autocomplete;
}

interface SlashCommandSpec {
	readonly options?: readonly APIApplicationCommandOption[];
	/** The permission that Discord shows the command to; by default it shows it to everyone. */
	readonly permission?: bigint | undefined;
	readonly execute: Execute<SlashInteraction>;
	readonly autocomplete?: Autocomplete;
}

/** Defines a slash command whose `execute` must defer the reply. */
export function defineSlashCommand(
	name: CommandWord,
	description: PlainKey,
	{ options = [], permission, execute, autocomplete }: SlashCommandSpec,
): Command {
	return {
		definition: {
			type: ApplicationCommandType.ChatInput,
			...localized(name, description),
			...(options.length > 0 && { options: [...options] }),
			...inGuilds(permission),
		},
		execute: execute as Command["execute"],
		...(autocomplete && { autocomplete }),
	};
}

/** A subcommand, executed after its command has deferred the reply and checked its audience. */
export interface Subcommand {
	readonly definition: APIApplicationCommandSubcommandOption;
	readonly execute: Execute<SlashInteraction>;
}

export function subcommand(
	name: CommandWord,
	description: PlainKey,
	options: readonly APIApplicationCommandBasicOption[],
	execute: Execute<SlashInteraction>,
): Subcommand {
	const type = ApplicationCommandOptionType.Subcommand;
	return { definition: { type, ...localized(name, description), options: [...options] }, execute };
}

/** The members who may use a command. Discord shows it to those with `permission`; `require` denies all others. */
export interface Audience {
	readonly permission: bigint;
	readonly require: (
		interaction: SlashInteraction | AutocompleteInteraction<InGuild>,
		services: CommandServices,
	) => Promise<void>;
}

interface PrivateCommandSpec extends Omit<SlashCommandSpec, "permission"> {
	/** The members who may use it; everyone by default. */
	readonly audience?: Audience;
}

/** Defines a slash command that replies to its member alone. */
export function definePrivateCommand(
	name: CommandWord,
	description: PlainKey,
	{ audience, execute, ...spec }: PrivateCommandSpec,
): Command {
	return defineSlashCommand(name, description, {
		...spec,
		permission: audience?.permission,
		async execute(interaction, services) {
			await interaction.deferReply({ flags: MessageFlags.Ephemeral });
			await audience?.require(interaction, services);
			await execute(interaction, services);
		},
	});
}

/** Defines a slash command of subcommands that reply to their member alone. */
export function defineCommandGroup(
	name: CommandWord,
	description: PlainKey,
	subcommands: readonly Subcommand[],
	spec: Pick<PrivateCommandSpec, "audience" | "autocomplete"> = {},
): Command {
	const byName = new Map(subcommands.map((each) => [each.definition.name, each]));
	return definePrivateCommand(name, description, {
		...spec,
		options: subcommands.map(({ definition }) => definition),
		async execute(interaction, services) {
			const chosen = interaction.options.getSubcommand();
			const found = byName.get(chosen);
			if (!found) throw new Error(`unknown subcommand: ${chosen}`);
			await found.execute(interaction, services);
		},
	});
}

/** Defines a command in the context menu of messages. */
export function defineMessageCommand(
	title: PlainKey,
	execute: Execute<MessageInteraction>,
	permission?: bigint,
): Command {
	return {
		definition: { type: ApplicationCommandType.Message, ...localizedTitle(title), ...inGuilds(permission) },
		execute: execute as Command["execute"],
	};
}

function inGuilds(permission: bigint | undefined) {
	return {
		contexts: [InteractionContextType.Guild],
		integration_types: [ApplicationIntegrationType.GuildInstall],
		...(permission !== undefined && { default_member_permissions: String(permission) }),
	};
}
