import { ChannelType, DiscordAPIError, Routes, type REST } from "discord.js";
import type { ChannelDirectory } from "../services/moderation/authorization.ts";

const THREAD_TYPES: ReadonlySet<unknown> = new Set([
	ChannelType.AnnouncementThread,
	ChannelType.PublicThread,
	ChannelType.PrivateThread,
]);

/** Members do not wait longer for a reply. */
const READ_TIMEOUT_MS = 10_000;

interface Channel {
	readonly type?: unknown;
	readonly parent_id?: unknown;
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
		async isAgeRestricted(channelId) {
			const channel = await read(channelId);
			const isThread = THREAD_TYPES.has(channel?.type);
			const restricting = isThread && typeof channel?.parent_id === "string" ? await read(channel.parent_id) : channel;
			return restricting?.nsfw === true;
		},
		isInGuild: async (guildId, channelId) => (await read(channelId))?.guild_id === guildId,
	};
}
