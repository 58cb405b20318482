import type { GuildSettings } from "./guild-settings.ts";

/** Discord's default, for guilds whose locale is unknown. */
const DEFAULT_LOCALE = "en-US";

/** Remembers the language of each guild, for messages that all members see. Ephemeral messages use the member's own. */
export interface GuildLanguages {
	/** Records the guild's locale. Without intents, only interactions carry it. */
	record(guildId: string, guildLocale: string): void;
	/** Returns the language that admins chose, else Discord's locale of the guild, else English. */
	localeOf(guildId: string, settings: Pick<GuildSettings, "language">): string;
}

export function createGuildLanguages(): GuildLanguages {
	const seen = new Map<string, string>();
	return {
		record: (guildId, guildLocale) => void seen.set(guildId, guildLocale),
		localeOf: (guildId, { language }) => language ?? seen.get(guildId) ?? DEFAULT_LOCALE,
	};
}
