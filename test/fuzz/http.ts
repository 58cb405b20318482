/**
 * Sends damaged requests over a real socket to all endpoints except those of the studio and the dashboard: the playground's
 * REST API, page and admin API, result links, callbacks, health and metrics. Every complete request has a response without
 * an internal error, and every response of ours has the expected headers.
 */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as fc from "fast-check";
import { pino } from "pino";
import { systemClock } from "@atelier/common/clock";
import { createHttpServer } from "@atelier/common/http-server";
import { pageInputs } from "@atelier/playground/page/page-contract";
import { createPlayground } from "@atelier/playground/playground";
import { openUserClient } from "@atelier/playground/user-client";
import { openStore } from "@atelier/store/open-store";
import { handleMalformedStudioUrl } from "@atelier/studio/envelope";
import { fakePng } from "@atelier/studio/testing/fake-engine";
import { registerHealth } from "../../src/http/health.ts";
import { registerMediaCallbackRoute } from "../../src/http/media-callback-route.ts";
import { registerMetrics } from "../../src/http/metrics-routes.ts";
import { registerResultRoutes } from "../../src/http/result-routes.ts";
import { serverOrigin } from "../../src/http/server-origin.ts";
import { createMetrics } from "../../src/metrics/metrics.ts";
import { createResultLinks } from "../../src/services/delivery/result-links.ts";
import { fuzz, type FindMissingOutcomes, type FuzzOptions, type FuzzReport } from "./fuzz-property.ts";
import { anyValue, fieldNamesIn } from "./json-damage.ts";
import {
	damageRequest,
	fillPath,
	pathParams,
	requestDamage,
	type PathParam,
	type RequestDamage,
} from "./request-damage.ts";
import { sampleOf } from "./schema-samples.ts";
import { assertNoSourcePositions, exchange, type WireRequest, type WireResponse } from "./raw-http.ts";

const OUTSIDE_CONTENT = "a file outside of the folder";
const TASK_ID = "123456789012345678";

/** Routes of the bot. Each is also chosen more often, because they are few among the many of the playground. */
const ATELIER_ROUTES = ["GET /livez", "GET /readyz", "GET /metrics", "GET RESULT", "POST /callbacks/media/task-1"];
const METHODS = new Set<unknown>(["GET", "POST", "PUT", "PATCH", "DELETE"]);
/** Field names of requests to the page's API; those of messages are added. A body with them passes the first checks of a route. */
const INPUT_FIELDS = fieldNamesIn(Object.values(pageInputs).map(sampleOf));

/** Types of responses to an interaction: message, deferred message, autocomplete choices and modal. */
const INTERACTION_RESPONSE_TYPES = [4, 5, 8, 9];

interface RequestPlan {
	readonly route: string;
	readonly isAuthorizedAsBot: boolean;
	readonly fields: Readonly<Record<string, unknown>>;
	readonly pathParam: PathParam;
	readonly damages: readonly RequestDamage[];
}

type FuzzedServer = Awaited<ReturnType<typeof startServer>>;

/** The statuses that a thousand runs must receive: input that is damaged too much reaches only the first check. */
const EXPECTED = ["200", "400", "401", "403", "404", "413", "415", "503"];

export const findMissingOutcomes: FindMissingOutcomes = (outcomes) =>
	EXPECTED.filter((status) => !(status in outcomes));

export async function fuzzHttp(options: FuzzOptions): Promise<FuzzReport> {
	const server = await startServer();
	const plans: fc.Arbitrary<RequestPlan> = fc.record({
		route: fc.constantFrom(...server.routes, ...ATELIER_ROUTES, ...ATELIER_ROUTES),
		isAuthorizedAsBot: fc.boolean(),
		fields: fc.dictionary(
			fc.constantFrom(...server.fieldNames),
			fc.oneof(anyValue, fc.constantFrom<unknown>(...Object.values(server.params), ...INTERACTION_RESPONSE_TYPES)),
			{ maxKeys: 4 },
		),
		pathParam: pathParams,
		damages: fc.array(requestDamage, { maxLength: 2 }),
	});
	try {
		return await fuzz(options, plans, async (plan) => {
			const request = requestOf(plan, server);
			const response = await exchange(server.port, request);
			if (response) checkResponse(request, response, server);
			assert.deepEqual(server.errors.splice(0), []);
			return String(response?.status ?? "no response");
		});
	} finally {
		await server.close();
	}
}

function requestOf(
	{ route, isAuthorizedAsBot, fields, pathParam, damages }: RequestPlan,
	server: FuzzedServer,
): WireRequest {
	const { botToken, params, resultPath } = server;
	const [method = "GET", template = "/"] = route.split(" ");
	const path = fillPath(template.replace("RESULT", resultPath), params, pathParam);
	const hasBody = !["GET", "HEAD", "DELETE"].includes(method);
	const request: WireRequest = {
		method,
		path,
		headers: [
			...(isAuthorizedAsBot ? [["authorization", `Bot ${botToken}`] as const] : []),
			...(hasBody ? [["content-type", "application/json"] as const] : []),
		],
		body: Buffer.from(hasBody ? JSON.stringify(fields) : ""),
		lengthOffset: 0,
	};
	const damagedRequest = damages.reduce(damageRequest, request);
	// A raw space would end the path, and the rest would be parsed as the HTTP version: every such request is rejected early.
	return { ...damagedRequest, path: damagedRequest.path.replaceAll(/[\s\0]/g, "%20") };
}

function checkResponse(
	request: WireRequest,
	{ status, headers, body }: WireResponse,
	{ botToken, resultPath }: FuzzedServer,
): void {
	const text = body.toString("latin1");
	const summary = `${request.method} ${request.path.slice(0, 200)}: ${status} ${text.slice(0, 400)}`;
	// This process has no gateway, so it is not ready.
	const isNotReady = request.path.startsWith("/readyz") && status === 503;
	assert(status < 500 || isNotReady, summary);
	if (!request.path.endsWith(".js")) assertNoSourcePositions(text, summary);
	assert(!text.includes(botToken), `the response contains the token: ${summary}`);
	assert(
		!text.includes(OUTSIDE_CONTENT) && !/root:x?:0:0|"devDependencies"/.test(text),
		`the response contains a file from outside of the folder: ${summary}`,
	);
	// Raw responses of Node to malformed requests have no body and no headers of ours.
	const isRawNodeResponse = headers["content-length"] === "0" && !("content-type" in headers) && !("date" in headers);
	const isUnmetExpectation = status === 417 && body.byteLength === 0;
	if (status < 200 || isRawNodeResponse || isUnmetExpectation) return;
	assert.equal(headers["x-content-type-options"], "nosniff", summary);
	// The form of the consent page is sent with its origin, and so is its error page.
	const isConsent = /^(?:\/api(?:\/v\d+)?)?\/oauth2\/(?:authorize|consent)/.test(request.path);
	assert.match(
		headers["referrer-policy"] ?? "",
		isConsent ? /^(?:same-origin|no-referrer)$/ : /^no-referrer$/,
		summary,
	);
	const policy = headers["content-security-policy"] ?? "";
	assert.match(policy, /default-src 'none'.*(?:sandbox|frame-ancestors 'none')/, summary);
	assert(!("access-control-allow-origin" in headers), summary);
	if (status === 200 && request.path === resultPath) {
		assert.match(headers["content-disposition"] ?? "", /^attachment; filename="atelier-/);
	}
}

async function startServer() {
	const folder = await mkdtemp(join(tmpdir(), "atelier-fuzz-"));
	const results = join(folder, "results");
	await mkdir(results);
	await writeFile(join(folder, "secret.txt"), OUTSIDE_CONTENT);
	await writeFile(join(results, "file"), fakePng("fuzz"));
	const loggedErrors: string[] = [];
	const logger = pino({ level: "error" }, { write: (line) => void loggedErrors.push(line) });
	const clock = systemClock;
	const app = createHttpServer({ malformedUrlHandlers: [handleMalformedStudioUrl] });
	const routes: string[] = [];
	app.addHook("onRoute", ({ method, url }) => {
		routes.push(...[method].flat().flatMap((each) => (METHODS.has(each) ? `${each} ${url}` : [])));
	});
	const origin = (): string => serverOrigin(app.server);
	const playground = createPlayground({ clock, logger, origin, random: deterministicRandomBytes() });
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
		secret: "a secret",
		results: {
			locateFullSize: async (taskId, index) =>
				taskId === TASK_ID && index === 0
					? { path: join(results, "file"), sizeBytes: 1, keptUntilMs: clock.nowMs() + 3_600_000, hasPreview: false }
					: undefined,
		},
		clock,
	});
	await registerResultRoutes(app, { links: () => links, logger });
	const secret = `whsec_${Buffer.alloc(32, 1).toString("base64")}`;
	await registerMediaCallbackRoute(app, { secret: async () => secret, wakeTask: () => {}, clock, logger });
	await app.listen({ host: "127.0.0.1", port: 0 });
	const member = await openUserClient(origin());
	const { channels, messages, guild } = await member.state();
	const [link] = await links.find(TASK_ID, 1);
	/** Valid values of the parameters in paths. */
	const params: Readonly<Record<string, string>> = {
		application: playground.applicationId,
		webhook: playground.applicationId,
		user: member.me.user.id,
		guild: guild.id,
		channel: channels[0]?.id ?? "",
		message: messages[0]?.id ?? TASK_ID,
	};
	return {
		routes,
		errors: loggedErrors,
		port: Number(new URL(origin()).port),
		botToken: playground.botToken,
		resultPath: new URL(link?.url ?? "").pathname,
		params,
		fieldNames: [...INPUT_FIELDS, ...fieldNamesIn(messages[0])],
		async close() {
			await member.close();
			await playground.close();
			await app.close();
			await store.close();
			await rm(folder, { recursive: true, force: true });
		},
	};
}

/** Generates the same ids and tokens in every run, so that a seed leads to the same requests. */
function deterministicRandomBytes(): (size: number) => Buffer {
	let count = 0;
	return (size) => createHash("shake256", { outputLength: size }).update(`fuzz ${count++}`).digest();
}
