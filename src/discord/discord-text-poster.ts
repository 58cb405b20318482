// Not from @discordjs/rest: the client loads another copy of it, whose error classes differ.
import { DiscordAPIError, Routes, type REST } from "discord.js";
import type { TextPoster } from "../services/text-poster.ts";
import { requestWithTimeout } from "./with-timeout.ts";
import { nonceOf } from "./nonce.ts";
import { requireMessage } from "./read-message.ts";

/** Posts as the bot, which needs permission to see the channel and write there. */
export function createDiscordTextPoster({ rest }: { readonly rest: REST }): TextPoster {
	return {
		async post(channelId, { text, key }, signal) {
			const body = {
				content: text,
				allowed_mentions: { parse: [] },
				nonce: nonceOf(channelId, key),
				enforce_nonce: true,
			};
			const route = Routes.channelMessages(channelId);
			try {
				return requireMessage(await requestWithTimeout(rest, "post", route, { body, signal })).id;
			} catch (error) {
				// The channel is gone, forbidden, or takes no messages: a retry would fail the same way.
				if (error instanceof DiscordAPIError && [400, 403, 404].includes(error.status)) return undefined;
				throw error;
			}
		},
		async remove(channelId, messageId) {
			await requestWithTimeout(rest, "delete", Routes.channelMessage(channelId, messageId));
		},
	};
}
