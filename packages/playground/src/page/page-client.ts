/** The routes of the page API, and functions that call them. The page and the user client differ in how they send a request. */
import type { APIAttachment } from "discord-api-types/v10";
import type {
	AutocompleteRequest,
	AutocompleteResponse,
	BotInstallRequest,
	CommandPermissionsRequest,
	CommandRequest,
	ComponentRequest,
	ContextMenuRequest,
	InteractionResponse,
	MessageEditRequest,
	MessageRequest,
	MessageResponse,
	MessageTarget,
	ModalSubmitRequest,
	PageError,
	PageState,
	PollVoteRequest,
	ReactionRequest,
	ThreadRequest,
	ThreadResponse,
} from "./page-contract.ts";

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

/** A route below `/playground` on which a user acts; the types are those of its body and of its response. */
interface PageRoute<Body, Answer> {
	readonly method: "POST" | "PUT" | "PATCH" | "DELETE";
	readonly path: string;
	readonly types?: (body: Body) => Answer;
}

const route = <Body, Answer = void>(
	method: PageRoute<Body, Answer>["method"],
	path: string,
): PageRoute<Body, Answer> => ({
	method,
	path,
});

export const pageRoutes = {
	typeCommand: route<CommandRequest, InteractionResponse>("POST", "interactions"),
	useContextMenu: route<ContextMenuRequest, InteractionResponse>("POST", "context-commands"),
	press: route<ComponentRequest, InteractionResponse>("POST", "components"),
	submit: route<ModalSubmitRequest, InteractionResponse>("POST", "modals"),
	autocomplete: route<AutocompleteRequest, AutocompleteResponse>("POST", "autocomplete"),
	say: route<MessageRequest, MessageResponse>("POST", "messages"),
	editMessage: route<MessageEditRequest, MessageResponse>("PATCH", "messages"),
	deleteMessage: route<MessageTarget>("DELETE", "messages"),
	react: route<ReactionRequest>("PUT", "reactions"),
	unreact: route<ReactionRequest>("DELETE", "reactions"),
	vote: route<PollVoteRequest>("PUT", "poll-votes"),
	startThread: route<ThreadRequest, ThreadResponse>("POST", "threads"),
	setCommandPermissions: route<CommandPermissionsRequest>("PUT", "command-permissions"),
	setBot: route<BotInstallRequest>("PUT", "bot"),
};

type PageRoutes = typeof pageRoutes;
export type PageRouteName = keyof PageRoutes;
export type BodyOf<Name extends PageRouteName> = PageRoutes[Name] extends PageRoute<infer Body, unknown> ? Body : never;
export type AnswerOf<Name extends PageRouteName> =
	PageRoutes[Name] extends PageRoute<never, infer Answer> ? Answer : never;

type PageRequests = {
	readonly [Name in PageRouteName]: (body: BodyOf<Name>, signal?: AbortSignal) => Promise<AnswerOf<Name>>;
};

/** Sends a request to a route below `/playground`, and resolves to the body of the response. */
type Call = <Answer>(method: string, path: string, body?: object, signal?: AbortSignal) => Promise<Answer>;

export function createPageClient(call: Call) {
	const requests = Object.entries(pageRoutes).map(([name, { method, path }]) => [
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
