/** The requests of the page: the routes of `page-contract.ts`, and the admin API. */
import { openAdminClient } from "../../src/admin/admin-client.ts";
import { createPageClient, RefusedError, requestJson } from "../../src/page/page-client.ts";

const TIMEOUT_MS = 20_000;
const UPLOAD_TIMEOUT_MS = 120_000;

export function createApi({ user, guild }: { user: () => string | null; guild: () => string | null }) {
	function address(route: string): string {
		const query = new URLSearchParams();
		for (const [name, id] of Object.entries({ user: user(), guild: guild() })) if (id !== null) query.set(name, id);
		return `/playground/${route}?${query}`;
	}

	return Object.assign(
		createPageClient((route, body, signal) => call(address(route), body, signal)),
		{
			eventsAddress: () => address("events"),
			admin: (guildId: string) => openAdminClient(location.origin, guildId),
		},
	);
}

async function call<Answer>(url: string, body?: object, signal?: AbortSignal): Promise<Answer> {
	const limit = AbortSignal.timeout(body instanceof FormData ? UPLOAD_TIMEOUT_MS : TIMEOUT_MS);
	try {
		return await requestJson(url, { body, signal: signal ? AbortSignal.any([signal, limit]) : limit });
	} catch (cause) {
		if (cause instanceof RefusedError) throw cause;
		throw new Error("The playground does not answer. Is it still running?", { cause });
	}
}

export function errorText(error: unknown): string {
	return error instanceof Error ? error.message : String(error);
}
