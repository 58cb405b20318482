/** The only writer to Discord for a task. Text of members never pings, and errors carry neither token nor file. */
import { MessageFlags, Routes, type REST } from "discord.js";
import type { Logger } from "pino";
import type { Clock } from "@atelier/common/clock";
import { isTokenAlive } from "../services/delivery/delivery-routes.ts";
import type { FairSemaphore } from "../services/delivery/fair-semaphore.ts";
import { UnusableResponseError, type ReplyClient, type Resend } from "../services/delivery/reply-client.ts";
import type { TokenReply } from "../services/delivery/reply-target.ts";
import { createDiscordCalls, originalReplyPath, replyPathOf, type CallOutcome } from "./call-discord.ts";
import { createFinalReplyDelivery, filesRejected } from "./deliver-final-reply.ts";
import { showsReply } from "./find-posted-reply.ts";
import type { MessageForm } from "./message-forms.ts";
import { messageIn } from "./read-message.ts";
import { createStreamingUploads } from "./streaming-uploads.ts";
import { taskButtonRows } from "./task-buttons.ts";

interface ReplyClientDeps {
	/** A REST client without retries or waits: the reply client decides what follows a failure. */
	readonly rest: REST;
	readonly uploadSemaphore: FairSemaphore;
	/** Known once the client is logged in. Old applications have another id than their bot. */
	readonly botUserId: () => string;
	readonly clock: Clock;
	readonly logger: Logger;
}

export function createDiscordReplyClient(deps: ReplyClientDeps): ReplyClient {
	const { rest, uploadSemaphore, botUserId, clock, logger } = deps;
	const streaming = createStreamingUploads({ rest, uploadSemaphore, clock });
	const calls = createDiscordCalls({ rest, uploadSemaphore, streaming, clock, logger });
	const deliverFinalReply = createFinalReplyDelivery({ calls, botUserId, clock, logger });
	const { callDiscord, sendMessage, request } = calls;

	/** Edits the reply by its token. If Discord rejects the text, tries that without the prompt. */
	async function editByToken(
		reply: TokenReply,
		{ text, textWithoutPrompt, ...form }: MessageForm & Pick<Resend, "textWithoutPrompt">,
		signal: AbortSignal,
	): Promise<CallOutcome<unknown>> {
		const edit = (shownText: string): Promise<CallOutcome<unknown>> =>
			callDiscord("tokenEdit", signal, () =>
				sendMessage("patch", originalReplyPath(reply), { ...form, text: shownText }, { authorizedBy: reply, signal }),
			);
		const outcome = await edit(text);
		const isTextRejected = outcome.kind === "withoutPrompt" || outcome.kind === "otherForm";
		return isTextRejected ? await edit(textWithoutPrompt) : outcome;
	}

	return {
		startUpload(target, file, signal) {
			if (!isTokenAlive(target, clock.nowMs())) return undefined;
			return streaming.start(target, originalReplyPath(target), file, signal);
		},
		deliver: (target, finalReply, signal) => deliverFinalReply({ target, finalReply, signal }),
		async updateProgress(target, { taskId, text, textWithoutPrompt, buttons }, signal) {
			// An update must not abort a running upload.
			if (streaming.isOpen(target)) return "postponed";
			const form = { text, textWithoutPrompt, files: [], rows: taskButtonRows(taskId, buttons) };
			const { kind } = await editByToken(target, form, signal);
			return kind === "ok" ? "shown" : "rejected";
		},
		async ping(target, { userId, text }, signal) {
			const { applicationId, token, channelId, isEphemeral, isBotInGuild } = target;
			const body = { content: text, allowed_mentions: { users: [userId] } };
			if (isTokenAlive(target, clock.nowMs())) {
				const followUp = { ...body, ...(isEphemeral && { flags: MessageFlags.Ephemeral }) };
				const options = { body: followUp, auth: false };
				await callDiscord("tokenEdit", signal, () =>
					request("post", Routes.webhook(applicationId, token), signal, options),
				);
			} else if (isBotInGuild && !isEphemeral) {
				await callDiscord("botPost", signal, () =>
					request("post", Routes.channelMessages(channelId), signal, { body }),
				);
			}
		},
		async mayBeVisible(target, finalReply, signal) {
			const route = isTokenAlive(target, clock.nowMs()) ? "tokenEdit" : "botEdit";
			const outcome = await callDiscord(route, signal, () =>
				request("get", replyPathOf(route, target), signal, { auth: route !== "tokenEdit" }),
			);
			const message = outcome.kind === "ok" ? messageIn(outcome.result) : undefined;
			// Discord rejected the read, or its response is unusable: the reply may be there, and must not be delivered twice.
			return !message || showsReply(message, finalReply, [finalReply.text, finalReply.textWithoutPrompt]);
		},
		async resend(reply, resend, signal) {
			const { files } = resend;
			const outcome = await editByToken(reply, resend, signal);
			switch (outcome.kind) {
				case "ok": {
					const message = messageIn(outcome.result);
					if (!message) throw new UnusableResponseError("tokenEdit: the response is not a message");
					const areFilesShown = message.filenames.length === files.length;
					return areFilesShown ? { kind: "sent" } : filesRejected("tokenEdit", { kind: "withoutFiles" }, files);
				}
				case "nextRoute":
					return { kind: "gone" };
				case "smallerFiles":
					return filesRejected("tokenEdit", outcome, files);
				case "withoutFiles":
				case "withoutPrompt":
				case "otherForm":
					return filesRejected("tokenEdit", { kind: "withoutFiles" }, files);
			}
		},
	};
}
