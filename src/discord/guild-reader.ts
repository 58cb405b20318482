/** Reads a server with its roles and channels by REST, because the client has neither in its cache. Cached for a minute, for all parts of the bot. */
import { Routes, type APIGuild, type APIGuildChannel, type REST } from "discord.js";
import type { Clock } from "@atelier/common/clock";
import { readIfVisible } from "./read-if-visible.ts";
import { createReadCache } from "../services/read-cache.ts";

const CACHE_MS = 60_000;
const CACHED_GUILDS_MAX = 500;

interface ReadGuild {
	readonly guild: APIGuild;
	readonly channels: readonly APIGuildChannel[];
}

/** Resolves to `undefined` if the bot is not in the server. */
export type GuildReader = (guildId: string) => Promise<ReadGuild | undefined>;

export function createGuildReader({ rest, clock }: { readonly rest: REST; readonly clock: Clock }): GuildReader {
	const guildCache = createReadCache<ReadGuild | undefined>({ clock, ttlMs: CACHE_MS, entriesMax: CACHED_GUILDS_MAX });

	async function read(guildId: string): Promise<ReadGuild | undefined> {
		const [guild, channels = []] = await Promise.all([
			readIfVisible<APIGuild>(rest, Routes.guild(guildId)),
			readIfVisible<APIGuildChannel[]>(rest, Routes.guildChannels(guildId)),
		]);
		return guild && { guild, channels };
	}

	return (guildId) => guildCache(guildId, () => read(guildId));
}
