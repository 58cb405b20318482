/**
 * The requests of the reply client, each with a timeout. A failure becomes a decision about what follows; errors carry
 * neither token nor file.
 */
import {
	DiscordAPIError,
	MessageFlags,
	RateLimitError,
	RESTJSONErrorCodes,
	Routes,
	type REST,
	type RequestData,
} from "discord.js";
import type { Logger } from "pino";
import { z } from "zod";
import type { Clock } from "@atelier/common/clock";
import type { FairSemaphore } from "../services/delivery/fair-semaphore.ts";
import { ReplyClientUnavailableError, type Ping } from "../services/delivery/reply-client.ts";
import type { DeliveryRoute } from "../services/delivery/delivery-routes.ts";
import type { ReplyTarget, TokenReply } from "../services/delivery/reply-target.ts";
import { isTokenAlive } from "../services/delivery/delivery-routes.ts";
import { classifyDeliveryError, type CallFailure, type NextAction } from "./classify-error.ts";
import { nonceOf } from "./nonce.ts";
import { bodyOf, type MessageForm } from "./message-forms.ts";
import { buildMultipartBody } from "./multipart.ts";
import { messagesIn, NotAMessageError, requireMessage, type PostedMessage } from "./read-message.ts";
import type { StreamingUploads } from "./streaming-uploads.ts";
import { withTimeout } from "./with-timeout.ts";

/** The timeout of a call without files. */
const CALL_TIMEOUT_MS = 15_000;
/** The slowest upload that a call waits for; the time for its files is added to `CALL_TIMEOUT_MS`. */
const UPLOAD_BYTES_PER_MS_MIN = 100;
/** Number of messages searched for a reply whose response was lost. */
const MESSAGES_SEARCHED = 50;

const DirectChannel = z.object({ id: z.string().regex(/^\d{1,20}$/) });

/** A route through which the bot can edit or read its reply. */
export type ReplyRoute = "tokenEdit" | "botEdit";

/** A decision that the reply client acts on. A retry is thrown as a `ReplyClientUnavailableError`. */
export type FinalDecision = Exclude<NextAction, { kind: "retry" }>;

export interface OutgoingMessage extends MessageForm {
	/** The reply whose token authorizes the call; without it the bot's own permissions count. */
	readonly authorizedBy?: TokenReply;
	/** The server whose share of the uploads the files use. Files that are sent again share one. */
	readonly guildId?: string;
}

interface ReplyRequestsDeps {
	/** A REST client without retries or waits: the reply client decides what follows a failure. */
	readonly rest: REST;
	readonly uploadSemaphore: FairSemaphore;
	readonly streaming: Pick<StreamingUploads, "commit">;
	readonly clock: Clock;
	readonly logger: Logger;
}

export function createReplyRequests({ rest, uploadSemaphore, streaming, clock, logger }: ReplyRequestsDeps) {
	/** Makes one request to Discord. Returns its result, or the decision after a failure; throws `ReplyClientUnavailableError` if a retry may work. */
	async function callDiscord<Result>(
		route: DeliveryRoute,
		signal: AbortSignal,
		call: () => Promise<Result>,
	): Promise<{ readonly result: Result } | FinalDecision> {
		try {
			return { result: await call() };
		} catch (error) {
			signal.throwIfAborted();
			if (error instanceof TokenExpiredError) return { kind: "nextRoute" };
			const failure = callFailureOf(error);
			const decision = classifyDeliveryError(route, failure);
			if (decision.kind === "retry")
				throw new ReplyClientUnavailableError(describeFailure(route, failure, error), decision.retryAfterMs);
			logger.warn({ route, decision: decision.kind, ...failure }, "delivery rejected");
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
		const releaseBytes = await uploadSemaphore.acquire(fileBytesOf(message), message.guildId ?? "", signal);
		try {
			// Other uploads may have delayed this call for minutes.
			const timeoutMs = callTimeoutMs(message);
			const options = { ...(await requestBodyOf(message)), auth: !authorizedBy };
			return await responseWithTimeout(timeoutMs, signal, (callSignal) =>
				rest[method](path, { ...options, signal: callSignal }),
			);
		} finally {
			releaseBytes();
		}
	}

	/** Makes a request without files. */
	function request(
		method: "get" | "post" | "delete",
		path: `/${string}`,
		signal: AbortSignal,
		options: Pick<RequestData, "auth" | "body" | "query"> = {},
	): Promise<unknown> {
		return responseWithTimeout(CALL_TIMEOUT_MS, signal, (callSignal) =>
			rest[method](path, { ...options, signal: callSignal }),
		);
	}

	/** Limits the timeout of a call to the remaining life of its token. */
	function callTimeoutMs(message: OutgoingMessage): number {
		const { authorizedBy } = message;
		if (authorizedBy) requireTokenAlive(authorizedBy);
		return Math.min(
			uploadTimeoutMs(fileBytesOf(message)),
			authorizedBy ? authorizedBy.tokenExpiresAtMs - clock.nowMs() : Infinity,
		);
	}

	function requireTokenAlive(reply: TokenReply): void {
		if (!isTokenAlive(reply, clock.nowMs())) throw new TokenExpiredError();
	}

	async function readRecentMessages(channelId: string, signal: AbortSignal): Promise<readonly PostedMessage[]> {
		const query = new URLSearchParams({ limit: String(MESSAGES_SEARCHED) });
		try {
			return messagesIn(await request("get", Routes.channelMessages(channelId), signal, { query }));
		} catch (error) {
			// Without permission to read the channel, only the nonce prevents a duplicate.
			if (error instanceof DiscordAPIError && error.status === 403) return [];
			throw error;
		}
	}

	/** Throws if the token has expired since the route was chosen, such as after a suspension of the machine. */
	async function readOwnReply(route: ReplyRoute, target: ReplyTarget, signal: AbortSignal): Promise<PostedMessage> {
		if (route === "tokenEdit") requireTokenAlive(target);
		return requireMessage(await request("get", replyPathOf(route, target), signal, { auth: route !== "tokenEdit" }));
	}

	/** Opens the direct message channel of a user and resolves to its id. */
	async function openDirectChannel(recipientId: string, signal: AbortSignal): Promise<string> {
		const body = { recipient_id: recipientId };
		const { data } = DirectChannel.safeParse(await request("post", Routes.userChannels(), signal, { body }));
		if (!data) throw new NotAMessageError("Discord's response is not a channel");
		return data.id;
	}

	/** Starts a thread from the reply unless it has one. */
	async function openThread({ channelId, messageId }: ReplyTarget, name: string, signal: AbortSignal): Promise<void> {
		try {
			await request("post", Routes.threads(channelId, messageId), signal, { body: { name } });
		} catch (error) {
			if (!hasCode(error, RESTJSONErrorCodes.ThreadAlreadyCreatedForMessage)) throw error;
		}
	}

	/** Posts a message that mentions one user, by the token of the reply or as the bot. */
	async function sendPing(
		{ applicationId, channelId, isEphemeral, token }: ReplyTarget,
		{ userId, text, key }: Ping,
		mayUseToken: boolean,
		signal: AbortSignal,
	): Promise<void> {
		const body = { content: text, allowed_mentions: { users: [userId] } };
		if (mayUseToken) {
			const visibleBody = { ...body, ...(isEphemeral && { flags: MessageFlags.Ephemeral }) };
			await request("post", Routes.webhook(applicationId, token), signal, { body: visibleBody, auth: false });
		} else {
			const uniqueBody = { ...body, nonce: nonceOf(key), enforce_nonce: true };
			await request("post", Routes.channelMessages(channelId), signal, { body: uniqueBody });
		}
	}

	/** Deletes the reply, because a first follow-up would replace a deferred reply and inherit its visibility. */
	async function removeReply(target: ReplyTarget, signal: AbortSignal): Promise<void> {
		try {
			await request("delete", originalReplyPath(target), signal, { auth: false });
		} catch (error) {
			if (!hasCode(error, RESTJSONErrorCodes.UnknownMessage)) throw error;
		}
	}

	return {
		callDiscord,
		sendRequest,
		readRecentMessages,
		readOwnReply,
		openDirectChannel,
		openThread,
		sendPing,
		removeReply,
	};
}

function hasCode(error: unknown, code: RESTJSONErrorCodes): boolean {
	return error instanceof DiscordAPIError && error.code === code;
}

/** The token has expired or is about to, perhaps while the request waited for other uploads. */
class TokenExpiredError extends Error {
	override readonly name = "TokenExpiredError";
}

export function originalReplyPath({ applicationId, token }: TokenReply): `/${string}` {
	return Routes.webhookMessage(applicationId, token, "@original");
}

export function replyPathOf(route: ReplyRoute, target: ReplyTarget): `/${string}` {
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
	return { ...(await buildMultipartBody(body, message.files)), passThroughBody: true };
}

function fileBytesOf({ files }: MessageForm): number {
	return files.reduce((sum, { content }) => sum + content.sizeBytes, 0);
}

function uploadTimeoutMs(bytes: number): number {
	return CALL_TIMEOUT_MS + Math.ceil(bytes / UPLOAD_BYTES_PER_MS_MIN);
}

function callFailureOf(error: unknown): CallFailure {
	if (error instanceof RateLimitError) {
		return { kind: "rateLimited", retryAfterMs: Math.max(error.retryAfter, error.timeToReset) };
	}
	if (error instanceof DiscordAPIError) return { kind: "rejected", status: error.status, code: error.code };
	if (error instanceof NotAMessageError) return { kind: "noMessage" };
	return { kind: "noResponse" };
}

/** Errors of discord.js contain files and, in the URL, the token: only this text is passed on. */
function describeFailure(route: DeliveryRoute, failure: CallFailure, error: unknown): string {
	if (failure.kind === "rejected") return `${route}: ${failure.status}, code ${failure.code}`;
	if (failure.kind === "rateLimited") return `${route}: rate limited for ${failure.retryAfterMs} ms`;
	return `${route}: ${error instanceof Error ? error.name : "unknown failure"}`;
}
