/** The pages of operators: who may see them, and what they show and change. */
import { assert, describe, expect, test } from "vitest";
import { openDashboards } from "./dashboard-setup.ts";
import { storeOnDisk } from "./start-atelier.ts";
import { answerToImage } from "./replies.ts";

const NO_ONE = "100000000000000000";

const grantOf = (amountCredits: number) => ({
	operationId: crypto.randomUUID(),
	amountCredits,
	reason: "a welcome gift",
});

test("access to the operator's pages is only for the configured operators, also if the owner of a server is not one", async () => {
	const { login, ownerId, idOf } = await openDashboards({ env: { OPERATOR_IDS: NO_ONE } });
	for (const userId of [ownerId, idOf("Ada")]) {
		const { call, session } = await login(userId);
		expect(session.body.operator).toBeNull();
		expect(await call("operatorServers")).toMatchObject({ status: 404, body: { error: { code: "not_found" } } });
	}
});

test("access to the operator's pages is for reading only unless writes are turned on", async () => {
	const env = await storeOnDisk();
	const { ada, ownerId, stop } = await openDashboards({ env });
	await answerToImage(ada);
	await stop();
	const operators = { OPERATOR_IDS: `${NO_ONE}, ${ownerId}` };
	const { call, session, params } = await openDashboards({ env: { ...env, ...operators } });
	expect(session.body.operator).toEqual({ mayWrite: false });
	const denied = { status: 422, body: { error: { code: "denied" } } };
	expect((await call("operatorServers")).body.items).toHaveLength(1);
	expect(await call("operatorGrant", { params, body: grantOf(5) })).toMatchObject(denied);
	expect(await call("createStudioKey", { body: { account: "friends", name: "laptop" } })).toMatchObject(denied);
	expect(await call("revokeStudioKey", { params: { key: "0".repeat(16) } })).toMatchObject(denied);
});

describe("the operator", () => {
	test("sees the servers with their credits and spending and the price of a credit, and finds one by its id, and reads it without prompts", async () => {
		const { call, ada, idOf, params } = await openDashboards({ env: { CREDIT_PRICE: "0.01 EUR" } });
		expect((await call("operatorServers")).body.items).toEqual([]);
		// A server that has not used the bot is found by its name and its id.
		for (const search of ["playgr", params.server])
			expect((await call("operatorServers", { query: { search } })).body).toMatchObject({
				items: [{ id: params.server, name: "Atelier Playground", availableCredits: 0 }],
				areNamesKnown: true,
			});
		expect((await call("operatorServer", { params: { server: NO_ONE } })).status).toBe(404);
		await answerToImage(ada);
		const { body: server } = await call("operatorServer", { params });
		expect(server).toMatchObject({ name: "Atelier Playground", isPaused: false, runningJobs: 0 });
		expect(server.entries.map(({ kind }) => kind)).toContain("post");
		expect(server.members).toEqual([{ id: idOf("Ada"), name: "Ada", avatarUrl: null }]);
		expect(JSON.stringify(server)).not.toContain("a boat");
		const { body } = await call("operatorServers");
		const spentCredits = 500 - (body.items[0]?.availableCredits ?? 500);
		expect(spentCredits).toBeGreaterThan(0);
		expect(body).toMatchObject({
			items: [{ id: params.server, name: "Atelier Playground", spentCredits, heldCredits: 0 }],
			next: null,
			creditPrice: { amount: 0.01, currency: "EUR" },
		});
		const find = async (search: string) => (await call("operatorServers", { query: { search } })).body.items;
		expect(await find(params.server.slice(0, 5))).toHaveLength(1);
		expect(await find("9".repeat(20))).toEqual([]);
		expect((await call("operatorServers", { query: { after: params.server } })).body.items).toEqual([]);
	});

	test("grants credits once for each operation, as the operator and with the reason", async () => {
		const { call, ada, params } = await openDashboards({ env: { CREDITS_GRANTED_BY: "operator" } });
		await answerToImage(ada);
		const before = (await call("operatorServer", { params })).body.balance.availableCredits;
		const body = grantOf(100);
		await call("operatorGrant", { params, body });
		expect((await call("operatorGrant", { params, body })).body.availableCredits).toBe(before + 100);
		const [entry] = (await call("history", { params })).body.items;
		expect(entry).toMatchObject({ amountCredits: 100, userId: null, keyName: null, reason: "a welcome gift" });
		expect((await call("grant", { params, body: grantOf(1) })).status).toBe(422);
		expect((await call("operatorGrant", { params: { server: NO_ONE }, body: grantOf(1) })).status).toBe(404);
	});

	test("sees the health of the bot, and runs the doctor's checks", async () => {
		const { call, ada } = await openDashboards();
		await answerToImage(ada);
		const { body: health } = await call("operatorHealth");
		expect(health).toMatchObject({
			isGatewayUp: true,
			media: { isUp: true },
			studio: { openTasks: 0, engines: [{ health: "up" }] },
			queue: { isShared: false, overdueTasks: 0 },
			deliveries: { undelivered: 0, failed: 0 },
			audit: null,
		});
		expect(health.deliveries.delivered).toBeGreaterThan(0);
		const [one, other] = await Promise.all([call("operatorChecks"), call("operatorChecks")]);
		expect(one.body.checks.map(({ title }) => title)).toContain("This machine");
		expect(other.body).toEqual(one.body);
		expect(one.body.checks.flatMap(({ results }) => results).filter(({ grade }) => grade === "fix")).toEqual([]);
	});

	test("creates a key of the studio, which works until it is revoked, and no key of the bot's own account", async () => {
		const { call, origin } = await openDashboards();
		const created = await call("createStudioKey", { body: { account: "friends", name: "laptop" } });
		expect(created.status).toBe(200);
		const { key, accounts } = created.body;
		const [listed = assert.fail("the key is not listed")] =
			accounts.find(({ account }) => account === "friends")?.keys ?? [];
		expect(listed).toMatchObject({ name: "laptop", state: "good", cap: null });
		const use = async () =>
			(await fetch(`${origin}/api/v1/models`, { headers: { authorization: `Bearer ${key}` } })).status;
		expect(await use()).toBe(200);
		const revoked = await call("revokeStudioKey", { params: { key: listed.id } });
		expect(revoked.body.accounts.flatMap(({ keys }) => keys)).toContainEqual(
			expect.objectContaining({ id: listed.id, state: "revoked" }),
		);
		expect(await use()).toBe(401);

		const internal = accounts.find(({ isInternal }) => isInternal) ?? assert.fail("the bot has no account");
		const [ownKey = assert.fail("the bot has no key")] = internal.keys;
		for (const denied of [ownKey.id, "0".repeat(16)])
			expect(await call("revokeStudioKey", { params: { key: denied } })).toMatchObject({ status: 422 });
		const body = { account: internal.account, name: "mine" };
		expect(await call("createStudioKey", { body })).toMatchObject({ status: 422 });
	});
});
