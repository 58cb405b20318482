/** The routes of the page API as functions. The page and the user client differ in how they send a request. */
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

/** Sends a request to a route below `/playground`, and resolves to the body of the response. */
type Call = <Answer>(
	method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE",
	route: string,
	body?: object,
	signal?: AbortSignal,
) => Promise<Answer>;

export function createPageClient(call: Call) {
	const interact = (route: string, body: object) => call<InteractionResponse>("POST", route, body);
	return {
		state: (signal?: AbortSignal) => call<PageState>("GET", "state", undefined, signal),
		typeCommand: (request: CommandRequest) => interact("interactions", request),
		useContextMenu: (request: ContextMenuRequest) => interact("context-commands", request),
		press: (request: ComponentRequest) => interact("components", request),
		submit: (request: ModalSubmitRequest) => interact("modals", request),
		autocomplete: (request: AutocompleteRequest, signal?: AbortSignal) =>
			call<AutocompleteResponse>("POST", "autocomplete", request, signal),
		say: (request: MessageRequest) => call<MessageResponse>("POST", "messages", request),
		editMessage: (request: MessageEditRequest) => call<MessageResponse>("PATCH", "messages", request),
		deleteMessage: (target: MessageTarget) => call<void>("DELETE", "messages", target),
		react: (request: ReactionRequest) => call<void>("PUT", "reactions", request),
		unreact: (request: ReactionRequest) => call<void>("DELETE", "reactions", request),
		vote: (request: PollVoteRequest) => call<void>("PUT", "poll-votes", request),
		startThread: (request: ThreadRequest) => call<ThreadResponse>("POST", "threads", request),
		setCommandPermissions: (request: CommandPermissionsRequest) => call<void>("PUT", "command-permissions", request),
		setBot: (request: BotInstallRequest) => call<void>("PUT", "bot", request),
		upload(file: Blob, filename: string): Promise<APIAttachment> {
			const form = new FormData();
			form.set("file", file, filename);
			return call("POST", "uploads", form);
		},
	};
}
