import { DiscordAPIError, Routes, type REST } from "discord.js";
import { formatReport } from "../services/moderation/format-report.ts";
import type { ModeratorsChannel } from "../services/moderation/report-service.ts";
import { nonceOf } from "./find-posted-reply.ts";
import { requireMessage } from "./read-message.ts";
import { reportRow } from "./report-buttons.ts";

/** Members do not wait longer for a reply. */
const CALL_TIMEOUT_MS = 15_000;

/** Posts and deletes as the bot, whose own messages it may always delete. */
export function createModeratorsChannel({ rest }: { readonly rest: REST }): ModeratorsChannel {
	return {
		async post(channelId, reported, reporterId, locale) {
			try {
				const posted = await rest.post(Routes.channelMessages(channelId), {
					body: {
						content: formatReport(reported, reporterId, locale),
						components: [reportRow(reported, reporterId, locale)],
						allowed_mentions: { parse: [] },
						nonce: nonceOf(`${reported.taskId}:${reporterId}`),
						enforce_nonce: true,
					},
					signal: AbortSignal.timeout(CALL_TIMEOUT_MS),
				});
				requireMessage(posted);
				return true;
			} catch (error) {
				if (error instanceof DiscordAPIError && [400, 403, 404].includes(error.status)) return false;
				throw error;
			}
		},
		async deleteMessage(channelId, messageId) {
			try {
				const signal = AbortSignal.timeout(CALL_TIMEOUT_MS);
				await rest.delete(Routes.channelMessage(channelId, messageId), { signal });
				return true;
			} catch (error) {
				if (!(error instanceof DiscordAPIError)) throw error;
				if (error.status === 404) return true;
				if (error.status === 403) return false;
				throw error;
			}
		},
	};
}
