import type {
	AutocompleteInteraction,
	ChatInputCommandInteraction,
	MessageContextMenuCommandInteraction,
	RESTPostAPIChatInputApplicationCommandsJSONBody,
	RESTPostAPIContextMenuApplicationCommandsJSONBody,
} from "discord.js";
import type { Logger } from "pino";

/** Commands work the same whether or not the client has the guild in its cache. */
export type InGuild = "raw" | "cached";

/**
 * A slash command: its own file, and one line in `index.ts`. `Deps` are the services that it calls; its feature in
 * `src/app` binds them.
 */
export interface Command<Deps> {
	/** The body that registers the command with Discord. */
	readonly definition: RESTPostAPIChatInputApplicationCommandsJSONBody;
	/** `dispatch.ts` catches what it throws, replies with a translated text, and logs it. */
	readonly execute: (interaction: ChatInputCommandInteraction<InGuild>, deps: Deps, logger: Logger) => Promise<void>;
	/** Answers within Discord's three seconds: reads only what is in memory or quick to read. */
	readonly autocomplete?: (interaction: AutocompleteInteraction, deps: Deps) => Promise<void>;
}

/** A command in the context menu of a message: its own file, and one line in `index.ts`. */
export interface MessageCommand<Deps> {
	readonly definition: RESTPostAPIContextMenuApplicationCommandsJSONBody;
	readonly execute: (
		interaction: MessageContextMenuCommandInteraction<InGuild>,
		deps: Deps,
		logger: Logger,
	) => Promise<void>;
}

/** A subcommand, called after its command has deferred the reply. */
export type Subcommand<Deps> = Command<Deps>["execute"];

/** Finds the subcommand of an interaction in the table of its command. */
export function subcommandOf<Deps>(
	{ options }: ChatInputCommandInteraction<InGuild>,
	subcommands: Readonly<Record<string, Subcommand<Deps>>>,
): Subcommand<Deps> {
	const name = options.getSubcommand();
	const subcommand = Object.hasOwn(subcommands, name) ? subcommands[name] : undefined;
	if (!subcommand) throw new Error(`unknown subcommand: ${name}`);
	return subcommand;
}
