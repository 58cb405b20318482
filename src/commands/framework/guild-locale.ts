import type { BaseInteraction } from "discord.js";
import type { CommandServices } from "../command-services.ts";

/** Returns the language of a public reply; the member's own if the settings cannot be read. */
export async function localeOfReply(
	{ guildId, locale }: Pick<BaseInteraction, "guildId"> & { readonly locale: string },
	services: CommandServices,
): Promise<string> {
	if (guildId === null) return locale;
	try {
		return await services.languages.localeOf(guildId, await services.settings.read(guildId));
	} catch (error) {
		services.logger.warn({ err: error }, "server language not read");
		return locale;
	}
}
