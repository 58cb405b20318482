import { assert, describe, expect, test } from "vitest";
import { createManualClock } from "@atelier/common/testing/manual-clock";
import { openAdminClient } from "@atelier/playground/admin/admin-client";
import { openBrowser, withApiKey } from "./dashboard-client.ts";
import { openDashboards as setup } from "./dashboard-setup.ts";
import { answerTo, answerToImage, finalReply } from "./replies.ts";

/** Opens a browser that follows the log-in up to the redirect of Discord. `finish` resolves to the page that it ends on. */
async function beginLogin(origin: string, form: Record<string, string>, to?: string) {
	const browser = openBrowser(origin);
	const callbackUrl = await browser.consent(await browser.beginLogin(to), form);
	const finish = async (url: string | URL = callbackUrl) => (await browser.request(url)).headers.get("location");
	return { browser, callbackUrl, finish };
}

test("the log-in lists the servers of a user with the user's rights in each, and ends with the log-out", async () => {
	const { login, ownerId, idOf, params, ada } = await setup();
	await answerToImage(ada);
	for (const [userId, access] of [
		[ownerId, "manager"],
		[idOf("Lena"), "moderator"],
		[idOf("Ada"), "member"],
	] as const) {
		const { call, session } = await login(userId);
		expect(session.body).toMatchObject({ user: { id: userId } });
		expect(session.body.servers).toContainEqual(expect.objectContaining({ id: params.server, access }));
		expect((await call("logOut")).status).toBe(200);
		expect((await call("session")).status).toBe(401);
	}
});

test.each([
	["/settings show", "settings"],
	["/quota show", "limits"],
	["/usage", "usage"],
])("the reply to %s links to the page of %s", async (command, page) => {
	const { origin, owner, params } = await setup();
	const reply = await finalReply(owner.type(command));
	expect(JSON.stringify(reply.components)).toContain(`"${origin}/dashboard/servers/${params.server}/${page}"`);
});

test("the log-in returns to the page that asked for it, unless its redirect is changed, replayed, canceled or in another browser", async () => {
	const { origin, ownerId } = await setup();
	const page = "/dashboard/servers/1/usage?days=7";
	expect(await (await beginLogin(origin, { user: ownerId }, page)).finish()).toBe(page);
	const changes: readonly (readonly [(url: URL) => void, string])[] = [
		[(url) => url.searchParams.set("state", "forged"), "state"],
		[(url) => url.searchParams.delete("state"), "state"],
		[(url) => url.searchParams.set("code", "unknown"), "unexpected"],
	];
	for (const [change, failure] of changes) {
		const { browser, callbackUrl, finish } = await beginLogin(origin, { user: ownerId });
		const changed = new URL(callbackUrl);
		change(changed);
		expect(await finish(changed)).toBe(`/dashboard/?error=${failure}`);
		expect((await browser.request("/dashboard/api/session")).status).toBe(401);
	}
	const { callbackUrl, finish } = await beginLogin(origin, { user: ownerId });
	expect((await openBrowser(origin).request(callbackUrl)).headers.get("location")).toBe("/dashboard/?error=state");
	expect(await finish()).toBe("/dashboard/");
	expect(await finish()).toBe("/dashboard/?error=state");
	expect(await (await beginLogin(origin, { cancel: "" })).finish()).toBe("/dashboard/?error=canceled");
});

test("the log-in ends on a page that says so if Discord is down, hangs up or limits the rate for long", async () => {
	const { origin, ownerId } = await setup();
	const admin = openAdminClient(origin);
	for (const [answer, failure] of [
		[{ kind: "error", status: 503, code: 0 }, "discord_unavailable"],
		[{ kind: "hangUp" }, "discord_unavailable"],
		[{ kind: "rateLimit", retryAfterS: 60 }, "rate_limited"],
	] as const) {
		await admin.reset();
		await admin.inject({ route: "GET /users/@me/guilds", answer });
		expect(await (await beginLogin(origin, { user: ownerId })).finish()).toBe(`/dashboard/?error=${failure}`);
	}
});

test.each<[string, (playground: ReturnType<typeof openAdminClient>, userId: string) => Promise<unknown>]>([
	["the admin loses their role", (playground, userId) => playground.setMember({ userId, roleIds: [] })],
	["the bot leaves the server", (playground) => playground.setBotMembership({ isMember: false })],
])("access ends within a minute after %s", async (_what, change) => {
	const clock = createManualClock(Date.now());
	const { origin, login, idOf, roleId, params } = await setup({ clock });
	const playground = openAdminClient(origin);
	await playground.setMember({ userId: idOf("Ada"), roleIds: [roleId("Admin")] });
	const { call } = await login(idOf("Ada"));
	expect((await call("overview", { params })).status).toBe(200);
	await change(playground, idOf("Ada"));
	await clock.advance(61_000);
	expect((await call("overview", { params })).status).toBe(403);
});

test("while Discord does not respond about permissions, requests fail, and give no access", async () => {
	const { origin, login, idOf, params } = await setup();
	const answer = { kind: "error", status: 500, code: 0 } as const;
	await openAdminClient(origin).inject({ route: "GET /guilds/:guild/members/:user", answer });
	const { call } = await login(idOf("Lena"));
	expect(await call("reports", { params })).toMatchObject({ status: 503, body: { error: { code: "unavailable" } } });
});

describe("a manager", () => {
	test("reads credits, jobs and usage of what members generated", async () => {
		const { call, ada, idOf, params } = await setup();
		await answerToImage(ada);
		const { body: overview } = await call("overview", { params });
		expect(overview).toMatchObject({ monthlyCredits: 500, running: [], warnings: [] });
		expect(overview.balance.availableCredits + overview.month.spentCredits).toBe(500);
		expect(overview.recent).toMatchObject([{ userId: idOf("Ada"), prompt: "a boat", state: "succeeded" }]);
		const { body: usage } = await call("usage", { params, query: { days: "7" } });
		expect(usage.days).toHaveLength(7);
		expect(usage).toMatchObject({ timeZone: "UTC", otherMembers: { count: 0, credits: 0, results: 0 } });
		expect(usage.members).toEqual([{ userId: idOf("Ada"), credits: overview.month.spentCredits, results: 1 }]);
		const spent = overview.month.spentCredits;
		const { body: csv } = await call("usageCsv", { params, query: { days: "7" } });
		const lines = csv.split("\r\n");
		expect([lines[0], lines.at(-2)]).toEqual(["day,image,video,music", `${usage.days.at(-1)?.day},${spent},0,0`]);
		const { body: history } = await call("history", { params, query: { kind: "post" } });
		expect(history.items).toMatchObject([{ userId: idOf("Ada"), amountCredits: spent, changeCredits: -spent }]);
		// Reservations are listed only if they are asked for.
		const all = (await call("history", { params })).body.items;
		expect(all.map(({ kind }) => kind)).toEqual(["post", "grant"]);
		expect((await call("history", { params, query: { kind: "reserve" } })).body.items).toHaveLength(1);
	});

	test("does not see the private results of members, and an API key not even those of its author", async () => {
		const { call, login, origin, ownerId, owner, ada, idOf, params } = await setup();
		for (const user of [owner, ada]) await answerTo(user, "/image", { prompt: "a secret", private: true });
		const { key } = (await call("createApiKey", { params, body: { name: "script" } })).body;
		const hidden = { userId: null, prompt: null, isPrivate: true, url: null };
		expect((await call("jobs", { params })).body.items).toMatchObject([hidden, { prompt: "a secret" }]);
		expect((await call("jobs", { params, query: { userId: idOf("Ada") } })).body.items).toEqual([]);
		const callByKey = withApiKey(origin, key);
		expect((await callByKey("jobs", { params })).body.items).toMatchObject([hidden, hidden]);
		expect((await callByKey("jobs", { params, query: { userId: ownerId } })).body.items).toEqual([]);
		const own = await login(idOf("Ada"));
		expect((await own.call("ownJobs", { params })).body.items).toMatchObject([{ prompt: "a secret" }]);
	});

	test("grants and revokes credits, once for each operation", async () => {
		const { call, params } = await setup();
		const body = { operationId: crypto.randomUUID(), amountCredits: 100, reason: "for the contest" };
		await call("grant", { params, body });
		const granted = await call("grant", { params, body });
		expect(granted).toMatchObject({ status: 200, body: { availableCredits: 600 } });
		const revoked = await call("revoke", { params, body: { ...body, operationId: crypto.randomUUID() } });
		expect(revoked.body.availableCredits).toBe(500);
		const tooMany = { ...body, operationId: crypto.randomUUID(), amountCredits: 501 };
		expect((await call("revoke", { params, body: tooMany })).status).toBe(422);
	});

	test("refunds a result once, and deletes it with an API key", async () => {
		const { call, origin, ada, params } = await setup();
		await answerToImage(ada);
		const [job = assert.fail("no job")] = (await call("jobs", { params })).body.items;
		expect(job.actions.toSorted()).toEqual(["delete", "refund"]);
		const of = { params: { ...params, job: job.id } };
		expect((await call("refundJob", of)).status).toBe(200);
		const refunded = { actions: ["delete"], isRefunded: true, isDeleted: false };
		expect((await call("jobs", { params })).body.items).toMatchObject([refunded]);
		expect((await call("overview", { params })).body.balance.availableCredits).toBe(500);
		const { key } = (await call("createApiKey", { params, body: { name: "script" } })).body;
		expect((await withApiKey(origin, key)("deleteResult", of)).status).toBe(200);
		expect(await ada.messages()).toEqual([]);
		const deleted = { actions: [], isRefunded: true, isDeleted: true };
		expect((await call("jobs", { params })).body.items).toMatchObject([deleted]);
	});

	test("finds a member by the beginning of the name and blocks them, and tests the word filter", async () => {
		const { call, login, ownerId, ada, idOf, params } = await setup();
		// The name of the bot begins with an A, too.
		const { members } = (await call("searchMembers", { params, query: { name: "A" } })).body;
		expect(members).toEqual([{ id: idOf("Ada"), name: "Ada", avatarUrl: null }]);
		const of = { params: { ...params, member: idOf("Ada") } };
		const blocked = await call("block", { ...of, body: { reason: "spam", untilMs: null } });
		expect(blocked.body.blocks).toMatchObject([{ userId: idOf("Ada"), byUserId: ownerId, reason: "spam" }]);
		expect(await answerToImage(ada)).toContain("spam");
		expect((await call("unblock", of)).body.blocks).toEqual([]);
		const self = { params: { ...params, member: ownerId }, body: { reason: "me", untilMs: null } };
		expect((await call("block", self)).status).toBe(422);
		const moderator = { params: { ...params, member: idOf("Lena") } };
		await call("block", { ...moderator, body: { reason: "spam", untilMs: null } });
		expect((await (await login(idOf("Lena"))).call("unblock", moderator)).status).toBe(422);
		const past = { ...of, body: { reason: "spam", untilMs: Date.now() - 1 } };
		expect(await call("block", past)).toMatchObject({ status: 422, body: { error: { code: "denied" } } });
		const tested = await call("testFilter", { params, body: { text: "two Boats here", patterns: ["boat?"] } });
		expect(tested.body.pattern).toBe("boat?");
	});
});

test("a member reads, exports and deletes their own data", async () => {
	const { call: callAsOwner, login, ada, idOf, params } = await setup();
	await answerToImage(ada);
	const { call } = await login(idOf("Ada"));
	const none = { limit: null, media: [], serverLimit: null };
	expect((await call("ownAccount", { params })).body).toMatchObject(none);
	const { body: stored } = await callAsOwner("settings", { params });
	const settings = { ...stored.settings, serverLimit: { credits: 70, per: "week" as const } };
	await callAsOwner("saveSettings", { params, body: { ...stored, settings } });
	expect((await call("ownAccount", { params })).body.serverLimit).toMatchObject({ credits: 70, per: "week" });
	expect((await call("ownJobs", { params })).body.items).toMatchObject([{ actions: ["delete"] }]);
	expect(JSON.stringify((await call("exportOwnData", { params })).body)).toContain("a boat");
	expect((await call("deleteOwnData", { params })).body).toEqual({ removed: 1, unfinishedJobs: 0 });
	expect((await call("ownJobs", { params })).body.items).toEqual([]);
});
