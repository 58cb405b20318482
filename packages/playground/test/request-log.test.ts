import { expect, test } from "vitest";
import type { LogQuery } from "../src/admin/admin-contract.ts";
import { deferred, openPlayground, typed } from "../testing/setup.ts";

/** A playground with its log, once it has this number of requests. */
async function withLog() {
	const playground = await openPlayground();
	const logged = async (count: number) => {
		await expect.poll(async () => (await playground.admin.requests()).requests).toHaveLength(count);
		return (await playground.admin.requests()).requests;
	};
	return { ...playground, playground, logged, path: `${await playground.channel()}/messages` };
}

test("every request is logged with its verdict and without a token", async () => {
	const { playground, admin, rest, logged } = await withLog();
	await rest("GET", "/users/@me");
	await rest("POST", "/users/@me/channels", { recipient: "1" });
	await rest("GET", "/nowhere");
	const requests = await logged(3);
	expect(requests).toMatchObject([
		{ id: 1, method: "GET", path: "/users/@me", status: 200, verdict: "valid", errors: [] },
		{ id: 2, method: "POST", status: 400, verdict: "invalid" },
		{ id: 3, path: "/nowhere", status: 404, verdict: "unchecked" },
	]);
	expect(requests[1]?.errors.join()).toContain("recipient: Discord knows no recipient here.");
	const { counts, requests: newer } = await admin.requests(2);
	expect(counts).toStrictEqual({ valid: 1, invalid: 1, unchecked: 1 });
	expect(newer.map(({ id }) => id)).toStrictEqual([3]);

	const { interaction } = await deferred({ playground });
	await interaction.webhook("PATCH", { content: "x" });
	const after = await admin.requests(3);
	const path = expect.stringMatching(/^\/webhooks\/\d+\/…\//) as unknown;
	expect(after.requests.at(-1)).toMatchObject({ method: "PATCH", path });
	expect(JSON.stringify(after)).not.toContain(interaction.token);
});

test.each([
	"/v10/webhooks/1/SECRET/slack",
	"/v10/webhooks/1/%53ECRET/messages/1",
	"/v8/webhooks/1/SECRET",
	"/v10//interactions/1/SECRET/callback",
	"/v10/%77ebhooks/1/SECRET",
	"/v10/webhooks/1%2FSECRET",
])("the token in %s is neither logged nor recorded, although there may be no such route", async (path) => {
	const { origin, started, logged } = await withLog();
	await fetch(`${origin}/api${path}`, { method: "POST" });
	const redacted = [{ path: expect.stringContaining("/1/…") }];
	expect(await logged(1)).toMatchObject(redacted);
	expect(started.recording().steps).toMatchObject(redacted);
});

test("the log has the reason of a request for the audit log", async () => {
	const { rest, logged } = await withLog();
	await rest("GET", "/users/@me", undefined, { headers: { "x-audit-log-reason": "sp%C3%A4m" } });
	expect(await logged(1)).toMatchObject([{ reason: "späm" }]);
});

test("an injected response is marked in the log", async () => {
	const { admin, rest, logged } = await withLog();
	await admin.inject({ times: 1, answer: { kind: "error", status: 503, code: 0 } });
	await admin.inject({ times: 1, answer: { kind: "hangUp" } });
	const ask = () => rest("GET", "/users/@me");
	await ask();
	await expect(ask()).rejects.toThrow("fetch failed");
	await ask();
	expect(await logged(3)).toMatchObject([
		{ status: 503, isInjected: true },
		{ status: 0, isInjected: true },
		{ status: 200, isInjected: false },
	]);
});

test("the log has the bodies of requests and responses, cut at 16 KiB, and the files as names and sizes", async () => {
	const { rest, path, logged } = await withLog();
	await rest("POST", path, { content: "hello" }, { files: [{ name: "a.txt", bytes: Buffer.alloc(12) }] });
	await rest("POST", path, { content: "x".repeat(20_000) });
	const [sent, rejected] = await logged(2);
	expect(sent).toMatchObject({
		kind: "request",
		route: "POST /channels/:channel/messages",
		authorization: "Bot",
		files: [{ field: "files[0]", name: "a.txt", bytes: 12 }],
		request: { json: { content: "hello" } },
		response: { json: { content: "hello", attachments: [{ filename: "a.txt" }] } },
	});
	expect(rejected?.response).toMatchObject({ json: { code: 50035, errors: { content: { _errors: [{}] } } } });
	// 12 bytes precede the content, and 2 follow it.
	const text = `{"content":"${"x".repeat(16 * 1024 - 12)}`;
	expect(rejected?.request).toStrictEqual({ text, bytes: 20_014 });
});

test("the log has an injected body that is no JSON as a text", async () => {
	const { admin, origin, botToken, logged } = await withLog();
	const answer = { kind: "body", text: "<p>proxy</p>", contentType: "text/html" } as const;
	await admin.inject({ times: 1, answer });
	await fetch(`${origin}/api/users/@me`, { headers: { authorization: `Bot ${botToken}` } });
	expect(await logged(1)).toMatchObject([{ response: { text: "<p>proxy</p>", bytes: 12 } }]);
});

test("the log has the packets of the gateway, and neither heartbeats nor tokens", async () => {
	const playground = await openPlayground();
	const { bot, interaction } = await typed({ playground });
	bot.gateway.send({ op: 1, d: null });
	await interaction.callback({ type: 4, data: { content: "done" } });
	const { records } = await playground.admin.log();
	expect(records.filter((record) => record.kind !== "request")).toMatchObject([
		{ kind: "dispatch", event: "HELLO" },
		{ kind: "received", event: "IDENTIFY", body: { json: { token: "[redacted]", intents: 0 } } },
		{ kind: "dispatch", event: "READY" },
		{
			kind: "dispatch",
			event: "INTERACTION_CREATE",
			body: { json: { data: { name: "image" }, token: "[redacted]" } },
		},
	]);
	for (const secret of [interaction.token, playground.botToken, playground.started.clientSecret])
		expect(JSON.stringify(records)).not.toContain(secret);
});

test("filters select records by kind, route, event, verdict and status", async () => {
	const playground = await openPlayground();
	const { admin, rest } = playground;
	await typed({ playground });
	await rest("GET", "/nowhere");
	await rest("POST", "/users/@me/channels", { recipient: "1" });
	const all = async (query: LogQuery) => (await admin.log(query)).records;
	await expect.poll(() => all({ verdict: "invalid" })).toMatchObject([{ path: "/users/@me/channels", status: 400 }]);
	for (const [query, record] of [
		[{ verdict: "unchecked" }, { path: "/nowhere", route: null }],
		[{ status: 404 }, { path: "/nowhere" }],
		[{ route: "PUT /applications/:application/commands" }, { status: 200 }],
		[{ event: "READY" }, { kind: "dispatch" }],
		[{ kind: "received" }, { event: "IDENTIFY" }],
	] satisfies [LogQuery, object][])
		expect(await all(query)).toMatchObject([record]);
	await expect(admin.log({ route: "GET /nowhere" })).rejects.toThrow("expected one of");
});
