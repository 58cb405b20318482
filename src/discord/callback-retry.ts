/**
 * Retries interaction callbacks. Discord accepts one callback per interaction and answers every other one with 40060. After a
 * retry of our own, 40060 means that the first callback was accepted and only its answer was lost. Without a retry it means
 * that another process has answered.
 */
import { InteractionResponseType, RESTJSONErrorCodes, type RESTOptions } from "discord.js";
import type { Clock } from "@atelier/common/clock";

type MakeRequest = RESTOptions["makeRequest"];
type RequestOptions = Parameters<MakeRequest>[1];
type ResponseLike = Awaited<ReturnType<MakeRequest>>;

/** Discord waits three seconds for the callback, and a retry takes its time too. */
const RETRY_WITHIN_MS = 2_500;
const CALLBACK_PATH = /\/interactions\/\d+\/[^/]+\/callback$/;

/** Discord may have accepted the callback or not. discord.js does not retry this error. */
export class CallbackUnansweredError extends Error {
	override readonly name = "CallbackUnansweredError";
}

/** Sends a callback whose answer is lost once more, while Discord still waits for it. */
export function withCallbackRetry(makeRequest: MakeRequest, { clock }: { readonly clock: Clock }): MakeRequest {
	return async (url, options) => {
		if (!CALLBACK_PATH.test(new URL(url).pathname)) return await makeRequest(url, options);
		const sentAtMs = clock.nowMs();
		const first = await attempt(makeRequest, url, options);
		if (first.kind === "answered") return first.response;
		const isInTime = clock.nowMs() - sentAtMs < RETRY_WITHIN_MS;
		if (!isInTime || isAutocomplete(options)) throw unanswered(first);
		const second = await attempt(makeRequest, url, options);
		if (second.kind === "lost") throw unanswered(second);
		return await acceptedBefore(second.response);
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
	return new CallbackUnansweredError("no answer to an interaction callback", { cause });
}

/** Typing goes on, and the next key asks for new choices. */
function isAutocomplete({ body }: RequestOptions): boolean {
	if (typeof body !== "string") return false;
	const { type } = JSON.parse(body) as { readonly type?: unknown };
	return type === InteractionResponseType.ApplicationCommandAutocompleteResult;
}

/** Reads 40060 as success: Discord says 204 to a callback whose message it does not return. */
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
