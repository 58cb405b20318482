import type { GuildSettings } from "./guild-settings.ts";

/** Discord's own default, for servers that it has said nothing of. */
const DEFAULT_LOCALE = "en-US";

/** In which language a server reads what all of its members see; what one person sees alone is in theirs. */
export interface GuildLanguages {
	/** Every interaction says which language its server has in Discord; without intents nothing else does. */
	record(guildId: string, guildLocale: string): void;
	/** As its admins have chosen, else as it is in Discord, else English. */
	localeOf(guildId: string, settings: Pick<GuildSettings, "language">): string;
}

export function createGuildLanguages(): GuildLanguages {
	const seen = new Map<string, string>();
	return {
		record: (guildId, guildLocale) => void seen.set(guildId, guildLocale),
		localeOf: (guildId, { language }) => language ?? seen.get(guildId) ?? DEFAULT_LOCALE,
	};
}
