/** Gives commands and components the services of their feature. */
import type {
	AutocompleteInteraction,
	ChatInputCommandInteraction,
	MessageContextMenuCommandInteraction,
} from "discord.js";
import type { Logger } from "pino";
import type { Command, InGuild, MessageCommand } from "./command.ts";
import type { Component, ComponentInteraction } from "./components/component.ts";

/** The commands and components of a feature. `Deps` are the services that they call together. */
export interface CommandSet<Deps> {
	readonly commands?: readonly Command<Deps>[];
	readonly messageCommands?: readonly MessageCommand<Deps>[];
	readonly components?: readonly Component<Deps>[];
}

interface BoundCommand extends Pick<Command<never>, "definition"> {
	execute(interaction: ChatInputCommandInteraction<InGuild>, logger: Logger): Promise<void>;
	autocomplete?(interaction: AutocompleteInteraction): Promise<void>;
}

interface BoundMessageCommand extends Pick<MessageCommand<never>, "definition"> {
	execute(interaction: MessageContextMenuCommandInteraction<InGuild>, logger: Logger): Promise<void>;
}

interface BoundComponent extends Pick<Component<never>, "kind" | "name"> {
	execute(interaction: ComponentInteraction, logger: Logger): Promise<void>;
}

export interface BoundCommandSet {
	readonly commands: readonly BoundCommand[];
	readonly messageCommands: readonly BoundMessageCommand[];
	readonly components: readonly BoundComponent[];
}

/** Binds the commands and components of a feature to its services. */
export function bind<Deps>(set: CommandSet<Deps>, deps: Deps): BoundCommandSet {
	const { commands = [], messageCommands = [], components = [] } = set;
	return {
		commands: commands.map(({ definition, execute, autocomplete }) => ({
			definition,
			execute: (interaction, logger) => execute(interaction, deps, logger),
			...(autocomplete && { autocomplete: (interaction: AutocompleteInteraction) => autocomplete(interaction, deps) }),
		})),
		messageCommands: messageCommands.map(({ definition, execute }) => ({
			definition,
			execute: (interaction, logger) => execute(interaction, deps, logger),
		})),
		components: components.map(({ kind, name, execute }) => ({
			kind,
			name,
			execute: (interaction, logger) => execute(interaction, deps, logger),
		})),
	};
}

export function joinCommandSets(sets: readonly BoundCommandSet[]): BoundCommandSet {
	return {
		commands: sets.flatMap(({ commands }) => commands),
		messageCommands: sets.flatMap(({ messageCommands }) => messageCommands),
		components: sets.flatMap(({ components }) => components),
	};
}
