import type { GuildSettings } from "./guild-settings.ts";

/** Discord's default, for servers whose locale is unknown. */
const DEFAULT_LOCALE = "en-US";

/** Remembers the language of each server, for messages that all members see. Ephemeral messages use the member's own. */
export interface GuildLanguages {
	/** Records the server's locale, which each interaction carries. */
	record(guildId: string, guildLocale: string): void;
	/** Resolves to the language that admins chose, else Discord's locale of the server, else English. */
	localeOf(guildId: string, settings: Pick<GuildSettings, "language">): Promise<string>;
}

/** `readLocale` reads Discord's locale of a server without an interaction in this process. */
export function createGuildLanguages({
	readLocale,
}: {
	readonly readLocale: (guildId: string) => Promise<string | undefined>;
}): GuildLanguages {
	const seen = new Map<string, string>();
	return {
		record: (guildId, guildLocale) => void seen.set(guildId, guildLocale),
		async localeOf(guildId, { language }) {
			// A message in English is better than none.
			const read = (): Promise<string | undefined> => readLocale(guildId).catch(() => undefined);
			return language ?? seen.get(guildId) ?? (await read()) ?? DEFAULT_LOCALE;
		},
	};
}
