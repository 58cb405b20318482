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
import { fileMultipart } from "./multipart.ts";
import { createStreamingUploads } from "./streaming-multipart.ts";
import { findPostedReply, nonceOf, showsReply } from "./find-posted-reply.ts";
import { withTimeout } from "./with-timeout.ts";
import { messageIn, messagesIn, NotAMessageError, requireMessage, type PostedMessage } from "./read-message.ts";
import { bodyOf, versionsOf, type MessageVersion } from "./message-versions.ts";
import { taskButtonRows } from "./task-buttons.ts";

const CALL_TIMEOUT_MS = 15_000;
/** Slowest upload rate that a call waits for, beyond its base time. */
const UPLOAD_BYTES_PER_MS_MIN = 100;
/** Number of messages searched for a reply whose response was lost. */
const MESSAGES_SEARCHED = 50;

const DirectChannel = z.object({ id: z.string().regex(/^\d{1,20}$/) });

type Attempt =
	| { readonly kind: "done"; readonly messageId: string; readonly wasAlreadyPosted: boolean }
	| Exclude<Decision, { kind: "again" }>;

interface ReplyClientDeps {
	/** A REST client without retries or waits: this module decides what follows a failure. */
	readonly rest: REST;
	readonly uploads: ByteSemaphore;
	readonly clock: Clock;
	readonly logger: Logger;
}

export function createDiscordReplyClient({ rest, uploads, clock, logger }: ReplyClientDeps): ReplyClient {
	const streaming = createStreamingUploads({ rest, uploads, clock });
	/** Discord has rejected a card whose classic form it accepted: until the next start every result is classic. */
	let areCardsRejected = false;

	/** Makes one call. Returns its result, or the decision after a failure; throws `ReplyClientUnavailableError` if a retry may work. */
	async function call<Result>(
		route: DeliveryRoute,
		signal: AbortSignal,
		work: () => Promise<Result>,
	): Promise<{ readonly result: Result } | Exclude<Decision, { kind: "again" }>> {
		try {
			return { result: await work() };
		} catch (error) {
			signal.throwIfAborted();
			if (error instanceof TokenExpiredError) return { kind: "nextRoute" };
			const failure = callFailureOf(error);
			const decision = classifyDeliveryError(route, failure);
			if (decision.kind === "again")
				throw new ReplyClientUnavailableError(describe(route, failure, error), decision.afterMs);
			logger.warn({ route, decision: decision.kind, ...failure }, "delivery refused");
			return decision;
		}
	}

	/** Resolves to Discord's response, unchecked. */
	async function send(
		method: "patch" | "post",
		route: `/${string}`,
		message: OutgoingMessage,
		signal: AbortSignal,
	): Promise<unknown> {
		const { authorizedBy } = message;
		if (authorizedBy) {
			const firstTimeoutMs = callTimeoutMs(message);
			const completeUpload = streaming.commit(authorizedBy, message.files, bodyOf(message));
			if (completeUpload) return await responseOf(firstTimeoutMs, signal, completeUpload);
		}
		const releaseBytes = await uploads.take(sizeOf(message), signal);
		try {
			// The rate limit may have delayed this call for minutes.
			const timeoutMs = callTimeoutMs(message);
			const request = { ...(await requestOf(message)), auth: !authorizedBy };
			return await responseOf(timeoutMs, signal, (callSignal) =>
				rest[method](route, { ...request, signal: callSignal }),
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
			timeoutMsOf(sizeOf(message)),
			authorizedBy ? authorizedBy.tokenExpiresAtMs - clock.nowMs() : Infinity,
		);
	}

	/** Posts a message unless it is already there: an earlier attempt may have arrived while its response was lost. */
	async function post(
		channelId: string,
		target: ReplyTarget,
		answer: FinalReply,
		message: OutgoingMessage,
		signal: AbortSignal,
	): Promise<Posted> {
		const wanted = { applicationId: target.applicationId, answer, text: message.text };
		const found = findPostedReply(await readBack(channelId, signal), wanted);
		if (found) return { id: found.id, wasAlreadyPosted: true };
		// The nonce merges two posts that are too close together for the search to see.
		const nonce = { nonce: answer.nonce, enforce_nonce: true };
		const response = await send("post", Routes.channelMessages(channelId), { ...message, extra: nonce }, signal);
		const posted =
			messageIn(response, message.files.length) ?? findPostedReply(await readBack(channelId, signal), wanted);
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
		const edited = messageIn(await send("patch", routeOf(route, target), message, signal), message.files.length);
		if (edited) return edited;
		const reply = await readReply(route, target, signal);
		if (!showsReply(reply, message, [message.text])) throw new NotAMessageError("reply not updated");
		return reply;
	}

	async function readBack(channelId: string, signal: AbortSignal): Promise<readonly PostedMessage[]> {
		const query = new URLSearchParams({ limit: String(MESSAGES_SEARCHED) });
		try {
			const read = (callSignal: AbortSignal): Promise<unknown> =>
				rest.get(Routes.channelMessages(channelId), { query, signal: callSignal });
			return messagesIn(await responseOf(CALL_TIMEOUT_MS, signal, read));
		} catch (error) {
			// Without permission to read the channel, only the nonce prevents a duplicate.
			if (error instanceof DiscordAPIError && error.status === 403) return [];
			throw error;
		}
	}

	async function sendByRoute(
		route: DeliveryRoute,
		target: ReplyTarget,
		answer: FinalReply,
		message: MessageVersion,
		signal: AbortSignal,
	): Promise<Posted> {
		switch (route) {
			case "tokenEdit":
				return await editReply(route, target, { ...message, authorizedBy: target }, signal);
			case "botEdit":
				return await editReply(route, target, message, signal);
			case "botPost":
				return await post(target.channelId, target, answer, message, signal);
			case "directMessage": {
				const body = { recipient_id: answer.recipientId };
				const open = (callSignal: AbortSignal): Promise<unknown> =>
					rest.post(Routes.userChannels(), { body, signal: callSignal });
				const { data } = DirectChannel.safeParse(await responseOf(CALL_TIMEOUT_MS, signal, open));
				if (!data) throw new NotAMessageError("Discord's response is not a channel");
				return await post(data.id, target, answer, message, signal);
			}
		}
	}

	async function attempt(
		route: DeliveryRoute,
		target: ReplyTarget,
		answer: FinalReply,
		version: MessageVersion,
		signal: AbortSignal,
	): Promise<Attempt> {
		const outcome = await call(route, signal, () => sendByRoute(route, target, answer, version, signal));
		if (!("result" in outcome)) return outcome;
		return { kind: "done", messageId: outcome.result.id, wasAlreadyPosted: outcome.result.wasAlreadyPosted ?? false };
	}

	/** Edits the reply by its token. */
	async function editByToken(
		target: ReplyTarget,
		version: MessageVersion,
		signal: AbortSignal,
	): Promise<"edited" | Exclude<Decision, { kind: "again" }>["kind"]> {
		const message = { ...version, authorizedBy: target };
		const outcome = await call("tokenEdit", signal, async () =>
			requireMessage(await send("patch", originalOf(target), message, signal)),
		);
		return "result" in outcome ? "edited" : outcome.kind;
	}

	async function readReply(
		route: "tokenEdit" | "botEdit",
		target: ReplyTarget,
		signal: AbortSignal,
	): Promise<PostedMessage> {
		const read = (callSignal: AbortSignal): Promise<unknown> =>
			rest.get(routeOf(route, target), { auth: route !== "tokenEdit", signal: callSignal });
		return requireMessage(await responseOf(CALL_TIMEOUT_MS, signal, read));
	}

	/** Tries the versions of a reply by one route, best first. Returns `undefined` if Discord accepts none of them. */
	async function tryVersions(
		route: DeliveryRoute,
		target: ReplyTarget,
		answer: FinalReply,
		signal: AbortSignal,
	): Promise<DeliveryAttempt | undefined> {
		const texts = route === "directMessage" ? answer.direct : answer;
		const mayBeCard = !areCardsRejected;
		// Buttons act on a server and its credits, so direct messages have none.
		const mayHaveButtons = route !== "directMessage";
		let blockedText: string | undefined;
		let rejectedCardText: string | undefined;
		for (const version of versionsOf(answer, texts, { mayBeCard, mayHaveButtons })) {
			const isCard = version.tone !== undefined;
			if (version.text === blockedText) continue;
			const result = await attempt(route, target, answer, version, signal);
			switch (result.kind) {
				case "done": {
					if (!isCard && version.text === rejectedCardText) giveUpCards();
					const { messageId, wasAlreadyPosted } = result;
					const delivered = { kind: "delivered", route, messageId, withFiles: answer.files.length > 0 } as const;
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
					// The message has no files, so size is not the reason: this route is closed.
					return answer.files.length === 0 ? undefined : filesRejected(route, result, answer.files);
			}
		}
		return undefined;
	}

	function giveUpCards(): void {
		areCardsRejected = true;
		logger.warn("Discord rejects cards: results are classic messages until the next start");
	}

	/** Resolves to `undefined` if the token cannot be used: the usual routes follow. */
	async function deliverPrivately(
		target: ReplyTarget,
		answer: FinalReply,
		signal: AbortSignal,
	): Promise<DeliveryAttempt | undefined> {
		const { applicationId, token } = target;
		const mayBeCard = !areCardsRejected;
		for (const version of versionsOf({ ...answer, buttons: [] }, answer, { mayBeCard })) {
			const message = { ...version, authorizedBy: target, isEphemeral: true };
			const outcome = await call("tokenEdit", signal, async () => {
				await removeReply(target, signal);
				return requireMessage(await send("post", Routes.webhook(applicationId, token), message, signal));
			});
			if ("result" in outcome) {
				return { kind: "delivered", route: "tokenEdit", messageId: outcome.result.id, withFiles: false };
			}
			if (outcome.kind !== "withoutPrompt" && outcome.kind !== "otherForm") return undefined;
		}
		return undefined;
	}

	/** Starts a thread from the message of the reply, and returns the thread's id, which Discord makes equal to the message's. Resolves to `undefined` if Discord refuses. */
	async function openThread(target: ReplyTarget, name: string, signal: AbortSignal): Promise<string | undefined> {
		const { channelId, messageId } = target;
		const create = async (callSignal: AbortSignal): Promise<void> => {
			try {
				await rest.post(Routes.threads(channelId, messageId), { body: { name }, signal: callSignal });
			} catch (error) {
				const isThere =
					error instanceof DiscordAPIError && error.code === RESTJSONErrorCodes.ThreadAlreadyCreatedForMessage;
				if (!isThere) throw error;
			}
		};
		const outcome = await call("botPost", signal, () => responseOf(CALL_TIMEOUT_MS, signal, create));
		return "result" in outcome ? messageId : undefined;
	}

	/** Resolves to `undefined` if the result cannot be in a thread: the usual routes follow. */
	async function deliverInThread(
		target: ReplyTarget,
		answer: FinalReply,
		signal: AbortSignal,
	): Promise<DeliveryAttempt | undefined> {
		const { thread } = answer;
		if (!thread || !canBotFindReply(target)) return undefined;
		const threadId = await openThread(target, thread.name, signal);
		if (threadId === undefined) return undefined;
		const delivery = await tryVersions("botPost", { ...target, channelId: threadId }, answer, signal);
		if (delivery?.kind !== "delivered") return delivery;
		// The reply still shows the progress.
		const version = { text: thread.pointer, files: [], rows: [] };
		for (const route of availableRoutes(target, clock.nowMs())) {
			if (route !== "tokenEdit" && route !== "botEdit") continue;
			if ((await attempt(route, target, answer, version, signal)).kind === "done") break;
		}
		return { ...delivery, threadId };
	}

	/** Deletes the reply, because a first follow-up would replace a deferred reply and inherit its visibility. */
	async function removeReply(target: ReplyTarget, signal: AbortSignal): Promise<void> {
		const remove = (callSignal: AbortSignal): Promise<unknown> =>
			rest.delete(originalOf(target), { auth: false, signal: callSignal });
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
			return mayUseToken ? streaming.start(target, originalOf(target), file, signal) : undefined;
		},
		async deliver(target, answer, signal) {
			if (answer.isPrivate && !target.ephemeral && isTokenAlive(target, clock.nowMs())) {
				const delivery = await deliverPrivately(target, answer, signal);
				if (delivery) return delivery;
			}
			const inThread = await deliverInThread(target, answer, signal);
			if (inThread) return inThread;
			for (const route of availableRoutes(target, clock.nowMs())) {
				const delivery = await tryVersions(route, target, answer, signal);
				if (delivery) return delivery;
			}
			return { kind: "undelivered" };
		},
		notify: async (target, text, signal) => (await editByToken(target, { text, files: [] }, signal)) === "edited",
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
			await call(mayUseToken ? "tokenEdit" : "botPost", signal, () => responseOf(CALL_TIMEOUT_MS, signal, sendMention));
		},
		async isVisible(target, answer, signal) {
			const route = isTokenAlive(target, clock.nowMs()) ? "tokenEdit" : "botEdit";
			const outcome = await call(route, signal, () => readReply(route, target, signal));
			// A reply that the bot cannot read counts as visible, so that it is not delivered twice.
			return !("result" in outcome) || showsReply(outcome.result, answer, [answer.text, answer.textWithoutPrompt]);
		},
		async resend(reply, text, files, signal) {
			const message = { text, files, authorizedBy: reply };
			const outcome = await call("tokenEdit", signal, async () =>
				requireMessage(await send("patch", originalOf(reply), message, signal), files.length),
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

/** The call by token waited for a rate limit until the token was about to expire. */
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

function originalOf({ applicationId, token }: TokenReply): `/${string}` {
	return Routes.webhookMessage(applicationId, token, "@original");
}

function routeOf(route: "tokenEdit" | "botEdit", target: ReplyTarget): `/${string}` {
	return route === "tokenEdit" ? originalOf(target) : Routes.channelMessage(target.channelId, target.messageId);
}

/** Resolves to `undefined` for a response that is not valid JSON. */
async function responseOf(...call: Parameters<typeof withTimeout<unknown>>): Promise<unknown> {
	try {
		return await withTimeout(...call);
	} catch (error) {
		if (error instanceof SyntaxError) return undefined;
		throw error;
	}
}

async function requestOf(message: OutgoingMessage) {
	const body = bodyOf(message);
	if (message.files.length === 0) return { body };
	return { ...(await fileMultipart(body, message.files)), passThroughBody: true };
}

function sizeOf({ files }: MessageVersion): number {
	return files.reduce((sum, { content }) => sum + content.sizeBytes, 0);
}

function timeoutMsOf(bytes: number): number {
	return CALL_TIMEOUT_MS + Math.ceil(bytes / UPLOAD_BYTES_PER_MS_MIN);
}

function callFailureOf(error: unknown): CallFailure {
	if (error instanceof RateLimitError) {
		return { kind: "rateLimited", retryAfterMs: Math.max(error.retryAfter, error.timeToReset) };
	}
	if (error instanceof DiscordAPIError) return { kind: "refused", status: error.status, code: error.code };
	if (error instanceof NotAMessageError) return { kind: "noMessage" };
	return { kind: "noAnswer" };
}

/** Errors of discord.js contain files and, in the URL, the token: only this text is passed on. */
function describe(route: DeliveryRoute, failure: CallFailure, error: unknown): string {
	if (failure.kind === "refused") return `${route}: ${failure.status}, code ${failure.code}`;
	if (failure.kind === "rateLimited") return `${route}: rate limited for ${failure.retryAfterMs} ms`;
	return `${route}: ${error instanceof Error ? error.name : "unknown failure"}`;
}
