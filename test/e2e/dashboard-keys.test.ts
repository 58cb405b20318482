/** API keys: how they are shown, recorded and limited, and when they end. */
import { assert, describe, expect, test } from "vitest";
import { openAdminClient } from "@atelier/playground/admin/admin-client";
import { withApiKey } from "./dashboard-client.ts";
import { openDashboards } from "./dashboard-setup.ts";
import { plainText, answerTo } from "./replies.ts";

const FIVE_REQUESTS = { dashboardRequestsPerMinute: 5 };

/** The owner manages the first server; Lena owns the second one. */
async function setup(options: Parameters<typeof openDashboards>[0] = {}) {
	const { call: callAsAdmin, ...opened } = await openDashboards(options);
	const { params, origin } = opened;
	const create = async (name: string) => {
		const { body } = await callAsAdmin("createApiKey", { params, body: { name } });
		const { id } = body.keys.find((each) => each.name === name) ?? assert.fail("the key is not listed");
		return { key: body.key, id };
	};
	const { key, id } = await create("deploy script");
	return { ...opened, callAsAdmin, create, key, id, call: withApiKey(origin, key) };
}

describe("an API key", () => {
	test("is shown once, and named in the history and in the audit of the settings", async () => {
		const { callAsAdmin, call, key, params, owner, ownerId } = await setup();
		const listed = (await callAsAdmin("apiKeys", { params })).body;
		expect(listed.keys).toMatchObject([{ name: "deploy script", prefix: key.slice(0, 14), byUserId: ownerId }]);
		expect(JSON.stringify(listed)).not.toContain(key);
		const { body: before } = await call("settings", { params });
		const settings = { ...before.settings, timeZone: "Europe/Berlin" };
		expect((await call("saveSettings", { params, body: { ...before, settings } })).status).toBe(200);
		const body = { operationId: crypto.randomUUID(), amountCredits: 7, reason: "for the contest" };
		await call("grant", { params, body });
		const { items: changes } = (await callAsAdmin("settingsChanges", { params })).body;
		expect(changes).toMatchObject([
			{ userId: null, keyName: "deploy script", via: "apiKey" },
			{ userId: ownerId, keyName: null, via: "dashboard" },
		]);
		expect(changes[0]?.fields).toMatchObject([expect.stringContaining("Europe/Berlin")]);
		expect(changes[1]?.fields).toMatchObject([expect.stringContaining("API keys")]);
		expect(plainText(await answerTo(owner, "/settings audit"))).toMatch(/ · API key deploy script · .*Europe\/Berlin/);
		const { items: entries } = (await callAsAdmin("history", { params, query: { kind: "grant" } })).body;
		expect(entries[0]).toMatchObject({ keyName: "deploy script", userId: null, amountCredits: 7 });
	});

	test("shares the limit of costly requests with all keys of its server", async () => {
		const { call, create, origin, params } = await setup(FIVE_REQUESTS);
		const others = await Promise.all(["one", "two"].map(async (name) => withApiKey(origin, (await create(name)).key)));
		const callers = [call, ...others];
		const statuses: number[] = [];
		for (let count = 0; count <= 5; count++)
			statuses.push((await (callers[count % 3] ?? call)("usage", { params, query: { days: "7" } })).status);
		expect(statuses).toStrictEqual([200, 200, 200, 200, 200, 429]);
		expect((await call("overview", { params })).status).toBe(200);
	});

	test("ends when the bot leaves the server, and stays invalid when it returns", async () => {
		const { call, origin, params } = await setup();
		const playground = openAdminClient(origin);
		expect((await call("overview", { params })).status).toBe(200);
		for (const isMember of [false, true]) {
			await playground.setBotMembership({ isMember });
			expect((await call("overview", { params })).status).toBe(401);
		}
	});

	test("is not accepted while Discord does not say whether the bot is in the server", async () => {
		const { call, origin, params } = await setup();
		const answer = { kind: "error", status: 500, code: 0 } as const;
		await openAdminClient(origin).inject({ route: "GET /guilds/:guild/members/:user", answer });
		expect(await call("overview", { params })).toMatchObject({ status: 503, body: { error: { code: "unavailable" } } });
	});

	test("has a limit of its own, apart from that of its admin", async () => {
		const { callAsAdmin, call, params } = await setup(FIVE_REQUESTS);
		// Without a body each request is invalid (400), and counts.
		const statuses = [];
		for (let count = 0; count <= 5; count++) statuses.push((await call("testFilter", { params })).status);
		expect(statuses).toStrictEqual([400, 400, 400, 400, 400, 429]);
		expect((await callAsAdmin("overview", { params })).status).toBe(200);
	});

	test("replaces the rights of a session in the same request", async () => {
		const { callAsAdmin, key, params } = await setup();
		for (const bearer of ["atelier_forged", `${key}x`]) {
			const headers = { authorization: `Bearer ${bearer}` };
			expect((await callAsAdmin("overview", { params }, headers)).status).toBe(401);
		}
		expect((await callAsAdmin("session", {}, { authorization: `Bearer ${key}` })).status).toBe(403);
		expect((await callAsAdmin("createApiKey", { params }, { authorization: `Bearer ${key}` })).status).toBe(403);
	});
});
