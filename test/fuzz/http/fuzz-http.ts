/**
 * Thousands of requests over a real socket to everything that serves HTTP beside the studio: the playground's REST API,
 * page and admin API, result links, callbacks, health and metrics. No request may cause a fault of ours or stay
 * unanswered, and every response must be one that the server may send.
 */
import assert from "node:assert/strict";
import { createHash, randomBytes } from "node:crypto";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as fc from "fast-check";
import { pino } from "pino";
import { systemClock } from "@atelier/common/clock";
import { registerHealth } from "../../../src/http/health.ts";
import { createHttpServer } from "@atelier/common/http-server";
import { createMalformedUrlHandler } from "@atelier/studio/envelope";
import { handleMalformedUrl } from "@atelier/playground/simulator/api-error";
import { registerMediaWebhook } from "../../../src/http/media-webhook.ts";
import { createMetrics } from "../../../src/metrics/metrics.ts";
import { registerMetrics } from "../../../src/http/metrics-routes.ts";
import { serverOrigin } from "../../../src/http/server-origin.ts";
import { openUserClient } from "@atelier/playground/user-client";
import { createPlayground } from "@atelier/playground/playground";
import { registerResultRoutes } from "../../../src/http/result-routes.ts";
import { createResultLinks } from "../../../src/services/delivery/result-links.ts";
import { openStore } from "@atelier/store/open-store";
import { fakePng } from "@atelier/studio/testing/fake-engine";
import { exchange, isIncomplete, type WireAnswer, type WireRequest } from "../studio/raw-http.ts";
import { draw, plans, type Known } from "./requests.ts";

/** Far above what an answer takes: a request that needs this long hangs. */
const HANGS_AFTER_MS = 20_000;
const OUTSIDE = "what lies beside the folder";
const TASK_ID = "123456789012345678";

export interface HttpFigures {
	readonly requests: number;
	readonly seconds: number;
	readonly slowestMs: number;
	/** How often there was which status; `none` is a connection that was closed. */
	readonly statuses: Readonly<Record<string, number>>;
}

/** Throws with the smallest request that breaks a rule, and how to get it again. */
export async function fuzzHttp({ runs, seed }: { runs: number; seed: number }): Promise<HttpFigures> {
	const servers = await openServers();
	const statuses: Record<string, number> = {};
	const startedAt = performance.now();
	let [requests, slowestMs] = [0, 0];
	const property = fc.asyncProperty(plans, async (plan) => {
		const request = draw(plan, servers.known);
		const askedAt = performance.now();
		const answer = await exchange(servers.known.port, request, HANGS_AFTER_MS);
		slowestMs = Math.max(slowestMs, performance.now() - askedAt);
		assert(answer || isIncomplete(request), "a whole request was not answered");
		if (answer) judge(request, answer, servers.known);
		assert.deepEqual(servers.complaints.splice(0), []);
		const status = String(answer?.status ?? "none");
		statuses[status] = (statuses[status] ?? 0) + 1;
		requests++;
	});
	try {
		await fc.assert(property, { numRuns: runs, seed, endOnFailure: false });
		return { requests, seconds: (performance.now() - startedAt) / 1000, slowestMs, statuses };
	} finally {
		await servers.close();
	}
}

function judge(request: WireRequest, { status, headers, body }: WireAnswer, { botToken, resultPath }: Known): void {
	const text = body.toString("latin1");
	const said = `${request.method} ${request.path.slice(0, 200)}: ${status} ${text.slice(0, 400)}`;
	// The readiness response: this process has no gateway, so it is not ready.
	const isHealth = request.path.startsWith("/readyz") && status === 503;
	assert(status < 500 || isHealth, said);
	assert(
		!/node_modules|node:internal|\.ts:\d+|at \S+ \(/.test(text) || request.path.endsWith(".js"),
		`the answer shows the program: ${said}`,
	);
	assert(!text.includes(botToken), `the answer shows the token: ${said}`);
	assert(!text.includes(OUTSIDE) && !/root:x?:0:0|"devDependencies"/.test(text), `a file from outside: ${said}`);
	// A raw response before or instead of a request has no body.
	const isBare = headers["content-length"] === "0" && !("content-type" in headers) && !("date" in headers);
	const isExpectation = status === 417 && body.byteLength === 0;
	if (status < 200 || isBare || isExpectation) return;
	assert.equal(headers["x-content-type-options"], "nosniff", said);
	assert.equal(headers["referrer-policy"], "no-referrer", said);
	assert.match(
		headers["content-security-policy"] ?? "",
		/default-src 'none'.*(?:sandbox|frame-ancestors 'none')/,
		said,
	);
	assert(!("access-control-allow-origin" in headers), said);
	if (status === 200 && request.path === resultPath)
		assert.match(headers["content-disposition"] ?? "", /^attachment; filename="atelier-/);
}

async function openServers() {
	const folder = await mkdtemp(join(tmpdir(), "atelier-fuzz-"));
	const results = join(folder, "results");
	await mkdir(results);
	await writeFile(join(folder, "secret.txt"), OUTSIDE);
	await writeFile(join(results, "file"), fakePng("fuzz"));
	const complaints: string[] = [];
	const logger = pino({ level: "error" }, { write: (line) => void complaints.push(line) });
	const clock = systemClock;
	const app = createHttpServer({ malformedUrlHandlers: [createMalformedUrlHandler(randomBytes), handleMalformedUrl] });
	const origin = (): string => serverOrigin(app.server);
	const playground = createPlayground({ clock, logger, origin, random: drawn() });
	await playground.register(app);
	const store = await openStore("memory:");
	const stopping = new AbortController().signal;
	registerHealth(app, { store, clock, stopping, checks: { gateway: () => false } });
	registerMetrics(app, createMetrics({ logger }), {
		HOST: "127.0.0.1",
		METRICS_HOST: "127.0.0.1",
		METRICS_PORT: undefined,
	});
	const links = createResultLinks({
		publicUrl: "https://bot.example.com",
		secret: "of this test",
		results: {
			locate: async (taskId, index) =>
				taskId === TASK_ID && index === 0
					? { path: join(results, "file"), sizeBytes: 1, keptUntilMs: clock.nowMs() + 3_600_000 }
					: undefined,
		},
		clock,
	});
	await registerResultRoutes(app, { links: () => links, folder: results });
	const secret = `whsec_${Buffer.alloc(32, 1).toString("base64")}`;
	await registerMediaWebhook(app, { secret, wake: () => {}, clock, logger });
	await app.listen({ host: "127.0.0.1", port: 0 });
	const userClient = await openUserClient(origin());
	const { channels, messages, guild } = await userClient.state();
	const link = await links.find(TASK_ID, 0);
	const known: Known = {
		port: Number(new URL(origin()).port),
		botToken: playground.botToken,
		resultPath: new URL(link?.url ?? "").pathname,
		params: {
			application: playground.applicationId,
			user: userClient.me.user.id,
			guild: guild.id,
			channel: channels[0]?.id ?? "",
			message: messages[0]?.id ?? TASK_ID,
		},
	};
	return {
		known,
		complaints,
		async close() {
			await userClient.close();
			await playground.close();
			await app.close();
			await store.close();
			await rm(folder, { recursive: true, force: true });
		},
	};
}

/** The same ids and tokens in every run, so that a seed leads to the same requests. */
function drawn(): (size: number) => Buffer {
	let count = 0;
	return (size) => {
		const blocks = Array.from({ length: Math.ceil(size / 32) }, () =>
			createHash("sha256").update(`fuzz ${count++}`).digest(),
		);
		return Buffer.concat(blocks).subarray(0, size);
	};
}
