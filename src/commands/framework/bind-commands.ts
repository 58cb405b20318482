/** Gives commands and components the services of their feature. */
import type { AutocompleteInteraction } from "discord.js";
import type { Logger } from "pino";
import type { Command, InGuild, MessageInteraction, SlashInteraction } from "./command.ts";
import type { Component, ComponentInteraction } from "./component.ts";

/** The commands and components of a feature. `Deps` are the services that they call together. */
export interface CommandSet<Deps> {
	readonly commands?: readonly Command<Deps>[];
	readonly components?: readonly Component<Deps>[];
}

interface BoundCommand extends Pick<Command<never>, "definition"> {
	execute(interaction: SlashInteraction | MessageInteraction, logger: Logger): Promise<void>;
	autocomplete(interaction: AutocompleteInteraction<InGuild>): Promise<void>;
}

interface BoundComponent extends Pick<Component<never>, "kind" | "name"> {
	execute(interaction: ComponentInteraction, logger: Logger): Promise<void>;
}

export interface BoundCommandSet {
	readonly commands: readonly BoundCommand[];
	readonly components: readonly BoundComponent[];
}

export function bind<Deps>({ commands = [], components = [] }: CommandSet<Deps>, deps: Deps): BoundCommandSet {
	return {
		commands: commands.map(({ definition, execute, autocomplete }) => ({
			definition,
			execute: (interaction, logger) => execute(interaction, deps, logger),
			autocomplete: async (interaction) => await autocomplete?.(interaction, deps),
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
		components: sets.flatMap(({ components }) => components),
	};
}
