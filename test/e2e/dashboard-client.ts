/** Logs in to the dashboard and calls its API over HTTP, as a browser does. */
import { endpoints, type EndpointName, type RequestOf, type ResponseOf } from "@atelier/dashboard/contract";

interface ApiAnswer<Body = unknown> {
	readonly status: number;
	readonly body: Body;
}

/** Fills the path of an endpoint. */
function urlOf(origin: string, name: EndpointName, request: object): URL {
	const { params = {}, query = {} } = request as { params?: Record<string, string>; query?: Record<string, string> };
	const path = endpoints[name].path.replaceAll(/:(\w+)/g, (_, key: string) => encodeURIComponent(params[key] ?? "0"));
	const url = new URL(`${origin}/dashboard/api${path}`);
	for (const [key, value] of Object.entries(query)) url.searchParams.set(key, value);
	return url;
}

/** A browser: its cookies, and redirects that it follows one at a time. */
export function openBrowser(origin: string) {
	const cookies = new Map<string, string>();

	async function request(url: string | URL, init: RequestInit = {}): Promise<Response> {
		const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
		const headers = { ...(init.headers as Record<string, string> | undefined), cookie };
		const response = await fetch(new URL(url, origin), { ...init, headers, redirect: "manual" });
		for (const line of response.headers.getSetCookie()) {
			const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
			if (value === "" || /max-age=0|expires=thu, 01 jan 1970/i.test(line)) cookies.delete(name);
			else cookies.set(name, value);
		}
		return response;
	}

	/** Sends the form of the consent page. Resolves to the address that it redirects to. */
	async function consent(authorizeUrl: string, form: Record<string, string>): Promise<string> {
		const body = new URLSearchParams(form);
		const response = await request(authorizeUrl, { method: "POST", body, headers: { origin } });
		return response.headers.get("location") ?? `no redirect: ${response.status}`;
	}

	/** Resolves to the address of the consent page. */
	async function beginLogin(to = "/dashboard/"): Promise<string> {
		const response = await request(`/dashboard/login?to=${encodeURIComponent(to)}`);
		return response.headers.get("location") ?? `no redirect: ${response.status}`;
	}

	return { cookies, request, consent, beginLogin };
}

/** Returns a function that calls endpoints by name. */
function createCall(
	origin: string,
	request: (url: URL, init: RequestInit) => Promise<Response>,
	headersOf: (method: string) => Record<string, string> | false,
) {
	return async <Name extends EndpointName>(
		name: Name,
		input: Partial<RequestOf<Name>> = {},
		headers: Record<string, string> = {},
	): Promise<ApiAnswer<ResponseOf<Name>>> => {
		const { method } = endpoints[name];
		const { body } = input as { body?: unknown };
		const response = await request(urlOf(origin, name, input), {
			method,
			headers: {
				...headersOf(method),
				...(body !== undefined && { "content-type": "application/json" }),
				...headers,
			},
			...(body !== undefined && { body: JSON.stringify(body) }),
		});
		const text = await response.text();
		const isJson = response.headers.get("content-type")?.startsWith("application/json") ?? false;
		return { status: response.status, body: (isJson ? JSON.parse(text) : text) as ResponseOf<Name> };
	};
}

/** Calls the API with an API key, as a program does. */
export function withApiKey(origin: string, key: string) {
	return createCall(origin, fetch, () => ({ authorization: `Bearer ${key}` }));
}

/** Opens a session of a user of the playground. */
export async function openDashboard(origin: string, userId: string) {
	const browser = openBrowser(origin);
	const callbackUrl = await browser.consent(await browser.beginLogin(), { user: userId });
	await browser.request(callbackUrl);
	let csrfToken = "";
	const call = createCall(origin, browser.request, (method) => method !== "GET" && { "x-csrf-token": csrfToken });

	const session = await call("session");
	csrfToken = session.status === 200 ? session.body.csrfToken : "";
	return { browser, call, session };
}
