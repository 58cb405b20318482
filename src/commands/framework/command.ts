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
import type { Logger } from "pino";
import type { CommandWord, PlainKey } from "../../i18n/message-descriptor.ts";
import { localized, localizedTitle } from "./localize.ts";

/** Commands work the same whether or not the client has the server in its cache. */
export type InGuild = "raw" | "cached";

export type SlashInteraction = ChatInputCommandInteraction<InGuild>;
export type MessageInteraction = MessageContextMenuCommandInteraction<InGuild>;
type Execute<Interaction, Deps> = (interaction: Interaction, deps: Deps, logger: Logger) => Promise<void>;
type Autocomplete<Deps> = (interaction: AutocompleteInteraction<InGuild>, deps: Deps) => Promise<void>;

/**
 * A command: its own file, and an entry in a set of `index.ts`. `Deps` are the services that it calls; its feature in `src/app`
 * binds them.
 */
export interface Command<Deps> {
	/** The body that registers the command with Discord. */
	readonly definition:
		| RESTPostAPIChatInputApplicationCommandsJSONBody
		| RESTPostAPIContextMenuApplicationCommandsJSONBody;
	/** `dispatch.ts` catches what it throws, replies with a translated text, and logs it. */
	readonly execute: Execute<SlashInteraction | MessageInteraction, Deps>;
	/** Answers within Discord's three seconds: reads only what is in memory or quick to read. */
	readonly autocomplete?: Autocomplete<Deps>;
}

interface SlashCommandSpec<Deps> {
	readonly options?: readonly APIApplicationCommandOption[];
	/** The permission that Discord shows the command to; by default it shows it to everyone. */
	readonly permission?: bigint | undefined;
	readonly execute: Execute<SlashInteraction, Deps>;
	readonly autocomplete?: Autocomplete<Deps>;
}

/** Defines a slash command whose `execute` must defer the reply. */
export function defineSlashCommand<Deps>(
	name: CommandWord,
	description: PlainKey,
	{ options = [], permission, execute, autocomplete }: SlashCommandSpec<Deps>,
): Command<Deps> {
	return {
		definition: {
			type: ApplicationCommandType.ChatInput,
			...localized(name, description),
			...(options.length > 0 && { options: [...options] }),
			...inGuilds(permission),
		},
		execute: execute as Command<Deps>["execute"],
		...(autocomplete && { autocomplete }),
	};
}

/** A subcommand, executed after its command has deferred the reply and checked its audience. */
export interface Subcommand<Deps> {
	readonly definition: APIApplicationCommandSubcommandOption;
	readonly execute: Execute<SlashInteraction, Deps>;
}

export function subcommand<Deps>(
	name: CommandWord,
	description: PlainKey,
	options: readonly APIApplicationCommandBasicOption[],
	execute: Execute<SlashInteraction, Deps>,
): Subcommand<Deps> {
	const type = ApplicationCommandOptionType.Subcommand;
	return { definition: { type, ...localized(name, description), options: [...options] }, execute };
}

/** The members who may use a command. Discord shows it to those with `permission`; `require` denies all others. */
export interface Audience<Deps> {
	readonly permission: bigint;
	readonly require: (interaction: SlashInteraction | AutocompleteInteraction<InGuild>, deps: Deps) => Promise<void>;
}

interface PrivateCommandSpec<Deps> extends Omit<SlashCommandSpec<Deps>, "permission"> {
	/** The members who may use it; everyone by default. */
	readonly audience?: Audience<Deps>;
}

/** Defines a slash command that replies to its member alone. */
export function definePrivateCommand<Deps>(
	name: CommandWord,
	description: PlainKey,
	{ audience, execute, ...spec }: PrivateCommandSpec<Deps>,
): Command<Deps> {
	return defineSlashCommand<Deps>(name, description, {
		...spec,
		permission: audience?.permission,
		async execute(interaction, deps, logger) {
			await interaction.deferReply({ flags: MessageFlags.Ephemeral });
			await audience?.require(interaction, deps);
			await execute(interaction, deps, logger);
		},
	});
}

/** Defines a slash command of subcommands that reply to their member alone. */
export function defineCommandGroup<Deps>(
	name: CommandWord,
	description: PlainKey,
	subcommands: readonly Subcommand<Deps>[],
	spec: Pick<PrivateCommandSpec<Deps>, "audience" | "autocomplete"> = {},
): Command<Deps> {
	const byName = new Map(subcommands.map((each) => [each.definition.name, each]));
	return definePrivateCommand<Deps>(name, description, {
		...spec,
		options: subcommands.map(({ definition }) => definition),
		async execute(interaction, deps, logger) {
			const chosen = interaction.options.getSubcommand();
			const found = byName.get(chosen);
			if (!found) throw new Error(`unknown subcommand: ${chosen}`);
			await found.execute(interaction, deps, logger);
		},
	});
}

/** Defines a command in the context menu of messages. */
export function defineMessageCommand<Deps>(
	title: PlainKey,
	execute: Execute<MessageInteraction, Deps>,
	permission?: bigint,
): Command<Deps> {
	return {
		definition: { type: ApplicationCommandType.Message, ...localizedTitle(title), ...inGuilds(permission) },
		execute: execute as Command<Deps>["execute"],
	};
}

function inGuilds(permission: bigint | undefined) {
	return {
		contexts: [InteractionContextType.Guild],
		integration_types: [ApplicationIntegrationType.GuildInstall],
		...(permission !== undefined && { default_member_permissions: String(permission) }),
	};
}
