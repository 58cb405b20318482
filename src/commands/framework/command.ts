/** Commands: what Discord shows of them, in every language, and what they do. Commands exist in servers only: credits belong to servers. */
import {
	ApplicationCommandOptionType,
	ApplicationCommandType,
	ApplicationIntegrationType,
	InteractionContextType,
	MessageFlags,
	type APIApplicationCommandBasicOption,
	type APIApplicationCommandOption,
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

/** The messages `command.NAME` and `command.NAME_SUBCOMMAND` describe commands and subcommands. */
type Described = PlainKey extends infer Key ? (Key extends `command.${infer Path}` ? Path : never) : never;
type CommandName = Extract<Described, CommandWord>;
type SubcommandName<Name extends CommandName> = Described extends infer Path
	? Path extends `${Name}_${infer Rest extends CommandWord}`
		? Rest
		: never
	: never;

interface SlashCommandSpec {
	readonly options?: readonly APIApplicationCommandOption[];
	/** The permission that Discord shows the command to; by default it shows it to everyone. */
	readonly permission?: bigint | undefined;
	readonly execute: Execute<SlashInteraction>;
	readonly autocomplete?: Autocomplete;
}

/** Defines a slash command whose `execute` must defer the reply. */
export function defineSlashCommand(
	name: CommandName,
	{ options = [], permission, execute, autocomplete }: SlashCommandSpec,
): Command {
	return {
		definition: {
			type: ApplicationCommandType.ChatInput,
			...localized(name, `command.${name}`),
			...(options.length > 0 && { options: [...options] }),
			...inGuilds(permission),
		},
		execute: execute as Command["execute"],
		...(autocomplete && { autocomplete }),
	};
}

/** A subcommand, executed after its command has deferred the reply and checked its audience. */
interface Subcommand<Name extends CommandWord> {
	readonly name: Name;
	readonly options: readonly APIApplicationCommandBasicOption[];
	readonly execute: Execute<SlashInteraction>;
}

export function subcommand<const Name extends CommandWord>(
	name: Name,
	options: readonly APIApplicationCommandBasicOption[],
	execute: Execute<SlashInteraction>,
): Subcommand<Name> {
	return { name, options, execute };
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
export function definePrivateCommand(name: CommandName, { audience, execute, ...spec }: PrivateCommandSpec): Command {
	return defineSlashCommand(name, {
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
export function defineCommandGroup<const Name extends CommandName>(
	name: Name,
	subcommands: readonly Subcommand<SubcommandName<NoInfer<Name>>>[],
	spec: Pick<PrivateCommandSpec, "audience" | "autocomplete"> = {},
): Command {
	return definePrivateCommand(name, {
		...spec,
		options: subcommands.map((each) => ({
			type: ApplicationCommandOptionType.Subcommand,
			...localized(each.name, `command.${name}_${each.name}` as PlainKey),
			options: [...each.options],
		})),
		async execute(interaction, services) {
			const chosen = interaction.options.getSubcommand();
			const found = subcommands.find((each) => each.name === chosen);
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
