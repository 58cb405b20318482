import { DiscordAPIError, Routes, type REST } from "discord.js";
import type { Channels } from "../services/guilds/admission.ts";

/** Within the time that a person waits for an answer. */
const READ_TIMEOUT_MS = 10_000;

export function createChannels({ rest }: { readonly rest: REST }): Channels {
	return {
		async isAgeRestricted(channelId) {
			try {
				const signal = AbortSignal.timeout(READ_TIMEOUT_MS);
				const channel = (await rest.get(Routes.channel(channelId), { signal })) as { readonly nsfw?: unknown };
				return channel.nsfw === true;
			} catch (error) {
				// A channel that the bot does not see is not known to be one.
				if (error instanceof DiscordAPIError && [403, 404].includes(error.status)) return false;
				throw error;
			}
		},
	};
}
