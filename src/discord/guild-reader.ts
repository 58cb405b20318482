/** Reads a guild with its roles and channels by REST, because the client has neither in its cache. Cached for a minute, for all parts of the bot. */
import { Routes, type APIGuild, type APIGuildChannel, type REST } from "discord.js";
import { LRUCache } from "lru-cache";
import type { Clock } from "@atelier/common/clock";
import { readIfVisible } from "./read-if-visible.ts";
import { shareReads } from "../services/share-reads.ts";

const FRESH_MS = 60_000;
const GUILDS_MAX = 500;

interface ReadGuild {
	readonly guild: APIGuild;
	readonly channels: readonly APIGuildChannel[];
}

/** Resolves to `undefined` if the bot is not in the guild. */
export type GuildReader = (guildId: string) => Promise<ReadGuild | undefined>;

export function createGuildReader({ rest, clock }: { readonly rest: REST; readonly clock: Clock }): GuildReader {
	const guilds = new LRUCache<string, Promise<ReadGuild | undefined>>({
		max: GUILDS_MAX,
		ttl: FRESH_MS,
		ttlResolution: 0,
		perf: { now: () => clock.nowMs() },
	});

	async function read(guildId: string): Promise<ReadGuild | undefined> {
		const [guild, channels = []] = await Promise.all([
			readIfVisible<APIGuild>(rest, Routes.guild(guildId)),
			readIfVisible<APIGuildChannel[]>(rest, Routes.guildChannels(guildId)),
		]);
		return guild && { guild, channels };
	}

	return (guildId) => shareReads(guilds, guildId, () => read(guildId));
}
