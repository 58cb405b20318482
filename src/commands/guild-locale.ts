import type { BaseInteraction } from "discord.js";
import type { Logger } from "pino";
import type { Services } from "./command.ts";

type Languages = Pick<Services, "languages" | "settings">;

/** The language of what everybody in a server sees. */
export async function guildLocaleOf(guildId: string, { languages, settings }: Languages): Promise<string> {
	return languages.localeOf(guildId, await settings.read(guildId));
}

/** The language of a public reply; the member's own where the settings cannot be read. */
export async function localeOfReply(
	{ guildId, locale }: Pick<BaseInteraction, "guildId"> & { readonly locale: string },
	services: Languages,
	logger: Logger,
): Promise<string> {
	if (guildId === null) return locale;
	try {
		return await guildLocaleOf(guildId, services);
	} catch (error) {
		logger.warn({ err: error }, "the language of the server is not known");
		return locale;
	}
}
