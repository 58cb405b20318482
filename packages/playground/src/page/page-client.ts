/** The routes of the page API, and functions that call them. The page and the user client differ in how they send a request. */
import type { APIAttachment } from "discord-api-types/v10";
import type { AnswerOf, BodyOf, PageAction, PageError, PageState } from "./page-contract.ts";

/** A request that the playground rejected, with its message. */
export class RefusedError extends Error {
	override readonly name = "RefusedError";
}

interface JsonRequest {
	readonly method: string;
	/** JSON, or a form. */
	readonly body?: object | undefined;
	readonly signal?: AbortSignal | undefined;
}

/** Resolves to the JSON of the response. Throws `RefusedError` for a status other than 2xx. */
export async function requestJson<Answer>(url: URL | string, { method, body, signal }: JsonRequest): Promise<Answer> {
	const response = await fetch(url, {
		method,
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

/** The method of each route on which a user acts, and its path below `/playground`. */
export const pageRoutes = {
	typeCommand: ["POST", "interactions"],
	useContextMenu: ["POST", "context-commands"],
	press: ["POST", "components"],
	submit: ["POST", "modals"],
	autocomplete: ["POST", "autocomplete"],
	say: ["POST", "messages"],
	editMessage: ["PATCH", "messages"],
	deleteMessage: ["DELETE", "messages"],
	react: ["PUT", "reactions"],
	unreact: ["DELETE", "reactions"],
	vote: ["PUT", "poll-votes"],
	startThread: ["POST", "threads"],
	openDirect: ["POST", "direct"],
	setCommandPermissions: ["PUT", "command-permissions"],
	setBot: ["PUT", "bot"],
} as const satisfies { readonly [Name in PageAction]: readonly [method: string, path: string] };

type PageRequests = {
	readonly [Name in PageAction]: (body: BodyOf<Name>, signal?: AbortSignal) => Promise<AnswerOf<Name>>;
};

/** Sends a request to a route below `/playground`, and resolves to the body of the response. */
type Call = <Answer>(method: string, path: string, body?: object, signal?: AbortSignal) => Promise<Answer>;

export function createPageClient(call: Call) {
	const requests = Object.entries(pageRoutes).map(([name, [method, path]]) => [
		name,
		(body: object, signal?: AbortSignal) => call(method, path, body, signal),
	]);
	return {
		...(Object.fromEntries(requests) as PageRequests),
		state: (signal?: AbortSignal) => call<PageState>("GET", "state", undefined, signal),
		upload(file: Blob, filename: string): Promise<APIAttachment> {
			const form = new FormData();
			form.set("file", file, filename);
			return call("POST", "uploads", form);
		},
	};
}
