/** Functions that call the page API. The page and the user client differ in how they send a request. */
import type { APIAttachment } from "discord-api-types/v10";
import type { AnswerOf, BodyOf, PageAction, PageError, PageState } from "./page-contract.ts";

/** A request that the playground rejected, with its message. */
export class RefusedError extends Error {
	override readonly name = "RefusedError";
}

interface JsonRequest {
	/** JSON, or a form. Without a body, the request is a GET. */
	readonly body?: object | undefined;
	readonly signal?: AbortSignal | undefined;
}

/** Resolves to the JSON of the response. Throws `RefusedError` for a status other than 2xx. */
export async function requestJson<Answer>(url: URL | string, { body, signal }: JsonRequest = {}): Promise<Answer> {
	const response = await fetch(url, {
		method: body ? "POST" : "GET",
		cache: "no-store",
		...(signal && { signal }),
		...(body instanceof FormData
			? { body }
			: body && { headers: { "content-type": "application/json" }, body: JSON.stringify(body) }),
	});
	if (!response.ok) throw new RefusedError(await errorMessageOf(response));
	return (await response.json()) as Answer;
}

/** Returns the status if the response is of another server, such as a proxy. */
async function errorMessageOf(response: Response): Promise<string> {
	const answer = (await response.json().catch(() => undefined)) as PageError | undefined;
	return answer?.message ?? `The playground does not answer: HTTP ${response.status}.`;
}

/** Returns a client whose methods call `send` with their name, so that no list of the routes is needed. */
export function createClient(send: (name: string, input?: object, signal?: AbortSignal) => Promise<unknown>): object {
	return new Proxy<object>(
		{},
		{
			get(own, name) {
				// A client is not a promise.
				if (typeof name === "symbol" || name === "then" || name in own) return Reflect.get(own, name);
				return (input?: object, signal?: AbortSignal) => send(name, input, signal);
			},
		},
	);
}

type PageRequests = {
	readonly [Action in PageAction]: (body: BodyOf<Action>, signal?: AbortSignal) => Promise<AnswerOf<Action>>;
};

/** Sends a request to a route below `/playground`, and resolves to the body of the response. */
type Call = <Answer>(route: string, body?: object, signal?: AbortSignal) => Promise<Answer>;

export function createPageClient(call: Call) {
	return Object.assign(createClient(call) as PageRequests, {
		state: (signal?: AbortSignal) => call<PageState>("state", undefined, signal),
		upload(file: Blob, filename: string): Promise<APIAttachment> {
			const form = new FormData();
			form.set("file", file, filename);
			return call("upload", form);
		},
	});
}
