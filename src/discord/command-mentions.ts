/** Turns command names in texts, such as `/job get` in backticks, into mentions that members can click. */
import { ApplicationCommandOptionType, type APIApplicationCommandOption } from "discord.js";
import { z } from "zod";
import type { MessageDescriptor } from "../i18n/message-descriptor.ts";
import { t } from "../i18n/messages.ts";

/** The parts of a definition that name it. */
export interface Named {
	readonly name: string;
	readonly name_localizations?: Readonly<Partial<Record<string, string | null>>> | null | undefined;
	readonly options?: readonly APIApplicationCommandOption[] | undefined;
}

export type CommandMentions = ReturnType<typeof createCommandMentions>;

const Registered = z.array(z.object({ id: z.string(), name: z.string() }));
/** A command in backticks. Escaped backticks are text of a member. */
const COMMAND = /(?<!\\)`\/([\p{L}\p{N}_ -]{1,100})`/gu;

export function createCommandMentions(definitions: readonly Named[]) {
	const ids = new Map<string, string>();
	/** Commands without a known id stay as they are. `locale`: the language of the text. */
	const link = (text: string, locale: string): string =>
		text.replaceAll(COMMAND, (typed, shown: string) => {
			const path = pathOf(definitions, shown.split(" "), locale);
			const id = path && ids.get(path[0] ?? "");
			return path && id !== undefined ? `</${path.join(" ")}:${id}>` : typed;
		});
	/** Formats a message for a reply to an interaction: as `t`, with the mentions. */
	const say = (locale: string, message: MessageDescriptor): string => link(t(locale, message), locale);
	return {
		link,
		say,
		sayLines: (locale: string, lines: readonly MessageDescriptor[]): string =>
			lines.map((line) => say(locale, line)).join("\n"),
		/** Takes ids from a list of registered commands, such as Discord's response to the registration. */
		learn(registered: unknown): void {
			const { data = [] } = Registered.safeParse(registered);
			for (const { id, name } of data) ids.set(name, id);
		},
		/** Returns the id of a command by its registered name; `undefined` while it is unknown. */
		idOf: (commandName: string): string | undefined => ids.get(commandName),
	};
}

/** Returns the registered names of a command that is written in the language of the text. */
function pathOf(commands: readonly Named[], words: readonly string[], locale: string): readonly string[] | undefined {
	const [word, ...rest] = words;
	const found = commands.find((each) => (each.name_localizations?.[locale] ?? each.name) === word);
	if (!found) return undefined;
	const subcommands = (found.options ?? []).filter(({ type }) => type === ApplicationCommandOptionType.Subcommand);
	// A command with subcommands cannot be used without one.
	if (rest.length === 0) return subcommands.length > 0 ? undefined : [found.name];
	const path = pathOf(subcommands, rest, locale);
	return path && [found.name, ...path];
}
