/**
 * Reads a server with its roles and channels by REST, because the client has neither in its cache. Cached for a minute, for all parts
 * of the bot.
 */
import { Routes, type APIGuild, type APIGuildChannel, type APISortableChannel, type REST } from "discord.js";
import type { Clock } from "@atelier/common/clock";
import { readIfVisible } from "./read-if-visible.ts";
import { createReadCache } from "../services/read-cache.ts";

const CACHE_MS = 60_000;
const CACHED_GUILDS_MAX = 500;

/** A channel of a server, or a category; a thread is none of them. */
export type ListedChannel = APIGuildChannel & APISortableChannel;

interface ReadGuild {
	readonly guild: APIGuild;
	readonly channels: readonly ListedChannel[];
}

export interface GuildReader {
	/** Resolves to `undefined` if the bot is not in the server. */
	(guildId: string): Promise<ReadGuild | undefined>;
	/** The next call reads the server again. */
	forget(guildId: string): void;
}

export function createGuildReader({ rest, clock }: { readonly rest: REST; readonly clock: Clock }): GuildReader {
	const guildCache = createReadCache<ReadGuild | undefined>({ clock, ttlMs: CACHE_MS, entriesMax: CACHED_GUILDS_MAX });

	async function read(guildId: string): Promise<ReadGuild | undefined> {
		// One after the other: the dashboard asks about many servers without the bot, and Discord blocks an address after too many 403s.
		const guild = await readIfVisible<APIGuild>(rest, Routes.guild(guildId));
		const channels = guild && (await readIfVisible<ListedChannel[]>(rest, Routes.guildChannels(guildId)));
		return guild && { guild, channels: channels ?? [] };
	}

	return Object.assign((guildId: string) => guildCache(guildId, () => read(guildId)), {
		forget: (guildId: string) => guildCache.forget(guildId),
	});
}
