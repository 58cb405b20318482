// Not of @discordjs/rest: the client loads that as another module, whose errors are of another class.
import { DiscordAPIError, Routes, type REST } from "discord.js";
import type { ChannelPoster } from "../services/credits/low-credits.ts";
import { abortWith } from "./with-timeout.ts";
import { nonceOf } from "./nonce.ts";
import { requireMessage } from "./read-message.ts";

/** Posts as the bot, which has to see the channel and may write there. */
export function createDiscordAnnouncer({ rest }: { readonly rest: REST }): ChannelPoster {
	return {
		async post(channelId, { text, key }, signal) {
			const over = new AbortController();
			const letGo = abortWith(signal, over);
			try {
				const body = {
					content: text,
					allowed_mentions: { parse: [] },
					// Of all messages of the bot, and not only of this channel, those with one nonce are one.
					nonce: nonceOf(`${channelId}:${key}`),
					enforce_nonce: true,
				};
				requireMessage(await rest.post(Routes.channelMessages(channelId), { body, signal: over.signal }));
				return true;
			} catch (error) {
				// Not there, not allowed, or not a place for messages: asking again says the same.
				if (error instanceof DiscordAPIError && [400, 403, 404].includes(error.status)) return false;
				throw error;
			} finally {
				letGo();
			}
		},
	};
}
