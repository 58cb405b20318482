/** The playground beside the routes of another app, on the same HTTP server. */
import fastify, { type FastifyInstance } from "fastify";
import { pino } from "pino";
import { expect, onTestFinished, test } from "vitest";
import { createHttpServer } from "@atelier/common/http-server";
import { openUserClient } from "../src/user-client/user-client.ts";
import { createPlayground } from "../src/playground.ts";
import { createManualClock } from "@atelier/common/testing/manual-clock";
import { openWire } from "../testing/setup.ts";

/** Another app with its own routes and error handling. */
async function openShared(app: FastifyInstance = fastify()) {
	app.setErrorHandler((_, __, reply) => reply.code(418).send("the neighbour's own"));
	app.get("/livez", () => "alive");
	app.post("/api/v1/generate", (request) => ({ got: request.body }));
	app.get("/api/v1/broken", () => {
		throw new Error("broken");
	});
	app.register(
		(scope, _, done) => {
			scope.setNotFoundHandler((_request, reply) => reply.code(404).send("the neighbour's own 404"));
			done();
		},
		{ prefix: "/api/v1" },
	);
	let origin = "";
	const playground = createPlayground({
		clock: createManualClock(),
		logger: pino({ level: "silent" }),
		origin: () => origin,
	});
	await playground.register(app);
	origin = await app.listen({ port: 0, host: "127.0.0.1" });
	onTestFinished(async () => {
		await app.close();
		await playground.close();
	});
	return { app, origin, playground };
}

test.each([
	["/livez", undefined, 200, "alive"],
	["/api/v1/generate", '{"prompt": "x"}', 200, '{"got":{"prompt":"x"}}'],
	["/api/v1/broken", undefined, 418, "the neighbour's own"],
	["/api/v1/nothing", undefined, 404, "the neighbour's own 404"],
])("the route %s of another plugin keeps its parsers, errors and headers", async (path, body, status, text) => {
	const { origin } = await openShared();
	const headers = { "content-type": "application/json" };
	const response = await fetch(`${origin}${path}`, body === undefined ? {} : { method: "POST", headers, body });
	expect([response.status, await response.text()]).toStrictEqual([status, text]);
	for (const name of ["content-security-policy", "x-ratelimit-bucket"]) expect(response.headers.get(name)).toBeNull();
});

test("a malformed URL gets the HTTP server's own error", async () => {
	const { origin } = await openShared(createHttpServer());
	for (const path of ["/api/v10/users/%ff", "/playground/%ff"])
		expect((await fetch(`${origin}${path}`)).status).toBe(400);
});

test("the page is served at the root with all of its files", async () => {
	const { origin } = await openShared();
	const page = await fetch(origin);
	expect([page.status, page.headers.get("content-type")]).toStrictEqual([200, "text/html; charset=utf-8"]);
	const needed = [...(await page.text()).matchAll(/(?:src|href)="(\.[^"]+)"/g)].map((match) => match[1] ?? "");
	expect(needed.length).toBeGreaterThan(0);
	for (const path of needed) expect([path, (await fetch(new URL(path, origin))).status]).toStrictEqual([path, 200]);
});

test("closing the HTTP server ends open pages and closes gateway connections", async () => {
	const { app, origin, playground } = await openShared();
	const user = await openUserClient(origin);
	const gateway = await openWire(`${origin.replace("http", "ws")}/playground/gateway?v=10&encoding=json`);
	gateway.send({ op: 2, d: { token: playground.botToken, properties: {}, intents: 0 } });
	await gateway.until(({ t }) => t === "READY");
	const [code] = await Promise.all([gateway.closed, app.close()]);
	// A code after which clients come back and resume.
	expect(code).toBe(1012);
	await user.close();
});
