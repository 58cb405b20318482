import { Constants, Routes, type REST } from "discord.js";
import type { ChannelDirectory } from "../services/access/request-channel.ts";
import type { GuildReader } from "./guild-reader.ts";
import { readIfVisible } from "./read-if-visible.ts";

const THREAD_TYPES: ReadonlySet<unknown> = new Set(Constants.ThreadChannelTypes);

interface Channel {
	readonly type?: unknown;
	readonly parent_id?: unknown;
	readonly nsfw?: unknown;
}

interface ChannelDirectoryDeps {
	readonly rest: REST;
	readonly readGuild: GuildReader;
}

export function createChannelDirectory({ rest, readGuild }: ChannelDirectoryDeps): ChannelDirectory {
	const read = (channelId: string) => readIfVisible<Channel>(rest, Routes.channel(channelId));
	const isListed = async (guildId: string, channelId: string) =>
		(await readGuild(guildId))?.channels.some(({ id }) => id === channelId) ?? false;

	return {
		// A channel that the bot cannot see does not count as age-restricted.
		async isAgeRestricted(channelId) {
			const channel = await read(channelId);
			const isThread = THREAD_TYPES.has(channel?.type);
			const restrictingChannel =
				isThread && typeof channel?.parent_id === "string" ? await read(channel.parent_id) : channel;
			return restrictingChannel?.nsfw === true;
		},
		// Discord is not asked about the channel, which may be any id: too many failed requests would block the bot's address.
		async isInGuild(guildId, channelId) {
			if (await isListed(guildId, channelId)) return true;
			// The channel may be newer than the cached list.
			readGuild.forget(guildId);
			return await isListed(guildId, channelId);
		},
	};
}
