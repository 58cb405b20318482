/**
 * Retries interaction callbacks. Discord accepts one callback per interaction and rejects every other one with 40060.
 * After a retry of our own, 40060 means that the first callback was accepted and only its response was lost. Without a
 * retry it means that another process has responded. A deferral without any response counts as accepted: an edit of
 * `@original` shows whether it was.
 */
import { InteractionResponseType, RESTJSONErrorCodes, type RESTOptions } from "discord.js";
import type { Clock } from "@atelier/common/clock";

type MakeRequest = RESTOptions["makeRequest"];
type RequestOptions = Parameters<MakeRequest>[1];
type ResponseLike = Awaited<ReturnType<MakeRequest>>;

/** Discord waits three seconds for the callback, and a retry needs some of them. */
const RETRY_WITHIN_MS = 2_500;
const CALLBACK_PATH = /\/interactions\/\d+\/[^/]+\/callback$/;
/** Deferrals show nothing, so an edit of `@original` shows everything. */
const DEFERRALS: ReadonlySet<InteractionResponseType> = new Set([
	InteractionResponseType.DeferredChannelMessageWithSource,
	InteractionResponseType.DeferredMessageUpdate,
]);

/** It is unknown whether Discord accepted the callback. discord.js does not retry this error. */
export class CallbackUnansweredError extends Error {
	override readonly name = "CallbackUnansweredError";
}

/** Repeats a callback whose response is lost, while Discord still waits for it. */
export function withCallbackRetry(makeRequest: MakeRequest, { clock }: { readonly clock: Clock }): MakeRequest {
	return async (url, options) => {
		if (!CALLBACK_PATH.test(new URL(url).pathname)) return await makeRequest(url, options);
		const sentAtMs = clock.nowMs();
		const first = await attempt(makeRequest, url, options);
		if (first.kind === "answered") return first.response;
		const type = typeOf(options);
		// The member keeps typing, and the next key requests new choices.
		if (type === InteractionResponseType.ApplicationCommandAutocompleteResult) throw unanswered(first);
		const isInTime = clock.nowMs() - sentAtMs < RETRY_WITHIN_MS;
		const last = isInTime ? await attempt(makeRequest, url, options) : first;
		if (last.kind === "answered") {
			if (last.response.status !== 429) return await acceptedBefore(last.response);
			// discord.js would repeat the callback after a 429, and this function could not tell whose callback a 40060 then means.
			await last.response.arrayBuffer();
		}
		if (type !== undefined && DEFERRALS.has(type)) return new Response(null, { status: 204 });
		throw unanswered(first);
	};
}

type Attempt =
	| { readonly kind: "answered"; readonly response: ResponseLike }
	| { readonly kind: "lost"; readonly cause: unknown };

async function attempt(makeRequest: MakeRequest, url: string, options: RequestOptions): Promise<Attempt> {
	try {
		const response = await makeRequest(url, options);
		if (response.status < 500) return { kind: "answered", response };
		// An unread body keeps its connection.
		await response.arrayBuffer();
		return { kind: "lost", cause: new Error(`status ${response.status}`) };
	} catch (cause) {
		return { kind: "lost", cause };
	}
}

function unanswered({ cause }: { readonly cause: unknown }): CallbackUnansweredError {
	return new CallbackUnansweredError("interaction callback unanswered", { cause });
}

/** Returns `undefined` for a callback with files, which is a message. */
function typeOf({ body }: RequestOptions): InteractionResponseType | undefined {
	return typeof body === "string" ? (JSON.parse(body) as { readonly type?: InteractionResponseType }).type : undefined;
}

/** Turns 40060 into the success that Discord reports for a callback: 204, without the message. */
async function acceptedBefore(response: ResponseLike): Promise<ResponseLike> {
	if (response.status !== 400) return response;
	const text = await response.text();
	if (codeIn(text) === RESTJSONErrorCodes.InteractionHasAlreadyBeenAcknowledged) {
		return new Response(null, { status: 204 });
	}
	return new Response(text, { status: 400, headers: { "content-type": "application/json" } });
}

function codeIn(text: string): unknown {
	try {
		const body = JSON.parse(text) as { readonly code?: unknown } | null;
		return body?.code;
	} catch {
		return undefined;
	}
}
