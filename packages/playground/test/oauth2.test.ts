/** Discord's rules of OAuth2 logins: the consent page, the token endpoints, and the routes with an access token. */
import { createHash } from "node:crypto";
import { PermissionFlagsBits } from "discord-api-types/v10";
import { describe, expect, test } from "vitest";
import { createManualClock } from "@atelier/common/testing/manual-clock";
import { ALL_PERMISSIONS, EVERYONE_PERMISSIONS } from "../src/simulator/permissions.ts";
import { openPlayground, temporaryFolder } from "../testing/setup.ts";

const REDIRECT_URI = "http://127.0.0.1:3000/callback?from=discord";
const OTHER_URI = "http://127.0.0.1:3000/other";
const VERIFIER = "a-verifier-of-at-least-forty-three-characters";
const CHALLENGE = {
	code_challenge: createHash("sha256").update(VERIFIER).digest("base64url"),
	code_challenge_method: "S256",
};
const STATE = "a state: ä & ?";
const WEEK_MS = 604_800_000;
const UNAUTHORIZED = { status: 401, body: { message: "401: Unauthorized", code: 0 } };

type Params = Readonly<Record<string, string>>;
/** `undefined` removes a parameter. */
type Changes = Readonly<Record<string, string | undefined>>;

interface Tokens {
	readonly access_token: string;
	readonly refresh_token: string;
}

/** JSON has no undefined fields. */
const merge = (defaults: Params, changes: Changes): Params => JSON.parse(JSON.stringify({ ...defaults, ...changes }));

const basic = (id: string, secret: string): string => `Basic ${Buffer.from(`${id}:${secret}`).toString("base64")}`;

const invalidGrant = (parameter: string) => ({
	status: 400,
	body: { error: "invalid_grant", error_description: `Invalid "${parameter}" in request.` },
});
const INVALID_CLIENT = { status: 401, body: { error: "invalid_client" } };

/** A dashboard that logs users of the playground in. */
async function openDashboard(options: Parameters<typeof openPlayground>[0] = {}) {
	const playground = await openPlayground({ redirectUris: [REDIRECT_URI], ...options });
	const { origin, applicationId, started, rest, userNamed } = playground;

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
		expect(response.headers.get("referrer-policy")).toBe("no-referrer");
		return new URL(response.headers.get("location") ?? "");
	}

	async function codeFor(username: string, changes: Changes = {}): Promise<string> {
		const { me } = await userNamed(username);
		return (await redirectOf({ user: me.user.id }, changes)).searchParams.get("code") ?? "";
	}

	/** Sends a form with the client's id and secret; an empty `authorization` sends none. */
	const post = (path: string, form: Params, authorization = basic(applicationId, started.clientSecret)) =>
		rest("POST", path, new URLSearchParams(form).toString(), {
			token: null,
			headers: { "content-type": "application/x-www-form-urlencoded", ...(authorization !== "" && { authorization }) },
		});

	const exchange = (code: string, changes: Changes = {}, authorization?: string) => {
		const defaults = { grant_type: "authorization_code", code, redirect_uri: REDIRECT_URI };
		return post("/oauth2/token", merge(defaults, changes), authorization);
	};

	async function logIn(username: string, scope = "identify guilds"): Promise<Tokens> {
		const answer = await exchange(await codeFor(username, { scope }));
		expect(answer.status).toBe(200);
		return answer.body as Tokens;
	}

	return {
		...playground,
		authorizeUrl,
		submit,
		redirectOf,
		codeFor,
		post,
		exchange,
		refresh: (token: string) => post("/oauth2/token", { grant_type: "refresh_token", refresh_token: token }),
		revoke: (token: string) => post("/oauth2/token/revoke", { token }),
		logIn,
		get: (path: string, accessToken: string) =>
			rest("GET", path, undefined, { token: null, headers: { authorization: `Bearer ${accessToken}` } }),
	};
}

describe("the consent page", () => {
	test("lists the users of the playground, and has a strict policy that allows the redirect", async () => {
		const { authorizeUrl } = await openDashboard();
		const response = await fetch(authorizeUrl());
		expect(response.status).toBe(200);
		expect(response.headers.get("content-security-policy")).toBe(
			"default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; frame-ancestors 'none'; " +
				"form-action 'self' http://127.0.0.1:3000",
		);
		const html = await response.text();
		expect(html.match(/Continue as <b>\w+/g)).toHaveLength(7);
		expect(html).toContain("This is the playground, not Discord.");
		expect(html).toContain("Atelier Playground: Owner, Admin");
		expect(html).not.toMatch(/<script|style=|onclick/);
	});

	test("is found below the API, too", async () => {
		const { origin, authorizeUrl } = await openDashboard();
		for (const prefix of ["/api", "/api/v10"]) {
			const url = authorizeUrl().replace(origin, `${origin}${prefix}`);
			const { status, headers } = await fetch(url, { redirect: "manual" });
			expect([status, headers.get("location")]).toStrictEqual([302, authorizeUrl().replace(origin, "")]);
		}
	});

	test("redirects a user with a code, and the state unchanged; without a state if there was none", async () => {
		const { user, redirectOf } = await openDashboard();
		const { me } = await user();
		const { origin, pathname, searchParams } = await redirectOf({ user: me.user.id });
		expect(origin + pathname).toBe("http://127.0.0.1:3000/callback");
		const code = expect.stringMatching(/^[\w-]{30}$/) as unknown;
		expect(Object.fromEntries(searchParams)).toStrictEqual({ from: "discord", code, state: STATE });
		const withoutState = await redirectOf({ user: me.user.id }, { state: undefined });
		expect(withoutState.searchParams.has("state")).toBe(false);
	});

	test("redirects with access_denied and the state after Cancel", async () => {
		const { searchParams } = await (await openDashboard()).redirectOf({ cancel: "true" });
		expect(Object.fromEntries(searchParams)).toStrictEqual({
			from: "discord",
			error: "access_denied",
			error_description: expect.any(String),
			state: STATE,
		});
	});

	test.each([
		["another client_id", { client_id: "123" }, "client_id must be"],
		["no client_id", { client_id: undefined }, "client_id is missing"],
		["no redirect_uri", { redirect_uri: undefined }, "redirect_uri is missing"],
		["a redirect_uri that is not registered", { redirect_uri: "https://evil.example" }, "not registered"],
		["a redirect_uri below a registered one", { redirect_uri: `${REDIRECT_URI}/x` }, "not registered"],
		["the implicit grant", { response_type: "token" }, "response_type must be"],
		["an unknown scope", { scope: "identify guilds.join" }, "scope may contain only: identify, guilds."],
		["an empty scope", { scope: "" }, "scope may contain only"],
		["a plain challenge", { ...CHALLENGE, code_challenge_method: "plain" }, "code_challenge_method must be"],
		["a challenge without its method", { ...CHALLENGE, code_challenge_method: undefined }, "sent together"],
		["an unknown prompt", { prompt: "login" }, "prompt must be"],
	])("shows an error for %s and never redirects", async (_, changes, message) => {
		const { authorizeUrl, submit, user } = await openDashboard();
		const { me } = await user();
		for (const response of [await fetch(authorizeUrl(changes)), await submit({ user: me.user.id }, changes)]) {
			expect([response.status, response.headers.get("location")]).toStrictEqual([400, null]);
			expect(await response.text()).toContain(message);
		}
	});

	test("escapes the parameters that it shows", async () => {
		const uri = "http://127.0.0.1:3000/?<b>\"'&";
		const { authorizeUrl } = await openDashboard({ redirectUris: [uri] });
		expect(await (await fetch(authorizeUrl({ redirect_uri: uri }))).text()).toContain("/?&lt;b&gt;&quot;&#39;&amp;");
	});

	test("refuses a form without a known user, from another site, or of another type", async () => {
		const { submit, authorizeUrl } = await openDashboard();
		expect((await submit({ user: "123" })).status).toBe(400);
		expect((await submit({ cancel: "true" }, {}, { origin: "https://evil.example" })).status).toBe(403);
		expect((await fetch(authorizeUrl(), { method: "POST", body: "cancel", redirect: "manual" })).status).toBe(415);
	});

	test("refuses every login without registered redirect URIs, until the admin API registers one", async () => {
		const { authorizeUrl, admin } = await openDashboard({ redirectUris: [] });
		expect(await (await fetch(authorizeUrl())).text()).toContain("Registered: none.");
		const redirectUris = [REDIRECT_URI];
		expect(await admin.setRedirectUris({ redirectUris })).toMatchObject({ redirectUris });
		expect((await fetch(authorizeUrl())).status).toBe(200);
		expect(await admin.reset()).toMatchObject({ redirectUris: [] });
		await expect(admin.setRedirectUris({ redirectUris: ["javascript:alert(1)"] })).rejects.toThrow("Invalid");
	});
});

describe("the token endpoint", () => {
	test.each(["/api", "/api/v10"])("below %s exchanges a code with the client's id and secret", async (base) => {
		const { origin, applicationId, started, codeFor } = await openDashboard();
		const form = {
			client_id: applicationId,
			client_secret: started.clientSecret,
			grant_type: "authorization_code",
			code: await codeFor("ada"),
			redirect_uri: REDIRECT_URI,
		};
		const response = await fetch(`${origin}${base}/oauth2/token`, { method: "POST", body: new URLSearchParams(form) });
		expect(response.status).toBe(200);
		expect(await response.json()).toStrictEqual({
			token_type: "Bearer",
			access_token: expect.stringMatching(/^[\w-]{30}$/),
			expires_in: 604_800,
			refresh_token: expect.stringMatching(/^[\w-]{30}$/),
			scope: "identify guilds",
		});
	});

	test("accepts HTTP Basic, also with every character of the secret encoded", async () => {
		const { applicationId, started, codeFor, exchange } = await openDashboard();
		expect(await exchange(await codeFor("ada"))).toMatchObject({ status: 200 });
		const encoded = [...Buffer.from(started.clientSecret)].map((byte) => `%${byte.toString(16)}`).join("");
		const answer = await exchange(await codeFor("ada"), {}, basic(applicationId, encoded));
		expect(answer).toMatchObject({ status: 200 });
	});

	test("refuses a wrong secret, another client and no client", async () => {
		const { applicationId, started, codeFor, exchange } = await openDashboard();
		const code = await codeFor("ada");
		for (const header of [basic(applicationId, "wrong"), basic("123", started.clientSecret), "Basic %", ""])
			expect(await exchange(code, {}, header)).toMatchObject(INVALID_CLIENT);
		expect(await exchange(code)).toMatchObject({ status: 200 });
	});

	test.each([
		["another redirect_uri", {}, { redirect_uri: OTHER_URI }, invalidGrant("redirect_uri")],
		["no redirect_uri", {}, { redirect_uri: undefined }, invalidGrant("redirect_uri")],
		["a verifier without a challenge", {}, { code_verifier: VERIFIER }, invalidGrant("code_verifier")],
		["the verifier of the challenge", CHALLENGE, { code_verifier: VERIFIER }, { status: 200 }],
		["another verifier", CHALLENGE, { code_verifier: `${VERIFIER}x` }, invalidGrant("code_verifier")],
		["a challenge without a verifier", CHALLENGE, {}, invalidGrant("code_verifier")],
	])("checks %s, and accepts a code once", async (_, challenge, changes, answer) => {
		const { codeFor, exchange } = await openDashboard();
		const code = await codeFor("ada", challenge);
		expect(await exchange(code, changes)).toMatchObject(answer);
		expect(await exchange(code)).toMatchObject(invalidGrant("code"));
	});

	test("accepts a code for 100 seconds", async () => {
		const { clock, codeFor, exchange } = await openDashboard();
		const [early, late] = [await codeFor("ada"), await codeFor("ada")];
		await clock.advance(99_999);
		expect(await exchange(early)).toMatchObject({ status: 200 });
		await clock.advance(1);
		for (const code of [late, "unknown"]) expect(await exchange(code)).toMatchObject(invalidGrant("code"));
	});

	test("replaces both tokens with a refresh, and accepts a refresh token once", async () => {
		const { logIn, refresh, get } = await openDashboard();
		const before = await logIn("ada", "identify");
		const answer = await refresh(before.refresh_token);
		const after = answer.body as Tokens;
		expect(answer).toMatchObject({ status: 200, body: { scope: "identify", expires_in: 604_800 } });
		expect(await get("/users/@me", after.access_token)).toMatchObject({ status: 200, body: { username: "ada" } });
		expect(await get("/users/@me", before.access_token)).toMatchObject(UNAUTHORIZED);
		for (const token of [before.refresh_token, after.access_token])
			expect(await refresh(token)).toMatchObject(invalidGrant("refresh_token"));
	});

	test("refreshes after the access token has expired", async () => {
		const { clock, logIn, refresh, get } = await openDashboard();
		const tokens = await logIn("ada");
		await clock.jump(WEEK_MS - 1);
		expect(await get("/users/@me", tokens.access_token)).toMatchObject({ status: 200 });
		await clock.advance(1);
		expect(await get("/users/@me", tokens.access_token)).toMatchObject(UNAUTHORIZED);
		expect(await refresh(tokens.refresh_token)).toMatchObject({ status: 200 });
	});
});

describe("revoking a token", () => {
	test.each(["access_token", "refresh_token"] as const)("(its %s) ends every login of its user", async (name) => {
		const { logIn, revoke, refresh, get } = await openDashboard();
		const [first, second, other] = [await logIn("ada"), await logIn("ada"), await logIn("grace")];
		expect(await revoke(first[name])).toMatchObject({ status: 200, body: {} });
		for (const { access_token: accessToken, refresh_token: refreshToken } of [first, second]) {
			expect(await get("/users/@me", accessToken)).toMatchObject(UNAUTHORIZED);
			expect(await refresh(refreshToken)).toMatchObject(invalidGrant("refresh_token"));
		}
		expect(await get("/users/@me", other.access_token)).toMatchObject({ status: 200 });
	});

	test("succeeds for an unknown token, and is rejected for an unknown client or without a token", async () => {
		const { revoke, post } = await openDashboard();
		expect(await revoke("unknown")).toMatchObject({ status: 200, body: {} });
		const path = "/oauth2/token/revoke";
		expect(await post(path, { token: "unknown" }, "")).toMatchObject(INVALID_CLIENT);
		expect(await post(path, {})).toMatchObject({ status: 400, body: { error: "invalid_request" } });
	});
});

test("a login and the client secret survive a restart", async () => {
	const options = { clock: createManualClock(), dataDir: await temporaryFolder() };
	const before = await openDashboard(options);
	const { access_token: accessToken, refresh_token: refreshToken } = await before.logIn("ada");
	const after = await openDashboard(options);
	expect(after.started.clientSecret).toBe(before.started.clientSecret);
	expect(await after.get("/users/@me", accessToken)).toMatchObject({ status: 200, body: { username: "ada" } });
	expect(await after.refresh(refreshToken)).toMatchObject({ status: 200 });
});

test("no code, token or secret is in the request log, even if a client sends it in the query", async () => {
	const { admin, started, codeFor, exchange, refresh, revoke, get, post } = await openDashboard();
	const code = await codeFor("ada");
	const { access_token: accessToken, refresh_token: refreshToken } = (await exchange(code)).body as Tokens;
	await get("/users/@me", accessToken);
	await post(`/oauth2/token?code=${code}&client_secret=${started.clientSecret}`, {});
	await refresh(refreshToken);
	await revoke(accessToken);
	await expect.poll(async () => (await admin.requests()).requests).toHaveLength(5);
	const { requests, counts } = await admin.requests();
	expect(counts).toMatchObject({ valid: 5 });
	expect(requests[2]).toMatchObject({ path: "/oauth2/token" });
	for (const secret of [code, accessToken, refreshToken, started.clientSecret])
		expect(JSON.stringify(requests)).not.toContain(secret);
});

describe("an access token", () => {
	test("reads its user with the locale, without an email address", async () => {
		const { logIn, get } = await openDashboard();
		const answer = await get("/users/@me", (await logIn("lena")).access_token);
		expect(answer).toMatchObject({ status: 200, body: { username: "lena", global_name: "Lena", locale: "de" } });
		expect(answer.body).not.toHaveProperty("email");
	});

	test("reads its application and, with the scopes identify and guilds, its user and the guilds", async () => {
		const { applicationId, logIn, get } = await openDashboard();
		const [both, identify, guilds] = [
			(await logIn("ada")).access_token,
			(await logIn("ada", "identify")).access_token,
			(await logIn("ada", "guilds")).access_token,
		];
		const application = { id: applicationId, name: "Atelier" };
		const body = { application, scopes: ["identify", "guilds"], user: { username: "ada" } };
		expect(await get("/oauth2/@me", both)).toMatchObject({ status: 200, body });
		expect((await get("/oauth2/@me", guilds)).body).not.toHaveProperty("user");
		expect(await get("/users/@me", guilds)).toMatchObject(UNAUTHORIZED);
		expect(await get("/users/@me/guilds", identify)).toMatchObject(UNAUTHORIZED);
		expect(await get("/users/@me/guilds", guilds)).toMatchObject({ status: 200 });
	});

	test("is not accepted as a bot token, and a bot token is not accepted as an access token", async () => {
		const { botToken, rest, logIn, get } = await openDashboard();
		const { access_token: token } = await logIn("ada");
		expect(await get("/gateway/bot", token)).toMatchObject(UNAUTHORIZED);
		expect(await rest("GET", "/users/@me", undefined, { token })).toMatchObject(UNAUTHORIZED);
		expect(await get("/users/@me", botToken)).toMatchObject(UNAUTHORIZED);
		expect(await rest("GET", "/oauth2/@me")).toMatchObject(UNAUTHORIZED);
	});
});

describe("the guilds of a user", () => {
	test("have the permissions of the owner and of members", async () => {
		const { logIn, get } = await openDashboard();
		const guildsOf = async (username: string) => {
			const { body } = await get("/users/@me/guilds", (await logIn(username)).access_token);
			const guilds = body as { name: string; owner: boolean; permissions: string }[];
			return guilds.map(({ name, owner, permissions }) => [name, owner, BigInt(permissions)]);
		};
		expect(await guildsOf("robin")).toStrictEqual([
			["Werkstatt Nord", false, EVERYONE_PERMISSIONS],
			["Atelier Playground", true, ALL_PERMISSIONS],
		]);
		const { ManageMessages, ModerateMembers } = PermissionFlagsBits;
		expect(await guildsOf("lena")).toStrictEqual([
			["Werkstatt Nord", true, ALL_PERMISSIONS],
			["Atelier Playground", false, EVERYONE_PERMISSIONS | ManageMessages | ModerateMembers],
		]);
		expect(await guildsOf("ada")).toStrictEqual([["Atelier Playground", false, EVERYONE_PERMISSIONS]]);
	});

	test("include those without the bot, with counts on request", async () => {
		const { user, rest, logIn, get } = await openDashboard();
		await (await user()).setBotInstalled(false);
		const { access_token: token } = await logIn("robin");
		// Four members and the bot; five members without the bot.
		expect((await get("/users/@me/guilds?with_counts=true", token)).body).toMatchObject([
			{ name: "Werkstatt Nord", approximate_member_count: 5, icon: null, features: [] },
			{ name: "Atelier Playground", approximate_member_count: 5 },
		]);
		expect((await rest("GET", "/users/@me/guilds")).body).toMatchObject([{ name: "Werkstatt Nord", owner: false }]);
	});

	test("can be read once a second by each user", async () => {
		const { clock, logIn, get } = await openDashboard();
		const [ada, adaAgain, grace] = [await logIn("ada"), await logIn("ada"), await logIn("grace")];
		const read = ({ access_token: accessToken }: Tokens) => get("/users/@me/guilds", accessToken);
		const first = await read(ada);
		expect(first.status).toBe(200);
		expect(Object.fromEntries(first.headers)).toMatchObject({ "x-ratelimit-limit": "1", "x-ratelimit-remaining": "0" });
		await clock.advance(400);
		const second = await read(adaAgain);
		expect(second).toMatchObject({ status: 429, body: { retry_after: 0.6, global: false } });
		expect(Object.fromEntries(second.headers)).toMatchObject({ "retry-after": "1", "x-ratelimit-scope": "user" });
		expect(await read(grace)).toMatchObject({ status: 200 });
		await clock.advance(600);
		expect(await read(ada)).toMatchObject({ status: 200 });
	});
});
