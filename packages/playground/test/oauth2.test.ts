/** Discord's rules of OAuth2 logins: the consent page, and the token endpoints. */
import { describe, expect, test } from "vitest";
import { createManualClock } from "@atelier/common/testing/manual-clock";
import { openPlayground, temporaryFolder } from "../testing/setup.ts";
import {
	basic,
	CHALLENGE,
	dashboardOf,
	oauth2Error,
	openDashboard,
	REDIRECT_URI,
	STATE,
	type Tokens,
	VERIFIER,
} from "./oauth2-setup.ts";

const UNAUTHORIZED = { status: 401, body: { message: "401: Unauthorized", code: 0 } };
const WEEK_MS = 604_800_000;

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

	test("redirects a user with a code, and the state unchanged; without a state if there was none", async () => {
		const { playground, redirectOf } = await openDashboard();
		const { me } = await playground.user();
		const { origin, pathname, searchParams } = await redirectOf({ user: me.user.id });
		expect(origin + pathname).toBe("http://127.0.0.1:3000/callback");
		expect(Object.fromEntries(searchParams)).toStrictEqual({
			from: "discord",
			code: expect.stringMatching(/^[\w-]{30}$/),
			state: STATE,
		});
		const withoutState = await redirectOf({ user: me.user.id }, { state: undefined });
		expect(withoutState.searchParams.has("state")).toBe(false);
	});

	test("redirects with access_denied and the state after Cancel", async () => {
		const { redirectOf } = await openDashboard();
		const { searchParams } = await redirectOf({ cancel: "true" });
		expect(Object.fromEntries(searchParams)).toMatchObject({ error: "access_denied", state: STATE });
		expect(searchParams.has("code")).toBe(false);
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
		const { authorizeUrl, submit, playground } = await openDashboard();
		const { me } = await playground.user();
		for (const response of [await fetch(authorizeUrl(changes)), await submit({ user: me.user.id }, changes)]) {
			expect([response.status, response.headers.get("location")]).toStrictEqual([400, null]);
			expect(await response.text()).toContain(message);
		}
	});

	test("escapes the parameters that it shows", async () => {
		const { authorizeUrl, playground } = await openDashboard();
		const uri = "http://127.0.0.1:3000/?<b>\"'&";
		await playground.admin.setRedirectUris({ redirectUris: [uri] });
		expect(await (await fetch(authorizeUrl({ redirect_uri: uri }))).text()).toContain("/?&lt;b&gt;&quot;&#39;&amp;");
	});

	test("refuses a form without a known user, from another site, or of another type", async () => {
		const { submit, authorizeUrl } = await openDashboard();
		expect((await submit({ user: "123" })).status).toBe(400);
		expect((await submit({ cancel: "true" }, {}, { origin: "https://evil.example" })).status).toBe(403);
		expect((await fetch(authorizeUrl(), { method: "POST", body: "cancel", redirect: "manual" })).status).toBe(415);
	});

	test("refuses every login without registered redirect URIs, until the admin API registers one", async () => {
		const playground = await openPlayground();
		const { authorizeUrl } = dashboardOf(playground);
		expect(await (await fetch(authorizeUrl())).text()).toContain("Registered: none.");
		const { admin } = playground;
		expect(await admin.setRedirectUris({ redirectUris: [REDIRECT_URI] })).toMatchObject({
			redirectUris: [REDIRECT_URI],
		});
		expect((await fetch(authorizeUrl())).status).toBe(200);
		expect(await admin.reset()).toMatchObject({ redirectUris: [] });
		await expect(admin.setRedirectUris({ redirectUris: ["javascript:alert(1)"] })).rejects.toThrow("Invalid");
	});
});

describe("the token endpoint", () => {
	test.each(["/api", "/api/v10"])("below %s exchanges a code with the client's id and secret", async (base) => {
		const { playground, codeFor } = await openDashboard();
		const form = {
			client_id: playground.applicationId,
			client_secret: playground.started.clientSecret,
			grant_type: "authorization_code",
			code: await codeFor("ada"),
			redirect_uri: REDIRECT_URI,
		};
		const url = `${playground.origin}${base}/oauth2/token`;
		const response = await fetch(url, { method: "POST", body: new URLSearchParams(form) });
		expect([response.status, await response.json()]).toStrictEqual([
			200,
			{
				token_type: "Bearer",
				access_token: expect.stringMatching(/^[\w-]{30}$/),
				expires_in: 604_800,
				refresh_token: expect.stringMatching(/^[\w-]{30}$/),
				scope: "identify guilds",
			},
		]);
	});

	test("accepts HTTP Basic, also with every character of the secret encoded", async () => {
		const { playground, codeFor, exchange } = await openDashboard();
		expect(await exchange(await codeFor("ada"))).toMatchObject({ status: 200 });
		const encoded = [...Buffer.from(playground.started.clientSecret)].map((byte) => `%${byte.toString(16)}`).join("");
		const answer = await exchange(await codeFor("ada"), {}, basic(playground.applicationId, encoded));
		expect(answer).toMatchObject({ status: 200 });
	});

	test("refuses a wrong secret, another client and no client", async () => {
		const { playground, codeFor, exchange } = await openDashboard();
		const { clientSecret } = playground.started;
		const code = await codeFor("ada");
		for (const header of [basic(playground.applicationId, "wrong"), basic("123", clientSecret), "Basic %", ""])
			expect(await exchange(code, {}, header)).toMatchObject(oauth2Error(401, "invalid_client"));
		expect(await exchange(code)).toMatchObject({ status: 200 });
	});

	test.each([
		["another redirect_uri", { redirect_uri: "http://127.0.0.1:3000/other" }, "redirect_uri"],
		["no redirect_uri", { redirect_uri: undefined }, "redirect_uri"],
		["an unknown code", { code: "unknown" }, "code"],
		["a verifier without a challenge", { code_verifier: VERIFIER }, "code_verifier"],
	])("refuses %s", async (_, changes, parameter) => {
		const { codeFor, exchange } = await openDashboard();
		const answer = await exchange(await codeFor("ada"), changes);
		expect(answer).toMatchObject(oauth2Error(400, "invalid_grant", parameter));
	});

	test.each([
		["the verifier of the challenge", VERIFIER, { status: 200 }],
		["another verifier", `${VERIFIER}x`, oauth2Error(400, "invalid_grant", "code_verifier")],
		["no verifier", undefined, oauth2Error(400, "invalid_grant", "code_verifier")],
	])("checks a challenge: %s", async (_, verifier, answer) => {
		const { codeFor, exchange } = await openDashboard();
		const code = await codeFor("ada", CHALLENGE);
		expect(await exchange(code, { code_verifier: verifier })).toMatchObject(answer);
	});

	test("accepts a code once, also if the first exchange failed", async () => {
		const { codeFor, exchange } = await openDashboard();
		const [used, failed] = [await codeFor("ada"), await codeFor("ada")];
		expect(await exchange(used)).toMatchObject({ status: 200 });
		expect(await exchange(used)).toMatchObject(oauth2Error(400, "invalid_grant", "code"));
		await exchange(failed, { redirect_uri: "http://127.0.0.1:3000/other" });
		expect(await exchange(failed)).toMatchObject(oauth2Error(400, "invalid_grant", "code"));
	});

	test("accepts a code for 100 seconds", async () => {
		const { playground, codeFor, exchange } = await openDashboard();
		const [early, late] = [await codeFor("ada"), await codeFor("ada")];
		await playground.clock.advance(99_999);
		expect(await exchange(early)).toMatchObject({ status: 200 });
		await playground.clock.advance(1);
		expect(await exchange(late)).toMatchObject(oauth2Error(400, "invalid_grant", "code"));
	});

	test("replaces both tokens with a refresh, and accepts a refresh token once", async () => {
		const { logIn, refresh, get } = await openDashboard();
		const before = await logIn("ada", "identify");
		const answer = await refresh(before.refresh_token);
		const after = answer.body as Tokens;
		expect(answer).toMatchObject({ status: 200, body: { scope: "identify", expires_in: 604_800 } });
		expect(await get("/users/@me", after.access_token)).toMatchObject({ status: 200, body: { username: "ada" } });
		expect(await get("/users/@me", before.access_token)).toMatchObject(UNAUTHORIZED);
		expect(await refresh(before.refresh_token)).toMatchObject(oauth2Error(400, "invalid_grant", "refresh_token"));
		expect(await refresh(after.access_token)).toMatchObject(oauth2Error(400, "invalid_grant", "refresh_token"));
	});

	test("refreshes after the access token has expired", async () => {
		const { playground, logIn, refresh, get } = await openDashboard();
		const tokens = await logIn("ada");
		await playground.clock.jump(WEEK_MS - 1);
		expect(await get("/users/@me", tokens.access_token)).toMatchObject({ status: 200 });
		await playground.clock.advance(1);
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
			expect(await refresh(refreshToken)).toMatchObject(oauth2Error(400, "invalid_grant", "refresh_token"));
		}
		expect(await get("/users/@me", other.access_token)).toMatchObject({ status: 200 });
	});

	test("succeeds for an unknown token, and is rejected for an unknown client or without a token", async () => {
		const { revoke, post } = await openDashboard();
		expect(await revoke("unknown")).toMatchObject({ status: 200, body: {} });
		const path = "/oauth2/token/revoke";
		expect(await post(path, { token: "unknown" }, "")).toMatchObject(oauth2Error(401, "invalid_client"));
		expect(await post(path, {})).toMatchObject(oauth2Error(400, "invalid_request"));
	});
});

test("a login and the client secret survive a restart", async () => {
	const options = { clock: createManualClock(), dataDir: await temporaryFolder() };
	const { playground: before, logIn } = await openDashboard(options);
	const { access_token: accessToken, refresh_token: refreshToken } = await logIn("ada");
	const { playground: after, get, refresh } = await openDashboard(options);
	expect(after.started.clientSecret).toBe(before.started.clientSecret);
	expect(await get("/users/@me", accessToken)).toMatchObject({ status: 200, body: { username: "ada" } });
	expect(await refresh(refreshToken)).toMatchObject({ status: 200 });
});

test("no code, token or secret is in the request log, even if a client sends it in the query", async () => {
	const { playground, codeFor, exchange, refresh, revoke, get, post } = await openDashboard();
	const code = await codeFor("ada");
	const { body } = await exchange(code);
	const { access_token: accessToken, refresh_token: refreshToken } = body as Tokens;
	await get("/users/@me", accessToken);
	await post(`/oauth2/token?code=${code}&client_secret=${playground.started.clientSecret}`, {});
	await refresh(refreshToken);
	await revoke(accessToken);
	const { admin } = playground;
	await expect.poll(async () => (await admin.requests()).requests).toHaveLength(5);
	const { requests } = await admin.requests();
	expect(requests.map(({ path, verdict }) => [path, verdict])).toStrictEqual([
		["/oauth2/token", "valid"],
		["/users/@me", "valid"],
		["/oauth2/token", "valid"],
		["/oauth2/token", "valid"],
		["/oauth2/token/revoke", "valid"],
	]);
	const log = JSON.stringify(requests);
	for (const secret of [code, accessToken, refreshToken, playground.started.clientSecret])
		expect(log).not.toContain(secret);
});
