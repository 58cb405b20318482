/** How Discord shows commands, options and choices: in each person's own language, and in English where there is none. */
import type {
	APIApplicationCommandOptionChoice,
	ContextMenuCommandBuilder,
	LocalizationMap,
	SharedNameAndDescription,
} from "discord.js";
import { TRANSLATED_LOCALES } from "../i18n/languages.ts";
import type { CommandWord, MessageRef } from "../i18n/message-ref.ts";
import type { PlainKey } from "../i18n/message-params.ts";
import { t } from "../i18n/messages.ts";

const ENGLISH = "en-US";

/** The name and the description of a command, a subcommand or an option. */
export function localize<Builder extends SharedNameAndDescription>(
	builder: Builder,
	name: CommandWord,
	description: PlainKey,
): Builder {
	return builder
		.setName(name)
		.setNameLocalizations(localized((locale) => plainly(locale, `name.${name}`)))
		.setDescription(plainly(ENGLISH, description))
		.setDescriptionLocalizations(localized((locale) => plainly(locale, description)));
}

/** The name of a command in a context menu: words as they are read, blanks and capitals included. */
export function localizeTitle(builder: ContextMenuCommandBuilder, name: PlainKey): ContextMenuCommandBuilder {
	return builder.setName(plainly(ENGLISH, name)).setNameLocalizations(localized((locale) => plainly(locale, name)));
}

/** Plain messages only: formatting parameters at the start would load the data of every language. */
export function localizeChoice<Value extends string | number>(
	ref: MessageRef<PlainKey>,
	value: Value,
): APIApplicationCommandOptionChoice<Value> {
	return { name: t(ENGLISH, ref), name_localizations: localized((locale) => t(locale, ref)), value };
}

function plainly(locale: string, key: PlainKey): string {
	return t(locale, { key } as MessageRef);
}

function localized(text: (locale: string) => string): LocalizationMap {
	return Object.fromEntries(TRANSLATED_LOCALES.map((locale) => [locale, text(locale)]));
}
