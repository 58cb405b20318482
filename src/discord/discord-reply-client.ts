/**
 * The only writer to Discord for a task. Tries the delivery routes in order and stops at the first that works. Text of
 * members never pings, a retry looks for the message of the earlier attempt, and errors carry neither token nor file.
 */
import { DiscordAPIError, MessageFlags, RateLimitError, RESTJSONErrorCodes, Routes, type REST } from "discord.js";
import type { Logger } from "pino";
import { z } from "zod";
import type { Clock } from "@atelier/common/clock";
import type { ByteSemaphore } from "../services/delivery/byte-semaphore.ts";
import { classifyDeliveryError, type CallFailure, type Decision } from "./classify-error.ts";
import {
	ReplyClientUnavailableError,
	type FinalReply,
	type FilesRejected,
	type ReplyClient,
	type TokenReply,
	type ReplyTarget,
	type DeliveryRoute,
	type DeliveryAttempt,
} from "../services/delivery/reply-client.ts";
import { availableRoutes, canBotFindReply, isTokenAlive } from "../services/delivery/delivery-routes.ts";
import { multipartBodyOf } from "./multipart.ts";
import { createStreamingUploads } from "./streaming-multipart.ts";
import { findPostedReply, nonceOf, showsReply } from "./find-posted-reply.ts";
import { withTimeout } from "./with-timeout.ts";
import { messageIn, messagesIn, NotAMessageError, requireMessage, type PostedMessage } from "./read-message.ts";
import { bodyOf, versionsOf, type MessageVersion } from "./message-versions.ts";
import { taskButtonRows } from "./task-buttons.ts";

const CALL_TIMEOUT_MS = 15_000;
/** Slowest upload rate that a request waits for, on top of its base timeout. */
const UPLOAD_BYTES_PER_MS_MIN = 100;
/** Number of messages searched for a reply whose response was lost. */
const MESSAGES_SEARCHED = 50;

const DirectChannel = z.object({ id: z.string().regex(/^\d{1,20}$/) });

type RouteAttempt =
	| { readonly kind: "done"; readonly messageId: string; readonly wasAlreadyPosted: boolean }
	| Exclude<Decision, { kind: "retry" }>;

interface ReplyClientDeps {
	/** A REST client without retries or waits: this module decides what follows a failure. */
	readonly rest: REST;
	readonly uploadSemaphore: ByteSemaphore;
	readonly clock: Clock;
	readonly logger: Logger;
}

export function createDiscordReplyClient({ rest, uploadSemaphore, clock, logger }: ReplyClientDeps): ReplyClient {
	const streaming = createStreamingUploads({ rest, uploadSemaphore, clock });
	/** Set once Discord rejects a card and accepts its classic form: every result is classic until the next start. */
	let areCardsRejected = false;

	/** Makes one request to Discord. Returns its result, or the decision after a failure; throws `ReplyClientUnavailableError` if a retry may work. */
	async function callDiscord<Result>(
		route: DeliveryRoute,
		signal: AbortSignal,
		request: () => Promise<Result>,
	): Promise<{ readonly result: Result } | Exclude<Decision, { kind: "retry" }>> {
		try {
			return { result: await request() };
		} catch (error) {
			signal.throwIfAborted();
			if (error instanceof TokenExpiredError) return { kind: "nextRoute" };
			const failure = callFailureOf(error);
			const decision = classifyDeliveryError(route, failure);
			if (decision.kind === "retry")
				throw new ReplyClientUnavailableError(describeFailure(route, failure, error), decision.retryAfterMs);
			logger.warn({ route, decision: decision.kind, ...failure }, "delivery refused");
			return decision;
		}
	}

	/** Sends a message and resolves to Discord's response, unchecked. Completes the streaming upload of the reply if it holds the same files. */
	async function sendRequest(
		method: "patch" | "post",
		path: `/${string}`,
		message: OutgoingMessage,
		signal: AbortSignal,
	): Promise<unknown> {
		const { authorizedBy } = message;
		if (authorizedBy) {
			const firstTimeoutMs = callTimeoutMs(message);
			const completeUpload = streaming.commit(authorizedBy, message.files, bodyOf(message));
			if (completeUpload) return await responseWithTimeout(firstTimeoutMs, signal, completeUpload);
		}
		const releaseBytes = await uploadSemaphore.acquire(fileBytesOf(message), signal);
		try {
			// The rate limit may have delayed this call for minutes.
			const timeoutMs = callTimeoutMs(message);
			const request = { ...(await requestBodyOf(message)), auth: !authorizedBy };
			return await responseWithTimeout(timeoutMs, signal, (callSignal) =>
				rest[method](path, { ...request, signal: callSignal }),
			);
		} finally {
			releaseBytes();
		}
	}

	/** Limits the timeout of a call to the remaining life of its token. */
	function callTimeoutMs(message: OutgoingMessage): number {
		const { authorizedBy } = message;
		if (authorizedBy && !isTokenAlive(authorizedBy, clock.nowMs())) throw new TokenExpiredError();
		return Math.min(
			uploadTimeoutMs(fileBytesOf(message)),
			authorizedBy ? authorizedBy.tokenExpiresAtMs - clock.nowMs() : Infinity,
		);
	}

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
		route: "tokenEdit" | "botEdit",
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

	async function readRecentMessages(channelId: string, signal: AbortSignal): Promise<readonly PostedMessage[]> {
		const query = new URLSearchParams({ limit: String(MESSAGES_SEARCHED) });
		try {
			const read = (callSignal: AbortSignal): Promise<unknown> =>
				rest.get(Routes.channelMessages(channelId), { query, signal: callSignal });
			return messagesIn(await responseWithTimeout(CALL_TIMEOUT_MS, signal, read));
		} catch (error) {
			// Without permission to read the channel, only the nonce prevents a duplicate.
			if (error instanceof DiscordAPIError && error.status === 403) return [];
			throw error;
		}
	}

	async function sendByRoute(
		route: DeliveryRoute,
		target: ReplyTarget,
		finalReply: FinalReply,
		message: MessageVersion,
		signal: AbortSignal,
	): Promise<Posted> {
		switch (route) {
			case "tokenEdit":
				return await editReply(route, target, { ...message, authorizedBy: target }, signal);
			case "botEdit":
				return await editReply(route, target, message, signal);
			case "botPost":
				return await postIfMissing(target.channelId, target, finalReply, message, signal);
			case "directMessage": {
				const body = { recipient_id: finalReply.recipientId };
				const openChannel = (callSignal: AbortSignal): Promise<unknown> =>
					rest.post(Routes.userChannels(), { body, signal: callSignal });
				const { data } = DirectChannel.safeParse(await responseWithTimeout(CALL_TIMEOUT_MS, signal, openChannel));
				if (!data) throw new NotAMessageError("Discord's response is not a channel");
				return await postIfMissing(data.id, target, finalReply, message, signal);
			}
		}
	}

	async function attemptRoute(
		route: DeliveryRoute,
		target: ReplyTarget,
		finalReply: FinalReply,
		version: MessageVersion,
		signal: AbortSignal,
	): Promise<RouteAttempt> {
		const outcome = await callDiscord(route, signal, () => sendByRoute(route, target, finalReply, version, signal));
		if (!("result" in outcome)) return outcome;
		return { kind: "done", messageId: outcome.result.id, wasAlreadyPosted: outcome.result.wasAlreadyPosted ?? false };
	}

	/** Edits the reply by its token. */
	async function editByToken(
		target: ReplyTarget,
		version: MessageVersion,
		signal: AbortSignal,
	): Promise<"edited" | Exclude<Decision, { kind: "retry" }>["kind"]> {
		const message = { ...version, authorizedBy: target };
		const outcome = await callDiscord("tokenEdit", signal, async () =>
			requireMessage(await sendRequest("patch", originalReplyPath(target), message, signal)),
		);
		return "result" in outcome ? "edited" : outcome.kind;
	}

	async function readOwnReply(
		route: "tokenEdit" | "botEdit",
		target: ReplyTarget,
		signal: AbortSignal,
	): Promise<PostedMessage> {
		const read = (callSignal: AbortSignal): Promise<unknown> =>
			rest.get(replyPathOf(route, target), { auth: route !== "tokenEdit", signal: callSignal });
		return requireMessage(await responseWithTimeout(CALL_TIMEOUT_MS, signal, read));
	}

	/** Tries the versions of a reply by one route, best first. Returns `undefined` if Discord accepts none of them. */
	async function tryVersions(
		route: DeliveryRoute,
		target: ReplyTarget,
		finalReply: FinalReply,
		signal: AbortSignal,
	): Promise<DeliveryAttempt | undefined> {
		const texts = route === "directMessage" ? finalReply.direct : finalReply;
		const mayBeCard = !areCardsRejected;
		// Buttons act on a server and its credits, so direct messages have none.
		const mayHaveButtons = route !== "directMessage";
		let blockedText: string | undefined;
		let rejectedCardText: string | undefined;
		for (const version of versionsOf(finalReply, texts, { mayBeCard, mayHaveButtons })) {
			const isCard = version.tone !== undefined;
			if (version.text === blockedText) continue;
			const result = await attemptRoute(route, target, finalReply, version, signal);
			switch (result.kind) {
				case "done": {
					if (!isCard && version.text === rejectedCardText) giveUpCards();
					const { messageId, wasAlreadyPosted } = result;
					const delivered = { kind: "delivered", route, messageId, withFiles: finalReply.files.length > 0 } as const;
					return wasAlreadyPosted ? { ...delivered, wasAlreadyPosted } : delivered;
				}
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
					return finalReply.files.length === 0 ? undefined : filesRejected(route, result, finalReply.files);
			}
		}
		return undefined;
	}

	function giveUpCards(): void {
		areCardsRejected = true;
		logger.warn("Discord rejects cards: results are classic messages until the next start");
	}

	/** Replaces the public reply by an ephemeral follow-up. Resolves to `undefined` if the token cannot be used: the usual routes follow. */
	async function deliverPrivately(
		target: ReplyTarget,
		finalReply: FinalReply,
		signal: AbortSignal,
	): Promise<DeliveryAttempt | undefined> {
		const { applicationId, token } = target;
		const mayBeCard = !areCardsRejected;
		for (const version of versionsOf({ ...finalReply, buttons: [] }, finalReply, { mayBeCard })) {
			const message = { ...version, authorizedBy: target, isEphemeral: true };
			const outcome = await callDiscord("tokenEdit", signal, async () => {
				await removeReply(target, signal);
				return requireMessage(await sendRequest("post", Routes.webhook(applicationId, token), message, signal));
			});
			if ("result" in outcome) {
				return { kind: "delivered", route: "tokenEdit", messageId: outcome.result.id, withFiles: false };
			}
			if (outcome.kind !== "withoutPrompt" && outcome.kind !== "otherForm") return undefined;
		}
		return undefined;
	}

	/** Starts a thread from the reply and resolves to its id, which is the id of the reply's message. Resolves to `undefined` if Discord refuses. */
	async function openThread(target: ReplyTarget, name: string, signal: AbortSignal): Promise<string | undefined> {
		const { channelId, messageId } = target;
		const create = async (callSignal: AbortSignal): Promise<void> => {
			try {
				await rest.post(Routes.threads(channelId, messageId), { body: { name }, signal: callSignal });
			} catch (error) {
				const isThreadOpen =
					error instanceof DiscordAPIError && error.code === RESTJSONErrorCodes.ThreadAlreadyCreatedForMessage;
				if (!isThreadOpen) throw error;
			}
		};
		const outcome = await callDiscord("botPost", signal, () => responseWithTimeout(CALL_TIMEOUT_MS, signal, create));
		return "result" in outcome ? messageId : undefined;
	}

	/** Resolves to `undefined` if the result cannot be in a thread: the usual routes follow. */
	async function deliverInThread(
		target: ReplyTarget,
		finalReply: FinalReply,
		signal: AbortSignal,
	): Promise<DeliveryAttempt | undefined> {
		const { thread } = finalReply;
		if (!thread || !canBotFindReply(target)) return undefined;
		const threadId = await openThread(target, thread.name, signal);
		if (threadId === undefined) return undefined;
		const delivery = await tryVersions("botPost", { ...target, channelId: threadId }, finalReply, signal);
		if (delivery?.kind !== "delivered") return delivery;
		// The reply still shows the progress.
		const version = { text: thread.pointer, files: [], rows: [] };
		for (const route of availableRoutes(target, clock.nowMs())) {
			if (route !== "tokenEdit" && route !== "botEdit") continue;
			if ((await attemptRoute(route, target, finalReply, version, signal)).kind === "done") break;
		}
		return { ...delivery, threadId };
	}

	/** Deletes the reply, because a first follow-up would replace a deferred reply and inherit its visibility. */
	async function removeReply(target: ReplyTarget, signal: AbortSignal): Promise<void> {
		const remove = (callSignal: AbortSignal): Promise<unknown> =>
			rest.delete(originalReplyPath(target), { auth: false, signal: callSignal });
		try {
			await withTimeout(CALL_TIMEOUT_MS, signal, remove);
		} catch (error) {
			const isGone = error instanceof DiscordAPIError && error.code === RESTJSONErrorCodes.UnknownMessage;
			if (!isGone) throw error;
		}
	}

	return {
		startUpload(target, file, signal) {
			const mayUseToken = isTokenAlive(target, clock.nowMs());
			return mayUseToken ? streaming.start(target, originalReplyPath(target), file, signal) : undefined;
		},
		async deliver(target, finalReply, signal) {
			if (finalReply.isPrivate && !target.ephemeral && isTokenAlive(target, clock.nowMs())) {
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
		async mention(target, { userId, text, key }, signal) {
			const body = { content: text, allowed_mentions: { users: [userId] } };
			const { applicationId, channelId, ephemeral, token } = target;
			const mayUseToken = isTokenAlive(target, clock.nowMs());
			if (!mayUseToken && (ephemeral || !target.botInGuild)) return;
			const sendMention = (callSignal: AbortSignal): Promise<unknown> =>
				mayUseToken
					? rest.post(Routes.webhook(applicationId, token), {
							body: { ...body, ...(ephemeral && { flags: MessageFlags.Ephemeral }) },
							auth: false,
							signal: callSignal,
						})
					: rest.post(Routes.channelMessages(channelId), {
							body: { ...body, nonce: nonceOf(key), enforce_nonce: true },
							signal: callSignal,
						});
			await callDiscord(mayUseToken ? "tokenEdit" : "botPost", signal, () =>
				responseWithTimeout(CALL_TIMEOUT_MS, signal, sendMention),
			);
		},
		async mayBeVisible(target, finalReply, signal) {
			const route = isTokenAlive(target, clock.nowMs()) ? "tokenEdit" : "botEdit";
			const outcome = await callDiscord(route, signal, () => readOwnReply(route, target, signal));
			// Discord refused the read: the reply may be there, and must not be delivered twice.
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
					throw new Error("text beside files rejected by Discord");
			}
		},
	};
}

function filesRejected(
	route: DeliveryRoute,
	decision: Extract<Decision, { kind: "smallerFiles" | "withoutFiles" }>,
	files: FinalReply["files"],
): FilesRejected {
	const largestBytes = Math.max(...files.map(({ content }) => content.sizeBytes));
	const isForSize = decision.kind === "smallerFiles";
	return { kind: "filesRejected", route, isForSize, isPerFile: isForSize && decision.isPerFile, largestBytes };
}

/** The token expired, or is about to, while the request waited for a rate limit. */
class TokenExpiredError extends Error {
	override readonly name = "TokenExpiredError";
}

interface Posted {
	readonly id: string;
	/** True if the message was found, not posted again. */
	readonly wasAlreadyPosted?: boolean;
}

interface OutgoingMessage extends MessageVersion {
	/** The reply whose token authorizes the call; without it the bot's own permissions count. */
	readonly authorizedBy?: TokenReply;
}

function originalReplyPath({ applicationId, token }: TokenReply): `/${string}` {
	return Routes.webhookMessage(applicationId, token, "@original");
}

function replyPathOf(route: "tokenEdit" | "botEdit", target: ReplyTarget): `/${string}` {
	return route === "tokenEdit" ? originalReplyPath(target) : Routes.channelMessage(target.channelId, target.messageId);
}

/** Resolves to `undefined` for a response that is not valid JSON. */
async function responseWithTimeout(...call: Parameters<typeof withTimeout<unknown>>): Promise<unknown> {
	try {
		return await withTimeout(...call);
	} catch (error) {
		if (error instanceof SyntaxError) return undefined;
		throw error;
	}
}

async function requestBodyOf(message: OutgoingMessage) {
	const body = bodyOf(message);
	if (message.files.length === 0) return { body };
	return { ...(await multipartBodyOf(body, message.files)), passThroughBody: true };
}

function fileBytesOf({ files }: MessageVersion): number {
	return files.reduce((sum, { content }) => sum + content.sizeBytes, 0);
}

function uploadTimeoutMs(bytes: number): number {
	return CALL_TIMEOUT_MS + Math.ceil(bytes / UPLOAD_BYTES_PER_MS_MIN);
}

function callFailureOf(error: unknown): CallFailure {
	if (error instanceof RateLimitError) {
		return { kind: "rateLimited", retryAfterMs: Math.max(error.retryAfter, error.timeToReset) };
	}
	if (error instanceof DiscordAPIError) return { kind: "refused", status: error.status, code: error.code };
	if (error instanceof NotAMessageError) return { kind: "noMessage" };
	return { kind: "noResponse" };
}

/** Errors of discord.js contain files and, in the URL, the token: only this text is passed on. */
function describeFailure(route: DeliveryRoute, failure: CallFailure, error: unknown): string {
	if (failure.kind === "refused") return `${route}: ${failure.status}, code ${failure.code}`;
	if (failure.kind === "rateLimited") return `${route}: rate limited for ${failure.retryAfterMs} ms`;
	return `${route}: ${error instanceof Error ? error.name : "unknown failure"}`;
}
