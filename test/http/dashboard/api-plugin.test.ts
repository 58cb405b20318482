import { fastify } from "fastify";
import { pino } from "pino";
import { expect, test } from "vitest";
import { registerApi } from "../../../src/http/dashboard/api-plugin.ts";
import type { DashboardServices } from "../../../src/http/dashboard/dashboard-services.ts";
import type { Session } from "../../../src/http/dashboard/sessions.ts";
import { CreditChangeUncertainError } from "../../../src/services/credits/credit-service.ts";
import { storedSettingsSchema } from "../../../src/services/settings/guild-settings.ts";

const KEYS = { apiKeys: { use: async () => true }, botUserId: () => "2" };
const key = { authorization: "Bearer a-key" };

function setup(services: object = {}, others: object = {}, session?: Session) {
	const api = fastify();
	api.addHook("onRequest", async (request) => {
		request.apiKey = { id: "1", name: "Shop", botJoinedAt: "" };
		request.readerSession = session;
	});
	const deps = {
		isServerBusy: async () => false,
		...others,
		services: () => services as DashboardServices,
		logger: pino({ level: "silent" }),
	};
	registerApi(api, deps as unknown as Parameters<typeof registerApi>[1]);
	const post = async (url: string, payload: string, headers: Readonly<Record<string, string>> = {}) => {
		const answer = await api.inject({
			method: "POST",
			url,
			headers: { "content-type": "application/json", ...headers },
			payload,
		});
		return [answer.statusCode, answer.json<{ error: { code: string } }>().error.code];
	};
	return { api, post };
}

test("a request without a session is rejected before its body is read", async () => {
	const { post } = setup();
	expect(await post("/servers/1/credits/grant", "{")).toStrictEqual([401, "logged_out"]);
	expect(await post("/servers/1/settings/file/preview", "x".repeat(4 * 1024 * 1024))).toStrictEqual([
		401,
		"logged_out",
	]);
});

test("only the bodies of settings may be large", async () => {
	const { post } = setup(KEYS);
	const large = JSON.stringify({ text: "x".repeat(100 * 1024) });
	expect(await post("/servers/1/credits/grant", large, key)).toStrictEqual([413, "invalid"]);
	expect(await post("/servers/1/settings/file/preview", large, key)).not.toStrictEqual([413, "invalid"]);
});

test("the response to an invalid request names the fields, twenty at most", async () => {
	const stored = storedSettingsSchema.parse({});
	const services = { settings: { read: async () => stored }, catalog: { known: () => [] } };
	const { api } = setup({ ...KEYS, ...services });
	const styles = Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`s${index}`, null]));
	const errorOf = async (method: "PUT" | "POST", url: string, payload: object) => {
		const response = await api.inject({ method, url, headers: key, payload });
		return response.json<{ error: { message: string; problems: string[] } }>().error;
	};
	expect((await errorOf("PUT", "/servers/1/settings", { settings: { styles } })).problems).toHaveLength(20);
	const limits = { allowance: stored.allowance, timeZone: "Nowhere/Town" };
	const { message, problems } = await errorOf("POST", "/servers/1/limits/preview", limits);
	expect(message).toContain("Reload the page");
	expect(problems).toStrictEqual([expect.stringContaining("timeZone")]);
});

test("only costly requests are rejected while their server is busy, and before their body is read", async () => {
	const { api, post } = setup(KEYS, { isServerBusy: async () => true });
	expect(await post("/servers/1/settings/file/preview", "{", key)).toStrictEqual([429, "too_many"]);
	expect(await post("/servers/1/credits/grant", "{", key)).toStrictEqual([400, "invalid"]);
	// The bot asks Discord about each member.
	expect(await api.inject({ url: "/servers/1/members?ids=1,2", headers: key })).toMatchObject({ statusCode: 429 });
});

test("an unknown outcome of a grant is no denial, after which the page would grant with another id", async () => {
	const accounts = { grantMonthlyCredits: async () => {} };
	const creditService = { grant: () => Promise.reject(new CreditChangeUncertainError("1", {})) };
	const { post } = setup({ ...KEYS, accounts, creditService });
	const grant = JSON.stringify({ operationId: crypto.randomUUID(), amountCredits: 5, reason: "A contest" });
	expect(await post("/servers/1/credits/grant", grant, key)).toStrictEqual([500, "outcome_unknown"]);
});

test("Discord is not asked about a server in which the user was not at the log-in", async () => {
	const asked: string[] = [];
	const directory = { readAccess: async (guildId: string) => void asked.push(guildId) };
	const { api } = setup(
		{ directory, operator: { ids: new Set() } },
		{},
		{
			expiresAtMs: 1,
			csrfToken: "token",
			user: { id: "7", name: "Mia", avatarUrl: null },
			locale: "en-US",
			servers: [{ id: "1", name: "Art", iconUrl: null, access: "member" }],
		},
	);
	for (const server of ["1", "2"]) expect((await api.inject(`/servers/${server}/me`)).statusCode).toBe(403);
	expect(asked).toStrictEqual(["1"]);
});
