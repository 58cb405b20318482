/**
 * Sends damaged requests over a real socket to all HTTP servers except the studio: the playground's REST API, page and
 * admin API, result links, callbacks, health and metrics. No request causes an internal error or stays unanswered, and
 * every response has the expected headers.
 */
import assert from "node:assert/strict";
import { createHash, randomBytes } from "node:crypto";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as fc from "fast-check";
import { pino } from "pino";
import { systemClock } from "@atelier/common/clock";
import { createHttpServer } from "@atelier/common/http-server";
import { createPlayground } from "@atelier/playground/playground";
import { routes } from "@atelier/playground/rest/routes";
import { handleMalformedUrl } from "@atelier/playground/simulator/api-error";
import { openUserClient } from "@atelier/playground/user-client";
import { openStore } from "@atelier/store/open-store";
import { createMalformedUrlHandler } from "@atelier/studio/envelope";
import { fakePng } from "@atelier/studio/testing/fake-engine";
import { registerHealth } from "../../src/http/health.ts";
import { registerMediaWebhook } from "../../src/http/media-webhook.ts";
import { registerMetrics } from "../../src/http/metrics-routes.ts";
import { registerResultRoutes } from "../../src/http/result-routes.ts";
import { serverOrigin } from "../../src/http/server-origin.ts";
import { createMetrics } from "../../src/metrics/metrics.ts";
import { createResultLinks } from "../../src/services/delivery/result-links.ts";
import { fuzz, type FuzzOptions, type FuzzReport } from "./fuzz-property.ts";
import { anyValue } from "./json-damage.ts";
import { damageRequest, requestDamage, segments, type RequestDamage } from "./request-damage.ts";
import { exchange, isIncomplete, type WireRequest, type WireResponse } from "./raw-http.ts";

/** Far above the duration of a response: a request that takes this long hangs. */
const HANGS_AFTER_MS = 20_000;
const OUTSIDE = "a file outside of the folder";
const TASK_ID = "123456789012345678";

const PAGE_ROUTES = [
	"GET /",
	"GET /index.html",
	"GET /app.js",
	"GET /playground/state",
	"GET /playground/events",
	"POST /playground/uploads",
	"POST /playground/interactions",
	"POST /playground/context-commands",
	"POST /playground/components",
	"POST /playground/modals",
	"POST /playground/autocomplete",
	"PUT /playground/command-permissions",
	"PUT /playground/bot",
	"GET /playground/media/:channel/:message/:name",
	"GET /playground/gateway",
	"GET /oauth2/authorize",
	"POST /oauth2/authorize",
];
const ADMIN_ROUTES = [
	"GET /playground/admin",
	"GET /playground/admin/routes",
	"GET /playground/admin/requests",
	"GET /playground/admin/guilds",
	...["access", "membership", "gateway", "files", "guilds", "direct", "members", "guild", "redirect-uris"].map(
		(name) => `PUT /playground/admin/${name}`,
	),
	...["events", "purchases", "clock", "expire", "faults"].map((name) => `POST /playground/admin/${name}`),
	"DELETE /playground/admin/messages/:channel/:message",
	"DELETE /playground/admin/purchases/:entitlement",
];
const BOT_ROUTES = ["GET /livez", "GET /readyz", "GET /metrics", "GET RESULT", "POST /callbacks/media/task-1"];
const ROUTES = [
	...PAGE_ROUTES,
	...ADMIN_ROUTES,
	...BOT_ROUTES,
	...BOT_ROUTES,
	...routes.map(({ method, path }) => `${method} /api/v10${path}`),
];
/** Valid field names, whose values pass the first checks. */
const FIELDS = [
	"user",
	"channelId",
	"messageId",
	"customId",
	"interactionId",
	"command",
	"options",
	"values",
	"fields",
	"target",
	"focused",
	"permissions",
	"isInstalled",
	"type",
	"data",
	"content",
	"embeds",
	"components",
	"flags",
	"attachments",
	"nonce",
	"allowed_mentions",
	"name",
	"description",
	"recipient_id",
	"sku_id",
	"owner_id",
	"owner_type",
	"poll",
	"message_reference",
];

interface Plan {
	readonly route: string;
	readonly isBot: boolean;
	readonly fields: Readonly<Record<string, unknown>>;
	/** Takes the place of the first or the second parameter in the path. */
	readonly param: readonly [number, string] | undefined;
	readonly damages: readonly RequestDamage[];
}

type Servers = Awaited<ReturnType<typeof startServers>>;

export async function fuzzHttp(options: FuzzOptions): Promise<FuzzReport> {
	const servers = await startServers();
	const plans: fc.Arbitrary<Plan> = fc.record({
		route: fc.constantFrom(...ROUTES),
		isBot: fc.boolean(),
		fields: fc.dictionary(
			fc.constantFrom(...FIELDS),
			fc.oneof(anyValue, fc.constantFrom<unknown>(...Object.values(servers.params), 4, 5, 8, 9)),
			{ maxKeys: 4 },
		),
		param: fc.oneof(
			{ weight: 4, arbitrary: fc.constant(undefined) },
			{ weight: 1, arbitrary: fc.tuple(fc.nat(1), segments) },
		),
		damages: fc.array(requestDamage, { maxLength: 2 }),
	});
	try {
		return await fuzz(options, plans, async (plan) => {
			const request = requestOf(plan, servers);
			const response = await exchange(servers.port, request, HANGS_AFTER_MS);
			assert(response || isIncomplete(request), "a complete request got no response");
			if (response) check(request, response, servers);
			assert.deepEqual(servers.errors.splice(0), []);
			return String(response?.status ?? "no response");
		});
	} finally {
		await servers.close();
	}
}

function requestOf({ route, isBot, fields, param, damages }: Plan, servers: Servers): WireRequest {
	const { botToken, params, resultPath } = servers;
	const [method = "GET", template = "/"] = route.split(" ");
	let position = 0;
	const path = template
		.replace("RESULT", resultPath)
		.replaceAll(/:([a-z]+)/g, (_, name: string) => (position++ === param?.[0] ? param[1] : (params[name] ?? "1")));
	const hasBody = !["GET", "HEAD", "DELETE"].includes(method);
	const request: WireRequest = {
		method,
		path,
		headers: [
			...(isBot ? [["authorization", `Bot ${botToken}`] as const] : []),
			...(hasBody ? [["content-type", "application/json"] as const] : []),
		],
		body: Buffer.from(hasBody ? JSON.stringify(fields) : ""),
		lengthOffset: 0,
	};
	const damaged = damages.reduce(damageRequest, request);
	// A space in the target changes the HTTP version, which hides all other damage.
	return { ...damaged, path: damaged.path.replaceAll(/[\s\0]/g, "%20") };
}

function check(request: WireRequest, { status, headers, body }: WireResponse, { botToken, resultPath }: Servers): void {
	const text = body.toString("latin1");
	const summary = `${request.method} ${request.path.slice(0, 200)}: ${status} ${text.slice(0, 400)}`;
	// This process has no gateway, so it is not ready.
	const isNotReady = request.path.startsWith("/readyz") && status === 503;
	assert(status < 500 || isNotReady, summary);
	assert(
		!/node_modules|node:internal|\.ts:\d+|at \S+ \(/.test(text) || request.path.endsWith(".js"),
		`the response contains source positions: ${summary}`,
	);
	assert(!text.includes(botToken), `the response contains the token: ${summary}`);
	assert(!text.includes(OUTSIDE) && !/root:x?:0:0|"devDependencies"/.test(text), `a file from outside: ${summary}`);
	// Raw responses of Node to malformed requests have no body and no headers of ours.
	const isBare = headers["content-length"] === "0" && !("content-type" in headers) && !("date" in headers);
	const isExpectation = status === 417 && body.byteLength === 0;
	if (status < 200 || isBare || isExpectation) return;
	assert.equal(headers["x-content-type-options"], "nosniff", summary);
	// The form of the consent page is sent with its origin.
	const isConsent = request.path.startsWith("/oauth2/authorize");
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

async function startServers() {
	const folder = await mkdtemp(join(tmpdir(), "atelier-fuzz-"));
	const results = join(folder, "results");
	await mkdir(results);
	await writeFile(join(folder, "secret.txt"), OUTSIDE);
	await writeFile(join(results, "file"), fakePng("fuzz"));
	const errors: string[] = [];
	const logger = pino({ level: "error" }, { write: (line) => void errors.push(line) });
	const clock = systemClock;
	const app = createHttpServer({ malformedUrlHandlers: [createMalformedUrlHandler(randomBytes), handleMalformedUrl] });
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
	const member = await openUserClient(origin());
	const { channels, messages, guild } = await member.state();
	const link = await links.find(TASK_ID, 0);
	/** Valid values of the parameters in paths. */
	const params: Readonly<Record<string, string>> = {
		application: playground.applicationId,
		user: member.me.user.id,
		guild: guild.id,
		channel: channels[0]?.id ?? "",
		message: messages[0]?.id ?? TASK_ID,
	};
	return {
		errors,
		port: Number(new URL(origin()).port),
		botToken: playground.botToken,
		resultPath: new URL(link?.url ?? "").pathname,
		params,
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
	return (size) => {
		const blocks = Array.from({ length: Math.ceil(size / 32) }, () =>
			createHash("sha256").update(`fuzz ${count++}`).digest(),
		);
		return Buffer.concat(blocks).subarray(0, size);
	};
}
