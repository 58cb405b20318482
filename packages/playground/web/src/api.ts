/** The requests of the page: the routes of `page-contract.ts`, and those of `controls-contract.ts` for the admin panel. */
import type {
	ApiAttachment,
	AutocompleteAnswer,
	AutocompleteRequest,
	ContextRequest,
	AdminState,
	InvokeAnswer,
	InvokeRequest,
	PageState,
	PressRequest,
	RequestsSeen,
	SubmitRequest,
} from "./contract.ts";

const TIMEOUT_MS = 20_000;
const UPLOAD_TIMEOUT_MS = 120_000;

export function createApi({ user, guild }: { user: () => string | null; guild: () => string | null }) {
	function address(route: string): string {
		const query = new URLSearchParams();
		for (const [name, id] of Object.entries({ user: user(), server: guild() })) if (id !== null) query.set(name, id);
		return `/playground/${route}?${query}`;
	}

	const post = <Answer = InvokeAnswer>(route: string, body: object, signal?: AbortSignal) =>
		call<Answer>("POST", address(route), { ...body, ...(user() !== null && { user: user() }) }, signal);

	return {
		eventsAddress: () => address("events"),
		state: (signal: AbortSignal) => call<PageState>("GET", address("state"), undefined, signal),
		invoke: (request: InvokeRequest) => post("interactions", request),
		invokeContext: (request: ContextRequest) => post("context-commands", request),
		press: (request: PressRequest) => post("components", request),
		submit: (request: SubmitRequest) => post("modals", request),
		autocomplete: (request: AutocompleteRequest, signal: AbortSignal) =>
			post<AutocompleteAnswer>("autocomplete", request, signal),
		setBot: (isThere: boolean) => call("PUT", address("bot"), { isThere }),
		upload: (file: File) => {
			const form = new FormData();
			form.append("file", file, file.name);
			return call<ApiAttachment>("POST", address("uploads"), form);
		},
		admin: {
			state: (guildId: string) => admin<AdminState>("GET", `?server=${guildId}`),
			change: (guildId: string, method: string, path: string, body?: object) =>
				admin<AdminState>(method, `${path}?server=${guildId}`, body),
			routes: () => admin<{ readonly routes: readonly string[] }>("GET", "/routes"),
			requests: (afterId: number) => admin<RequestsSeen>("GET", `/requests?after=${afterId}`),
		},
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

function admin<Answer>(method: string, path: string, body?: object): Promise<Answer> {
	return call<Answer>(method, `/playground/controls${path}`, body);
}

export function errorText(error: unknown): string {
	return error instanceof Error ? error.message : String(error);
}
