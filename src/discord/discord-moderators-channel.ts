import { DiscordAPIError, Routes, type REST } from "discord.js";
import type { ResultMessages } from "../services/gallery/result-messages.ts";
import type { ModeratorsChannel } from "../services/moderation/moderators-channel.ts";
import type { ReportedResult } from "../services/moderation/report-store.ts";
import { nonceOf } from "./nonce.ts";
import { requireMessage } from "./read-message.ts";
import { reportCard } from "./report-buttons.ts";
import { requestWithTimeout } from "./with-timeout.ts";

/** Posts as the bot, which needs permission to see the channel and write there. */
export function createDiscordModeratorsChannel({
	rest,
	resultMessages,
}: {
	readonly rest: REST;
	readonly resultMessages: Pick<ResultMessages, "read">;
}): ModeratorsChannel {
	async function bodyOf(reported: ReportedResult, reporterId: string, locale: string): Promise<object> {
		const imageUrl = await imageOf(reported, resultMessages);
		return { ...reportCard(reported, reporterId, locale, imageUrl), allowed_mentions: { parse: [] } };
	}

	return {
		async post(channelId, reported, reporterId, locale) {
			const nonce = { nonce: nonceOf(channelId, `${reported.taskId}:${reporterId}`), enforce_nonce: true };
			try {
				const body = { ...(await bodyOf(reported, reporterId, locale)), ...nonce };
				const posted = await requestWithTimeout(rest, "post", Routes.channelMessages(channelId), { body });
				return { channelId, messageId: requireMessage(posted).id };
			} catch (error) {
				if (error instanceof DiscordAPIError && [403, 404].includes(error.status)) return undefined;
				throw error;
			}
		},
		async update({ channelId, messageId }, reported, reporterId, locale) {
			try {
				const body = await bodyOf(reported, reporterId, locale);
				await requestWithTimeout(rest, "patch", Routes.channelMessage(channelId, messageId), { body });
				return true;
			} catch (error) {
				if (!(error instanceof DiscordAPIError && [403, 404].includes(error.status))) throw error;
				return error.status === 404;
			}
		},
	};
}

/** Reads the URL of the reported image; `undefined` for a private result, and for a message that cannot be read. */
async function imageOf(
	{ channelId, messageId }: ReportedResult,
	resultMessages: Pick<ResultMessages, "read">,
): Promise<string | undefined> {
	if (messageId === null) return undefined;
	const message = await resultMessages.read(channelId, messageId);
	return message.kind === "found" ? message.imageUrl : undefined;
}
