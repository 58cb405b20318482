import { expect, test } from "vitest";
import type { LogQuery } from "../src/admin/admin-contract.ts";
import { deferred, openPlayground, typed } from "../testing/setup.ts";

test("every request is logged with its verdict and without a token", async () => {
	const playground = await openPlayground();
	const { admin } = playground;
	await playground.rest("GET", "/users/@me");
	await playground.rest("POST", "/users/@me/channels", { recipient: "1" });
	await playground.rest("GET", "/nowhere");
	await expect.poll(async () => (await admin.requests()).requests).toHaveLength(3);
	const { requests, counts } = await admin.requests();
	expect(requests).toMatchObject([
		{ id: 1, method: "GET", path: "/users/@me", status: 200, verdict: "valid", errors: [] },
		{ id: 2, method: "POST", status: 400, verdict: "invalid" },
		{ id: 3, path: "/nowhere", status: 404, verdict: "unchecked" },
	]);
	expect(requests[1]?.errors.join()).toContain("recipient: Discord knows no recipient here.");
	expect(counts).toStrictEqual({ valid: 1, invalid: 1, unchecked: 1 });
	expect((await admin.requests(2)).requests.map(({ id }) => id)).toStrictEqual([3]);

	const { interaction } = await deferred({ playground });
	await interaction.webhook("PATCH", { content: "x" });
	const after = await admin.requests(3);
	expect(after.requests.at(-1)).toMatchObject({
		method: "PATCH",
		path: expect.stringMatching(/^\/webhooks\/\d+\/…\//),
	});
	expect(JSON.stringify(after)).not.toContain(interaction.token);
});

test.each([
	"/v10/webhooks/1/SECRET/slack",
	"/v10/webhooks/1/%53ECRET/messages/1",
	"/v8/webhooks/1/SECRET",
	"/v10//interactions/1/SECRET/callback",
])("the token in %s is neither logged nor recorded, although there is no such route", async (path) => {
	const { origin, admin, started } = await openPlayground();
	await fetch(`${origin}/api${path}`, { method: "POST" });
	await expect
		.poll(async () => (await admin.requests()).requests)
		.toMatchObject([{ path: expect.stringContaining("/1/…") }]);
	expect(started.recording().steps).toMatchObject([{ path: expect.stringContaining("/1/…") }]);
});

test("the log has the reason of a request for the audit log", async () => {
	const { admin, rest } = await openPlayground();
	await rest("GET", "/users/@me", undefined, { headers: { "x-audit-log-reason": "sp%C3%A4m" } });
	await expect.poll(async () => (await admin.requests()).requests).toMatchObject([{ reason: "späm" }]);
});

test("an injected response is marked in the log", async () => {
	const playground = await openPlayground();
	const { admin } = playground;
	await admin.inject({ times: 1, answer: { kind: "error", status: 503, code: 0 } });
	await admin.inject({ times: 1, answer: { kind: "hangUp" } });
	await playground.rest("GET", "/users/@me");
	await expect(playground.rest("GET", "/users/@me")).rejects.toThrow("fetch failed");
	await playground.rest("GET", "/users/@me");
	await expect
		.poll(async () => (await admin.requests()).requests.map(({ status, isInjected }) => [status, isInjected]))
		.toStrictEqual([
			[503, true],
			[0, true],
			[200, false],
		]);
});

test("the log has the bodies of requests and responses, and the files as names and sizes", async () => {
	const playground = await openPlayground();
	const { admin } = playground;
	const path = `${await playground.channel()}/messages`;
	await playground.rest("POST", path, { content: "hello" }, { files: [{ name: "a.txt", bytes: Buffer.alloc(12) }] });
	await playground.rest("POST", path, { content: "x".repeat(2_001) });
	await expect.poll(async () => (await admin.requests()).requests).toHaveLength(2);
	const [sent, rejected] = (await admin.requests()).requests;
	expect(sent).toMatchObject({
		kind: "request",
		route: "POST /channels/:channel/messages",
		authorization: "Bot",
		files: [{ field: "files[0]", name: "a.txt", bytes: 12 }],
		request: { json: { content: "hello" } },
		response: { json: { content: "hello", attachments: [{ filename: "a.txt" }] } },
	});
	expect(rejected?.response).toMatchObject({ json: { code: 50035, errors: { content: { _errors: [{}] } } } });
});

test("a body above 16 KiB is cut", async () => {
	const playground = await openPlayground();
	const { admin } = playground;
	await playground.rest("POST", `${await playground.channel()}/messages`, { content: "x".repeat(20_000) });
	await expect.poll(async () => (await admin.requests()).requests).toHaveLength(1);
	const { request } = (await admin.requests()).requests[0] ?? {};
	// 12 bytes precede the content, and 2 follow it.
	expect(request).toStrictEqual({ text: `{"content":"${"x".repeat(16 * 1024 - 12)}`, bytes: 20_014 });
});

test("the log has the packets of the gateway, and neither heartbeats nor tokens", async () => {
	const playground = await openPlayground();
	const { admin } = playground;
	const { bot, interaction } = await typed({ playground });
	bot.gateway.send({ op: 1, d: null });
	await interaction.callback({ type: 4, data: { content: "done" } });
	const { records } = await admin.log();
	const packets = records.filter((record) => record.kind !== "request");
	expect(packets.map(({ kind, event }) => `${kind} ${event}`)).toStrictEqual([
		"dispatch HELLO",
		"received IDENTIFY",
		"dispatch READY",
		"dispatch INTERACTION_CREATE",
	]);
	expect(packets[1]?.body).toMatchObject({ json: { token: "[redacted]", intents: 0 } });
	expect(packets[3]?.body).toMatchObject({ json: { data: { name: "image" }, token: "[redacted]" } });
	for (const secret of [interaction.token, playground.botToken, playground.started.clientSecret])
		expect(JSON.stringify(records)).not.toContain(secret);
});

test("filters select records by kind, route, event, verdict and status", async () => {
	const playground = await openPlayground();
	const { admin } = playground;
	await typed({ playground });
	await playground.rest("GET", "/nowhere");
	await playground.rest("POST", "/users/@me/channels", { recipient: "1" });
	const all = async (query: LogQuery) => (await admin.log(query)).records;
	await expect.poll(() => all({ verdict: "invalid" })).toMatchObject([{ path: "/users/@me/channels", status: 400 }]);
	expect(await all({ verdict: "unchecked" })).toMatchObject([{ path: "/nowhere", route: null }]);
	expect(await all({ status: 404 })).toMatchObject([{ path: "/nowhere" }]);
	expect(await all({ route: "GET /gateway/bot" })).toMatchObject([{ status: 200 }]);
	expect(await all({ event: "READY" })).toMatchObject([{ kind: "dispatch" }]);
	expect(await all({ kind: "received" })).toMatchObject([{ event: "IDENTIFY" }]);
	await expect(admin.log({ route: "GET /nowhere" })).rejects.toThrow("expected one of");
});
