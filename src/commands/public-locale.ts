import type { Services } from "./command.ts";

/** The language of what everybody in a server sees. */
export async function publicLocaleOf(
	guildId: string,
	{ languages, settings }: Pick<Services, "languages" | "settings">,
): Promise<string> {
	return languages.localeOf(guildId, await settings.read(guildId));
}
