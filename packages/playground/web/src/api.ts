/** The requests of the page: the routes of `page-contract.ts`, and the admin API. */
import type { APIAttachment } from "discord-api-types/v10";
import { openAdminClient } from "../../src/admin/admin-client.ts";
import type {
	AutocompleteResponse,
	AutocompleteRequest,
	ContextMenuRequest,
	InteractionResponse,
	MessageRequest,
	MessageResponse,
	MessageTarget,
	CommandRequest,
	PageState,
	ComponentRequest,
	ModalSubmitRequest,
	PollVoteRequest,
	ReactionRequest,
	ThreadRequest,
	ThreadResponse,
} from "./contract.ts";

const TIMEOUT_MS = 20_000;
const UPLOAD_TIMEOUT_MS = 120_000;

export function createApi({ user, guild }: { user: () => string | null; guild: () => string | null }) {
	function address(route: string): string {
		const query = new URLSearchParams();
		for (const [name, id] of Object.entries({ user: user(), guild: guild() })) if (id !== null) query.set(name, id);
		return `/playground/${route}?${query}`;
	}

	const post = <Answer = InteractionResponse>(route: string, body: object, signal?: AbortSignal) =>
		call<Answer>("POST", address(route), body, signal);

	return {
		eventsAddress: () => address("events"),
		state: (signal: AbortSignal) => call<PageState>("GET", address("state"), undefined, signal),
		invoke: (request: CommandRequest) => post("interactions", request),
		invokeContext: (request: ContextMenuRequest) => post("context-commands", request),
		press: (request: ComponentRequest) => post("components", request),
		submit: (request: ModalSubmitRequest) => post("modals", request),
		autocomplete: (request: AutocompleteRequest, signal: AbortSignal) =>
			post<AutocompleteResponse>("autocomplete", request, signal),
		say: (request: MessageRequest) => post<MessageResponse>("messages", request),
		deleteMessage: (target: MessageTarget) => call("DELETE", address("messages"), target),
		react: (request: ReactionRequest, isAdded: boolean) =>
			call(isAdded ? "PUT" : "DELETE", address("reactions"), request),
		vote: (request: PollVoteRequest) => call("PUT", address("poll-votes"), request),
		startThread: (request: ThreadRequest) => post<ThreadResponse>("threads", request),
		setBot: (isInstalled: boolean) => call("PUT", address("bot"), { isInstalled }),
		upload: (file: File) => {
			const form = new FormData();
			form.append("file", file, file.name);
			return call<APIAttachment>("POST", address("uploads"), form);
		},
		admin: (guildId: string) => openAdminClient(location.origin, guildId),
	};
}

async function call<Answer>(method: string, url: string, body?: object, signal?: AbortSignal): Promise<Answer> {
	const limit = AbortSignal.timeout(body instanceof FormData ? UPLOAD_TIMEOUT_MS : TIMEOUT_MS);
	const isJson = body !== undefined && !(body instanceof FormData);
	const request: RequestInit = {
		method,
		cache: "no-store",
		signal: signal ? AbortSignal.any([signal, limit]) : limit,
		...(isJson && { headers: { "content-type": "application/json" } }),
		...(body && { body: body instanceof FormData ? body : JSON.stringify(body) }),
	};
	const response = await fetch(url, request).catch((cause) => {
		throw new Error("The playground does not answer. Is it still running?", { cause });
	});
	const answer: unknown = await response.json().catch(() => null);
	if (response.ok) return answer as Answer;
	const message = answer && typeof answer === "object" && "message" in answer ? answer.message : null;
	throw new Error(typeof message === "string" ? message : `The playground refused this (${response.status}).`);
}

export function errorText(error: unknown): string {
	return error instanceof Error ? error.message : String(error);
}
