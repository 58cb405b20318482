/** The requests of the page: the routes of `page-contract.ts`, and the admin API. */
import { openAdminClient } from "../../src/admin/admin-client.ts";
import { createPageClient } from "../../src/page-client.ts";

const TIMEOUT_MS = 20_000;
const UPLOAD_TIMEOUT_MS = 120_000;

export function createApi({ user, guild }: { user: () => string | null; guild: () => string | null }) {
	function address(route: string): string {
		const query = new URLSearchParams();
		for (const [name, id] of Object.entries({ user: user(), guild: guild() })) if (id !== null) query.set(name, id);
		return `/playground/${route}?${query}`;
	}

	return {
		...createPageClient((method, route, body, signal) => call(method, address(route), body, signal)),
		eventsAddress: () => address("events"),
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
