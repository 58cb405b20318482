import { DiscordAPIError, Routes, type REST } from "discord.js";
import type { ChannelDirectory } from "../services/moderation/authorization.ts";

/** Members do not wait longer for a reply. */
const READ_TIMEOUT_MS = 10_000;

interface Channel {
	readonly nsfw?: unknown;
	readonly guild_id?: unknown;
}

export function createChannels({ rest }: { readonly rest: REST }): ChannelDirectory {
	/** `undefined` for a channel that does not exist or that the bot cannot see. */
	async function read(channelId: string): Promise<Channel | undefined> {
		try {
			const signal = AbortSignal.timeout(READ_TIMEOUT_MS);
			return (await rest.get(Routes.channel(channelId), { signal })) as Channel;
		} catch (error) {
			if (error instanceof DiscordAPIError && [403, 404].includes(error.status)) return undefined;
			throw error;
		}
	}

	return {
		// A channel that the bot cannot see does not count as age-restricted.
		isAgeRestricted: async (channelId) => (await read(channelId))?.nsfw === true,
		isInGuild: async (guildId, channelId) => (await read(channelId))?.guild_id === guildId,
	};
}
