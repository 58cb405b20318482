/** A dashboard that logs users of the playground in. */
import { createHash } from "node:crypto";
import { expect } from "vitest";
import { openPlayground, type RestOptions, type TestPlayground } from "../testing/setup.ts";

export const REDIRECT_URI = "http://127.0.0.1:3000/callback?from=discord";
export const VERIFIER = "a-verifier-of-at-least-forty-three-characters";
export const CHALLENGE = {
	code_challenge: createHash("sha256").update(VERIFIER).digest("base64url"),
	code_challenge_method: "S256",
};
export const STATE = "a state: ä & ?";

type Params = Readonly<Record<string, string>>;
/** `undefined` removes a parameter. */
type Changes = Readonly<Record<string, string | undefined>>;

export interface Tokens {
	readonly access_token: string;
	readonly refresh_token: string;
}

function merge(defaults: Params, changes: Changes): Params {
	const merged = Object.entries({ ...defaults, ...changes });
	return Object.fromEntries(merged.filter((entry): entry is [string, string] => entry[1] !== undefined));
}

export async function openDashboard(options: Parameters<typeof openPlayground>[0] = {}) {
	const playground = await openPlayground({ redirectUris: [REDIRECT_URI], ...options });
	return { playground, ...dashboardOf(playground) };
}

export const basic = (id: string, secret: string): string =>
	`Basic ${Buffer.from(`${id}:${secret}`).toString("base64")}`;

export function dashboardOf({ origin, applicationId, started, rest, userNamed }: TestPlayground) {
	const client = basic(applicationId, started.clientSecret);

	function authorizeUrl(changes: Changes = {}): string {
		const defaults = {
			response_type: "code",
			client_id: applicationId,
			scope: "identify guilds",
			state: STATE,
			redirect_uri: REDIRECT_URI,
		};
		return `${origin}/oauth2/authorize?${new URLSearchParams(merge(defaults, changes)).toString()}`;
	}

	/** Submits the form of the consent page. */
	const submit = (form: Params, changes: Changes = {}, headers: Params = {}): Promise<Response> =>
		fetch(authorizeUrl(changes), { method: "POST", redirect: "manual", body: new URLSearchParams(form), headers });

	async function redirectOf(form: Params, changes: Changes = {}): Promise<URL> {
		const response = await submit(form, changes);
		expect(response.status).toBe(303);
		return new URL(response.headers.get("location") ?? "");
	}

	async function codeFor(username: string, changes: Changes = {}): Promise<string> {
		const { me } = await (await userNamed(username)).state();
		return (await redirectOf({ user: me.user.id }, changes)).searchParams.get("code") ?? "";
	}

	const post = (path: string, form: Params, authorization: string | undefined = client) =>
		rest("POST", path, new URLSearchParams(form).toString(), {
			token: null,
			headers: {
				"content-type": "application/x-www-form-urlencoded",
				...(authorization !== "" && { authorization }),
			},
		});

	const exchange = (code: string, changes: Changes = {}, authorization?: string) =>
		post(
			"/oauth2/token",
			merge({ grant_type: "authorization_code", code, redirect_uri: REDIRECT_URI }, changes),
			authorization,
		);

	const refresh = (refreshToken: string) =>
		post("/oauth2/token", { grant_type: "refresh_token", refresh_token: refreshToken });

	async function logIn(username: string, scope = "identify guilds"): Promise<Tokens> {
		const answer = await exchange(await codeFor(username, { scope }));
		expect(answer.status).toBe(200);
		return answer.body as Tokens;
	}

	const get = (path: string, accessToken: string, options: RestOptions = {}) =>
		rest("GET", path, undefined, { token: null, headers: { authorization: `Bearer ${accessToken}` }, ...options });

	return {
		authorizeUrl,
		submit,
		redirectOf,
		codeFor,
		post,
		exchange,
		refresh,
		revoke: (token: string) => post("/oauth2/token/revoke", { token }),
		logIn,
		get,
	};
}

export const oauth2Error = (status: number, error: string, parameter?: string) => ({
	status,
	body: { error, ...(parameter !== undefined && { error_description: `Invalid "${parameter}" in request.` }) },
});
