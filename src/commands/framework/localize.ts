/** Localizes commands, options and choices. Discord shows them in each user's language, or in English as a fallback. */
import { MEDIA_TYPES } from "@atelier/media-protocol/model";
import type { APIApplicationCommandOptionChoice } from "discord.js";
import { TRANSLATED_LOCALES } from "../../i18n/languages.ts";
import type { CommandWord, MessageDescriptor, PlainKey } from "../../i18n/message-descriptor.ts";
import { t } from "../../i18n/messages.ts";

const ENGLISH = "en-US";

/** Returns the name and the description of a command, a subcommand or an option. */
export function localized(name: CommandWord, description: PlainKey) {
	return {
		name,
		name_localizations: translationsOf(`name.${name}`),
		description: translate(ENGLISH, description),
		description_localizations: translationsOf(description),
	};
}

/** Returns the name of a choice, or of a command in a context menu, which may contain spaces and capitals. */
export function localizedTitle(name: PlainKey) {
	return { name: translate(ENGLISH, name), name_localizations: translationsOf(name) };
}

export function localizedChoice<Value extends string | number>(
	name: PlainKey,
	value: Value,
): APIApplicationCommandOptionChoice<Value> {
	return { ...localizedTitle(name), value };
}

/** The choices of an option for a media type. */
export const MEDIA_TYPE_CHOICES = MEDIA_TYPES.map((mediaType) => localizedChoice(`mediaTypes.${mediaType}`, mediaType));

function translationsOf(key: PlainKey): Record<string, string> {
	return Object.fromEntries(TRANSLATED_LOCALES.map((locale) => [locale, translate(locale, key)]));
}

function translate(locale: string, key: PlainKey): string {
	return t(locale, { key } as MessageDescriptor);
}
