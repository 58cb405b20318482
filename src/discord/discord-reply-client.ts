/**
 * Writes the messages of tasks to their members. Tries the delivery routes in order and stops at the first that works. Text of
 * members never pings, a retry looks for the message of the earlier attempt, and errors carry neither token nor file.
 */
import { Routes, type REST } from "discord.js";
import type { Logger } from "pino";
import type { Clock } from "@atelier/common/clock";
import type { FairSemaphore } from "../services/delivery/fair-semaphore.ts";
import type { FinalReply } from "../services/delivery/final-reply.ts";
import type { FilesRejected, ReplyClient, DeliveryResult } from "../services/delivery/reply-client.ts";
import type { ReplyTarget } from "../services/delivery/reply-target.ts";
import type { DeliveryRoute } from "../services/delivery/delivery-routes.ts";
import { availableRoutes, canBotFindReply, isTokenAlive } from "../services/delivery/delivery-routes.ts";
import { createStreamingUploads } from "./streaming-uploads.ts";
import { findPostedReply, showsReply } from "./find-posted-reply.ts";
import { messageIn, NotAMessageError, requireMessage } from "./read-message.ts";
import {
	createReplyRequests,
	originalReplyPath,
	replyPathOf,
	type FinalDecision,
	type OutgoingMessage,
	type ReplyRoute,
} from "./reply-requests.ts";
import { versionsOf, type MessageForm } from "./message-forms.ts";
import { taskButtonRows } from "./task-buttons.ts";

/** The message that shows the reply. */
interface Posted {
	readonly id: string;
	/** True if an earlier attempt had posted it. */
	readonly wasAlreadyPosted?: boolean;
}

interface ReplyClientDeps {
	/** A REST client without retries or waits: this module decides what follows a failure. */
	readonly rest: REST;
	readonly uploadSemaphore: FairSemaphore;
	readonly clock: Clock;
	readonly logger: Logger;
}

export function createDiscordReplyClient({ rest, uploadSemaphore, clock, logger }: ReplyClientDeps): ReplyClient {
	const streaming = createStreamingUploads({ rest, uploadSemaphore, clock });
	const requests = createReplyRequests({ rest, uploadSemaphore, streaming, clock, logger });
	const { callDiscord, sendRequest, readRecentMessages, readOwnReply } = requests;
	/** Set once Discord rejects a card and accepts its classic form: every result is classic until the next start. */
	let areCardsRejected = false;

	/** Posts a message unless the channel already has it: an earlier attempt may have arrived although its response was lost. */
	async function postIfMissing(
		channelId: string,
		target: ReplyTarget,
		finalReply: FinalReply,
		message: OutgoingMessage,
		signal: AbortSignal,
	): Promise<Posted> {
		const criteria = { applicationId: target.applicationId, finalReply, text: message.text };
		const found = findPostedReply(await readRecentMessages(channelId, signal), criteria);
		if (found) return { id: found.id, wasAlreadyPosted: true };
		// The nonce merges a post with one that is too recent for the search.
		const extra = { nonce: finalReply.taskId, enforce_nonce: true };
		const response = await sendRequest("post", Routes.channelMessages(channelId), { ...message, extra }, signal);
		const posted =
			messageIn(response, message.files.length) ??
			findPostedReply(await readRecentMessages(channelId, signal), criteria);
		if (!posted) throw new NotAMessageError("reply not found after it was posted");
		return posted;
	}

	/** Edits the reply. Reads it back if the response does not show the edit. */
	async function editReply(
		route: ReplyRoute,
		target: ReplyTarget,
		message: OutgoingMessage,
		signal: AbortSignal,
	): Promise<Posted> {
		const edited = messageIn(
			await sendRequest("patch", replyPathOf(route, target), message, signal),
			message.files.length,
		);
		if (edited) return edited;
		const reply = await readOwnReply(route, target, signal);
		if (!showsReply(reply, message, [message.text])) throw new NotAMessageError("reply not updated");
		return reply;
	}

	async function sendByRoute(
		route: DeliveryRoute,
		target: ReplyTarget,
		finalReply: FinalReply,
		version: MessageForm,
		signal: AbortSignal,
	): Promise<Posted> {
		const message = { ...version, guildId: finalReply.guildId };
		switch (route) {
			case "tokenEdit":
				return await editReply(route, target, { ...message, authorizedBy: target }, signal);
			case "botEdit":
				return await editReply(route, target, message, signal);
			case "botPost":
				return await postIfMissing(target.channelId, target, finalReply, message, signal);
			case "directMessage": {
				const channelId = await requests.openDirectChannel(finalReply.recipientId, signal);
				return await postIfMissing(channelId, target, finalReply, message, signal);
			}
		}
	}

	/** Edits the reply by its token. */
	async function editByToken(
		target: ReplyTarget,
		version: MessageForm,
		signal: AbortSignal,
	): Promise<"edited" | FinalDecision["kind"]> {
		const message = { ...version, authorizedBy: target };
		const outcome = await callDiscord("tokenEdit", signal, async () =>
			requireMessage(await sendRequest("patch", originalReplyPath(target), message, signal)),
		);
		return "result" in outcome ? "edited" : outcome.kind;
	}

	/** Tries the versions of a reply by one route, best first. Returns `undefined` if Discord accepts none of them. */
	async function tryVersions(
		route: DeliveryRoute,
		target: ReplyTarget,
		finalReply: FinalReply,
		signal: AbortSignal,
	): Promise<DeliveryResult | undefined> {
		const texts = route === "directMessage" ? finalReply.direct : finalReply;
		const mayBeCard = !areCardsRejected;
		// Buttons act on a server and its credits, so direct messages have none.
		const mayHaveButtons = route !== "directMessage";
		let blockedText: string | undefined;
		let rejectedCardText: string | undefined;
		for (const version of versionsOf(finalReply, texts, { mayBeCard, mayHaveButtons })) {
			const isCard = version.tone !== undefined;
			if (version.text === blockedText) continue;
			const outcome = await callDiscord(route, signal, () => sendByRoute(route, target, finalReply, version, signal));
			if ("result" in outcome) {
				if (!isCard && version.text === rejectedCardText) giveUpCards();
				const { id: messageId, wasAlreadyPosted } = outcome.result;
				const withFiles = finalReply.files.length > 0;
				return { kind: "delivered", route, messageId, withFiles, ...(wasAlreadyPosted && { wasAlreadyPosted }) };
			}
			switch (outcome.kind) {
				case "nextRoute":
					return undefined;
				case "withoutPrompt":
					blockedText = version.text;
					break;
				case "otherForm":
					if (isCard) rejectedCardText = version.text;
					break;
				case "smallerFiles":
				case "withoutFiles":
					// The message has no files, so files are not the reason: this route does not work.
					return finalReply.files.length === 0 ? undefined : filesRejected(route, outcome, finalReply.files);
			}
		}
		return undefined;
	}

	function giveUpCards(): void {
		areCardsRejected = true;
		logger.warn("Discord rejects cards: results are classic messages until the next start");
	}

	/** Replaces the public reply by an ephemeral follow-up. Resolves to `undefined` if Discord accepts none: the caller then tries the usual routes. */
	async function deliverPrivately(
		target: ReplyTarget,
		finalReply: FinalReply,
		signal: AbortSignal,
	): Promise<DeliveryResult | undefined> {
		const { applicationId, token } = target;
		const mayBeCard = !areCardsRejected;
		for (const version of versionsOf({ ...finalReply, buttons: [] }, finalReply, { mayBeCard })) {
			const message = { ...version, authorizedBy: target, isEphemeral: true };
			const outcome = await callDiscord("tokenEdit", signal, async () => {
				await requests.removeReply(target, signal);
				return requireMessage(await sendRequest("post", Routes.webhook(applicationId, token), message, signal));
			});
			if ("result" in outcome) {
				return { kind: "delivered", route: "tokenEdit", messageId: outcome.result.id, withFiles: false };
			}
			if (outcome.kind !== "withoutPrompt" && outcome.kind !== "otherForm") return undefined;
		}
		return undefined;
	}

	/** Delivers in a new thread. Resolves to `undefined` if the result cannot be in a thread: the caller then tries the usual routes. */
	async function deliverInThread(
		target: ReplyTarget,
		finalReply: FinalReply,
		signal: AbortSignal,
	): Promise<DeliveryResult | undefined> {
		const { thread } = finalReply;
		if (!thread || !canBotFindReply(target)) return undefined;
		const opening = await callDiscord("botPost", signal, () => requests.openThread(target, thread.name, signal));
		if (!("result" in opening)) return undefined;
		// A thread has the id of the message that it starts from.
		const threadId = target.messageId;
		const delivery = await tryVersions("botPost", { ...target, channelId: threadId }, finalReply, signal);
		if (delivery?.kind !== "delivered") return delivery;
		// The reply still shows the progress.
		const version = { text: thread.pointer, files: [], rows: [] };
		for (const route of availableRoutes(target, clock.nowMs())) {
			if (route !== "tokenEdit" && route !== "botEdit") continue;
			const outcome = await callDiscord(route, signal, () => sendByRoute(route, target, finalReply, version, signal));
			if ("result" in outcome) break;
		}
		return { ...delivery, threadId };
	}

	return {
		startUpload(target, file, signal) {
			const mayUseToken = isTokenAlive(target, clock.nowMs());
			return mayUseToken ? streaming.start(target, originalReplyPath(target), file, signal) : undefined;
		},
		async deliver(target, finalReply, signal) {
			if (finalReply.isPrivate && !target.isEphemeral && isTokenAlive(target, clock.nowMs())) {
				const delivery = await deliverPrivately(target, finalReply, signal);
				if (delivery) return delivery;
			}
			const threadDelivery = await deliverInThread(target, finalReply, signal);
			if (threadDelivery) return threadDelivery;
			for (const route of availableRoutes(target, clock.nowMs())) {
				const delivery = await tryVersions(route, target, finalReply, signal);
				if (delivery) return delivery;
			}
			return { kind: "undelivered" };
		},
		editText: async (target, text, signal) => (await editByToken(target, { text, files: [] }, signal)) === "edited",
		// Progress is sent again later; it must not abort a running upload.
		async updateProgress(target, { taskId, text, textWithoutPrompt, buttons }, signal) {
			if (streaming.isOpen(target)) return true;
			const rows = taskButtonRows(taskId, buttons);
			const outcome = await editByToken(target, { text, files: [], rows }, signal);
			if (outcome !== "withoutPrompt" && outcome !== "otherForm") return outcome === "edited";
			return (await editByToken(target, { text: textWithoutPrompt, files: [], rows }, signal)) === "edited";
		},
		async ping(target, ping, signal) {
			const mayUseToken = isTokenAlive(target, clock.nowMs());
			if (!mayUseToken && (target.isEphemeral || !target.isBotInGuild)) return;
			await callDiscord(mayUseToken ? "tokenEdit" : "botPost", signal, () =>
				requests.sendPing(target, ping, mayUseToken, signal),
			);
		},
		async mayBeVisible(target, finalReply, signal) {
			const route = isTokenAlive(target, clock.nowMs()) ? "tokenEdit" : "botEdit";
			const outcome = await callDiscord(route, signal, () => readOwnReply(route, target, signal));
			// Discord rejected the read: the reply may be there, and must not be delivered twice.
			return (
				!("result" in outcome) ||
				showsReply(outcome.result, finalReply, [finalReply.text, finalReply.textWithoutPrompt])
			);
		},
		async resend(reply, text, files, signal) {
			const message = { text, files, authorizedBy: reply };
			const outcome = await callDiscord("tokenEdit", signal, async () =>
				requireMessage(await sendRequest("patch", originalReplyPath(reply), message, signal), files.length),
			);
			if ("result" in outcome) return { kind: "sent" };
			switch (outcome.kind) {
				case "nextRoute":
					return { kind: "gone" };
				case "smallerFiles":
				case "withoutFiles":
					return filesRejected("tokenEdit", outcome, files);
				case "withoutPrompt":
				case "otherForm":
					throw new Error("Discord rejects the text of a message that is sent again");
			}
		},
	};
}

function filesRejected(
	route: DeliveryRoute,
	decision: Extract<FinalDecision, { kind: "smallerFiles" | "withoutFiles" }>,
	files: FinalReply["files"],
): FilesRejected {
	const largestBytes = Math.max(...files.map(({ content }) => content.sizeBytes));
	return { kind: "filesRejected", route, isForSize: decision.kind === "smallerFiles", largestBytes };
}
