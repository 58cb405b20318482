import { DiscordAPIError, Routes, type REST } from "discord.js";
import type { ChannelDirectory } from "../services/moderation/authorization.ts";

/** Within the time that a person waits for an answer. */
const READ_TIMEOUT_MS = 10_000;

interface Channel {
	readonly nsfw?: unknown;
	readonly guild_id?: unknown;
}

export function createChannels({ rest }: { readonly rest: REST }): ChannelDirectory {
	/** `undefined` for a channel that is not there, or that the bot does not see. */
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
		// A channel that the bot does not see is not known to be one.
		isAgeRestricted: async (channelId) => (await read(channelId))?.nsfw === true,
		isInGuild: async (guildId, channelId) => (await read(channelId))?.guild_id === guildId,
	};
}
