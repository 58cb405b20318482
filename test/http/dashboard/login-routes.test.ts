import { pino } from "pino";
import { expect, test } from "vitest";
import { createHttpServer } from "@atelier/common/http-server";
import { createManualClock } from "@atelier/common/testing/manual-clock";
import { openMemoryStore } from "@atelier/store/testing/memory-store";
import { registerDashboard } from "../../../src/http/dashboard/dashboard-plugin.ts";
import { createSessions } from "../../../src/http/dashboard/sessions.ts";

const CONSENT_URL = "https://discord.com/oauth2/authorize";
const LOGIN = "/dashboard/login?to=/dashboard/servers/1";
/** Without the number of the login. */
const CALLBACK = "/dashboard/callback?code=1&state=state";
const LOGINS_PER_MINUTE = 60;
/** Leads back to the page that asked for the login. */
const TOO_MANY = "/dashboard/servers/1?error=rate_limited";

async function setup(store = openMemoryStore()) {
	const app = createHttpServer();
	let attempts = 0;
	await registerDashboard(app, {
		services: () => undefined,
		login: () => ({
			begin: async () => ({ attempt: { state: `state${++attempts}`, codeVerifier: "verifier" }, url: CONSENT_URL }),
			complete: async () => ({ user: { id: "7", name: "Ada", avatarUrl: null }, locale: "sv-SE", servers: [] }),
		}),
		sessions: createSessions({ store, clock: createManualClock(0) }),
		origin: () => "https://bot.example.com",
		logger: pino({ level: "silent" }),
	});
	const logIn = async (remoteAddress: string, forwardedFor?: string) => {
		const headers = { host: "bot.example.com", ...(forwardedFor && { "x-forwarded-for": forwardedFor }) };
		return (await app.inject({ url: LOGIN, headers, remoteAddress })).headers.location;
	};
	/** Opens addresses one after the other in one browser. */
	function openBrowser() {
		const cookies = new Map<string, string>();
		return async (url: string, language = "en") => {
			const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
			const headers = { host: "bot.example.com", "accept-language": language, cookie };
			const response = await app.inject({ url, headers });
			for (const { name, value } of response.cookies) cookies.set(name, value);
			return response;
		};
	}
	return { app, logIn, openBrowser };
}

test("a visitor in the network of the proxy cannot choose an address", async () => {
	const { logIn } = await setup();
	for (let count = 0; count < LOGINS_PER_MINUTE; count++) await logIn("127.0.0.1", `8.8.8.${count}, 10.0.0.5`);
	expect(await logIn("127.0.0.1", "8.8.4.4, 10.0.0.5")).toBe(TOO_MANY);
	expect(await logIn("127.0.0.1", "10.0.0.6")).toBe(CONSENT_URL);
});

test.each([
	["behind a proxy on this machine", "127.0.0.1", CONSENT_URL],
	["behind a proxy in the same network", "::ffff:172.18.0.2", CONSENT_URL],
	["without a proxy", "9.9.9.9", TOO_MANY],
])("visitors %s have the login limit of their own address", async (_title, peer, expected) => {
	const { logIn } = await setup();
	for (let count = 0; count < LOGINS_PER_MINUTE; count++) await logIn(peer, "8.8.8.8");
	expect(await logIn(peer, "8.8.4.4")).toBe(expected);
	// Only the last entry is the proxy's.
	expect(await logIn(peer, "8.8.4.4, 8.8.8.8")).toBe(TOO_MANY);
});

test.each([
	["in one IPv6 network of a home", "2a00:1450:4001:81b::1", "2a00:1450:4001:81b::2"],
	["that is written as IPv4 and as IPv6", "9.9.9.9", "::ffff:9.9.9.9"],
])("one visitor's addresses %s share a login limit", async (_title, first, second) => {
	const { logIn } = await setup();
	for (let count = 0; count < LOGINS_PER_MINUTE; count++) await logIn(first);
	expect(await logIn(second)).toBe(TOO_MANY);
});

test("the login moves to the public origin once, so that it also works behind a proxy that does not pass on Host", async () => {
	const { app } = await setup();
	const headers = { host: "127.0.0.1:8080" };
	const moved = await app.inject({ url: "/dashboard/login?to=%2Fdashboard%2Fservers%2F1%2Fusage", headers });
	const location = new URL(moved.headers.location ?? "");
	expect(location.origin).toBe("https://bot.example.com");
	expect(location.searchParams.get("to")).toBe("/dashboard/servers/1/usage");
	const { pathname, search } = location;
	expect((await app.inject({ url: pathname + search, headers })).headers.location).toBe(CONSENT_URL);
});

test("a log-in that fails for the store ends on the page that asked for it, without the store's error", async () => {
	const store = { ...openMemoryStore(), set: () => Promise.reject(new Error("connect ECONNREFUSED 10.0.0.5:5432")) };
	const open = (await setup(store)).openBrowser();
	await open(LOGIN);
	const ended = await open(`${CALLBACK}1`);
	expect(ended).toMatchObject({ statusCode: 302, headers: { location: "/dashboard/servers/1?error=unexpected" } });
	expect(ended.payload).toBe("");
});

test("a user reads the language of their account at Discord, or else English", async () => {
	const open = (await setup()).openBrowser();
	await open(LOGIN);
	await open(`${CALLBACK}1`);
	const { payload } = await open("/dashboard/api/messages", "de");
	expect(JSON.parse(payload)).toMatchObject({ locale: "en" });
});

test("of two logins that one browser has begun, the last one succeeds, also after the redirect of the other", async () => {
	const open = (await setup()).openBrowser();
	await open(LOGIN);
	await open(LOGIN);
	expect((await open(`${CALLBACK}1`)).headers.location).toBe("/dashboard/servers/1?error=state");
	expect((await open(`${CALLBACK}2`)).headers.location).toBe("/dashboard/servers/1");
	expect((await open(`${CALLBACK}2`)).headers.location).toBe("/dashboard/?error=state");
});
