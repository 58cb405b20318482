/** Localizes commands, options and choices. Discord shows them in each user's language, or in English as a fallback. */
import type {
	APIApplicationCommandOptionChoice,
	ContextMenuCommandBuilder,
	LocalizationMap,
	SharedNameAndDescription,
} from "discord.js";
import { TRANSLATED_LOCALES } from "../i18n/languages.ts";
import type { CommandWord, MessageDescriptor } from "../i18n/message-descriptor.ts";
import type { PlainKey } from "../i18n/message-params.ts";
import { t } from "../i18n/messages.ts";

const ENGLISH = "en-US";

/** Localizes the name and the description of a command, a subcommand or an option. */
export function localize<Builder extends SharedNameAndDescription>(
	builder: Builder,
	name: CommandWord,
	description: PlainKey,
): Builder {
	return builder
		.setName(name)
		.setNameLocalizations(localizationsOf((locale) => translate(locale, `name.${name}`)))
		.setDescription(translate(ENGLISH, description))
		.setDescriptionLocalizations(localizationsOf((locale) => translate(locale, description)));
}

/** Localizes the name of a command in a context menu, which may contain spaces and capitals. */
export function localizeTitle(builder: ContextMenuCommandBuilder, name: PlainKey): ContextMenuCommandBuilder {
	return builder
		.setName(translate(ENGLISH, name))
		.setNameLocalizations(localizationsOf((locale) => translate(locale, name)));
}

/** Localizes a choice. Takes plain messages only: formatting parameters at the start would load the data of every language. */
export function localizeChoice<Value extends string | number>(
	descriptor: MessageDescriptor<PlainKey>,
	value: Value,
): APIApplicationCommandOptionChoice<Value> {
	return {
		name: t(ENGLISH, descriptor),
		name_localizations: localizationsOf((locale) => t(locale, descriptor)),
		value,
	};
}

/** The choices of an option for a media type. */
export const MEDIA_TYPE_CHOICES = [
	localizeChoice({ key: "choice.images" }, "image"),
	localizeChoice({ key: "choice.videos" }, "video"),
	localizeChoice({ key: "choice.songs" }, "music"),
] as const;

function translate(locale: string, key: PlainKey): string {
	return t(locale, { key } as MessageDescriptor);
}

function localizationsOf(text: (locale: string) => string): LocalizationMap {
	return Object.fromEntries(TRANSLATED_LOCALES.map((locale) => [locale, text(locale)]));
}
