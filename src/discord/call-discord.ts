/** Calls Discord for the reply client, with a timeout. A failure becomes the next action; errors carry neither token nor file. */
import { DiscordAPIError, RateLimitError, Routes, type REST, type RequestData } from "discord.js";
import type { Logger } from "pino";
import type { Clock } from "@atelier/common/clock";
import type { DeliveryRoute } from "../services/delivery/delivery-routes.ts";
import { isTokenAlive } from "../services/delivery/delivery-routes.ts";
import type { FairSemaphore } from "../services/delivery/fair-semaphore.ts";
import { ReplyClientUnavailableError, UnusableResponseError } from "../services/delivery/reply-client.ts";
import type { ReplyTarget, TokenReply } from "../services/delivery/reply-target.ts";
import { nextActionAfter, type CallFailure, type NextAction } from "./next-action.ts";
import { buildMessageBody, type MessageForm } from "./message-forms.ts";
import { buildMessageRequest, uploadBytesOf } from "./multipart.ts";
import { UnexpectedBodyError } from "./read-message.ts";
import type { StreamingUploads } from "./streaming-uploads.ts";
import { withTimeout } from "./with-timeout.ts";

/** The timeout of a call without files. */
const CALL_TIMEOUT_MS = 15_000;
/** The slowest upload that a call waits for; the time for its files is added to `CALL_TIMEOUT_MS`. */
const UPLOAD_BYTES_PER_MS_MIN = 100;

/** A route by which the bot can edit or read its reply. */
export type EditRoute = "tokenEdit" | "botEdit";

export function originalReplyPath({ applicationId, token }: TokenReply): `/${string}` {
	return Routes.webhookMessage(applicationId, token, "@original");
}

export function replyPathOf(route: EditRoute, target: ReplyTarget): `/${string}` {
	return route === "tokenEdit" ? originalReplyPath(target) : Routes.channelMessage(target.channelId, target.messageId);
}

/** The result of a call, or what follows its failure. */
export type CallOutcome<Result> = { readonly kind: "ok"; readonly result: Result } | NextAction;

export interface SendOptions {
	/** The reply whose token authorizes the call; without it the bot's own permissions count. */
	readonly authorizedBy?: TokenReply;
	/** The server whose share of the uploads the files use. Files that are sent again share one. */
	readonly guildId?: string;
	readonly signal: AbortSignal;
}

interface DiscordCallsDeps {
	/** A REST client without retries or waits: the reply client decides what follows a failure. */
	readonly rest: REST;
	readonly uploadSemaphore: FairSemaphore;
	readonly streaming: Pick<StreamingUploads, "commit">;
	readonly clock: Clock;
	readonly logger: Logger;
}

export type DiscordCalls = ReturnType<typeof createDiscordCalls>;

export function createDiscordCalls({ rest, uploadSemaphore, streaming, clock, logger }: DiscordCallsDeps) {
	/**
	 * Makes one call. Throws `ReplyClientUnavailableError` if a later attempt may work. `route` selects how a rejection is read: by the
	 * token's rules or the bot's. A ping and a thread use the route with the same credentials.
	 */
	async function callDiscord<Result>(
		route: DeliveryRoute,
		signal: AbortSignal,
		call: () => Promise<Result>,
	): Promise<CallOutcome<Result>> {
		try {
			return { kind: "ok", result: await call() };
		} catch (error) {
			signal.throwIfAborted();
			if (error instanceof TokenExpiredError) return { kind: "nextRoute" };
			const failure = callFailureOf(error);
			const next = nextActionAfter(route, failure);
			if (error instanceof UnexpectedBodyError) throw new UnusableResponseError(describeFailure(route, failure, error));
			if (next.kind === "retry")
				throw new ReplyClientUnavailableError(describeFailure(route, failure, error), next.retryAfterMs);
			logger.warn({ route, next: next.kind, ...failure }, "delivery rejected");
			return next;
		}
	}

	/**
	 * Sends a message and resolves to Discord's response, unchecked. Completes the streaming upload of the reply if it holds the same
	 * files.
	 */
	async function sendMessage(
		method: "patch" | "post",
		path: `/${string}`,
		form: MessageForm,
		{ authorizedBy, guildId = "", signal }: SendOptions,
	): Promise<unknown> {
		if (authorizedBy) {
			const firstTimeoutMs = timeoutMsOf(form, authorizedBy);
			const completeUpload = streaming.commit(authorizedBy, form.files, buildMessageBody(form));
			if (completeUpload) return await responseWithTimeout(firstTimeoutMs, signal, completeUpload);
		}
		const releaseBytes = await uploadSemaphore.acquire(uploadBytesOf(form), guildId, signal);
		try {
			// Other uploads may have delayed this call for minutes.
			const timeoutMs = timeoutMsOf(form, authorizedBy);
			const options = { ...(await buildMessageRequest(form)), auth: !authorizedBy };
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

	/** Returns the timeout of a call, limited to the remaining life of its token. */
	function timeoutMsOf(form: MessageForm, authorizedBy: TokenReply | undefined): number {
		const uploadTimeoutMs = CALL_TIMEOUT_MS + Math.ceil(uploadBytesOf(form) / UPLOAD_BYTES_PER_MS_MIN);
		if (!authorizedBy) return uploadTimeoutMs;
		// The token may have expired since the route was chosen, such as after a suspension of the machine.
		if (!isTokenAlive(authorizedBy, clock.nowMs())) throw new TokenExpiredError();
		return Math.min(uploadTimeoutMs, authorizedBy.tokenExpiresAtMs - clock.nowMs());
	}

	return { callDiscord, sendMessage, request };
}

/** The token has expired or is about to, perhaps while the request waited for other uploads. */
class TokenExpiredError extends Error {
	override readonly name = "TokenExpiredError";
}

/** Resolves to `undefined` for a success whose body is not valid JSON: not every caller reads it. */
async function responseWithTimeout(...call: Parameters<typeof withTimeout<unknown>>): Promise<unknown> {
	try {
		return await withTimeout(...call);
	} catch (error) {
		if (error instanceof SyntaxError) return undefined;
		throw error;
	}
}

function callFailureOf(error: unknown): CallFailure {
	if (error instanceof RateLimitError) {
		return { kind: "rateLimited", retryAfterMs: Math.max(error.retryAfter, error.timeToReset) };
	}
	if (error instanceof DiscordAPIError) return { kind: "rejected", status: error.status, code: error.code };
	return { kind: "noResponse" };
}

/** Errors of discord.js contain files and, in the URL, the token: only this text is passed on. */
function describeFailure(route: DeliveryRoute, failure: CallFailure, error: unknown): string {
	if (failure.kind === "rejected") return `${route}: ${failure.status}, code ${failure.code}`;
	if (failure.kind === "rateLimited") return `${route}: rate limited for ${failure.retryAfterMs} ms`;
	return `${route}: ${error instanceof Error ? error.name : "unknown failure"}`;
}
