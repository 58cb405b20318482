import { Constants, Routes, type REST } from "discord.js";
import type { ChannelDirectory } from "../services/access/request-channel.ts";
import { readIfVisible } from "./read-if-visible.ts";

const THREAD_TYPES: ReadonlySet<unknown> = new Set(Constants.ThreadChannelTypes);

interface Channel {
	readonly type?: unknown;
	readonly parent_id?: unknown;
	readonly nsfw?: unknown;
	readonly guild_id?: unknown;
}

export function createChannelDirectory({ rest }: { readonly rest: REST }): ChannelDirectory {
	const read = (channelId: string) => readIfVisible<Channel>(rest, Routes.channel(channelId));

	return {
		// A channel that the bot cannot see does not count as age-restricted.
		async isAgeRestricted(channelId) {
			const channel = await read(channelId);
			const isThread = THREAD_TYPES.has(channel?.type);
			const restrictingChannel =
				isThread && typeof channel?.parent_id === "string" ? await read(channel.parent_id) : channel;
			return restrictingChannel?.nsfw === true;
		},
		isInGuild: async (guildId, channelId) => (await read(channelId))?.guild_id === guildId,
	};
}
