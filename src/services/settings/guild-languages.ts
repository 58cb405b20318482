import type { GuildSettings } from "./guild-settings.ts";

/** Discord's default, for servers whose locale is unknown. */
const DEFAULT_LOCALE = "en-US";

export type GuildLanguages = ReturnType<typeof createGuildLanguages>;

/**
 * Remembers the language of each server, for messages that all members see. Ephemeral messages use the member's own. `readLocale` reads
 * Discord's locale of a server without an interaction in this process.
 */
export function createGuildLanguages({
	readLocale,
}: {
	readonly readLocale: (guildId: string) => Promise<string | undefined>;
}) {
	const seen = new Map<string, string>();
	return {
		/** Records the server's locale, which each interaction carries. */
		record: (guildId: string, guildLocale: string) => void seen.set(guildId, guildLocale),
		/** Resolves to the language that admins chose, else Discord's locale of the server, else English. */
		async localeOf(guildId: string, { language }: Pick<GuildSettings, "language">): Promise<string> {
			// A message in English is better than none.
			const read = (): Promise<string | undefined> => readLocale(guildId).catch(() => undefined);
			return language ?? seen.get(guildId) ?? (await read()) ?? DEFAULT_LOCALE;
		},
	};
}
