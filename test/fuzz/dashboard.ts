/**
 * Sends damaged requests to every route of the dashboard's API, as readers with different rights in two servers. Every
 * complete request has a response without an internal error, and no response contains what its reader may not see.
 */
import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as fc from "fast-check";
import { endpoints, type Endpoint, type EndpointName } from "@atelier/dashboard/contract";
import { createLogger } from "@atelier/common/logger";
import { openUserClient } from "@atelier/playground/user-client";
import { createFakeEngine } from "@atelier/studio/testing/fake-engine";
import { createApp } from "../../src/app/create-app.ts";
import { loadConfig } from "../../src/config/load-config.ts";
import { isFinalReply } from "../../src/discord/is-final-reply.ts";
import { openDashboard } from "../e2e/dashboard-client.ts";
import { fuzz, type FindMissingOutcomes, type FuzzOptions, type FuzzReport } from "./fuzz-property.ts";
import { anyValue, damageJson, fieldNamesIn, jsonDamage, type JsonDamage } from "./json-damage.ts";
import { assertNoSourcePositions, exchange, type WireRequest, type WireResponse } from "./raw-http.ts";
import {
	damageRequest,
	fillPath,
	pathParams,
	requestDamage,
	type PathParam,
	type RequestDamage,
} from "./request-damage.ts";
import { sampleOf } from "./schema-samples.ts";

const QUERY_CHARS_MAX = 500;
/** Above the largest body that the dashboard accepts, 3 MiB. */
const PADDING_BYTES = 3 * 1024 * 1024 + 1;
const NAMES = Object.keys(endpoints) as EndpointName[];
const READERS = ["anonymous", "owner", "member", "moderator", "key", "otherKey", "revokedKey"] as const;
type ReaderName = (typeof READERS)[number];

/** A private result of the member in the first server. */
const PRIVATE_PROMPT = "privately drawn lighthouse";
/** A public result in the second server, of which the moderator of the first one is the owner. */
const OTHER_PROMPT = "harbor of the second guild";
const MAY_READ: Readonly<Record<string, readonly ReaderName[]>> = {
	[PRIVATE_PROMPT]: ["member"],
	[OTHER_PROMPT]: ["moderator", "otherKey"],
};

const FIELD_NAMES = fieldNamesIn(Object.values<Endpoint>(endpoints).map(({ body }) => body && sampleOf(body)));
const QUERY_NAMES = fieldNamesIn(Object.values<Endpoint>(endpoints).map(({ query }) => query && sampleOf(query)));

interface RequestPlan {
	readonly name: EndpointName;
	readonly reader: ReaderName;
	readonly isOtherServer: boolean;
	readonly pathParam: PathParam;
	readonly bodyDamages: readonly JsonDamage[];
	/** Spaces after the body: none, or more than the dashboard reads. */
	readonly paddingBytes: number;
	readonly query: Readonly<Record<string, unknown>>;
	readonly damages: readonly RequestDamage[];
}

type ReaderSession = Awaited<ReturnType<typeof openDashboard>>;
type Headers = WireRequest["headers"];
type FuzzedApp = Awaited<ReturnType<typeof startApp>>;

const plans: fc.Arbitrary<RequestPlan> = fc.record({
	name: fc.constantFrom(...NAMES),
	reader: fc.constantFrom(...READERS),
	isOtherServer: fc.boolean(),
	pathParam: pathParams,
	bodyDamages: fc.array(jsonDamage(FIELD_NAMES), { maxLength: 2 }),
	paddingBytes: fc.oneof(
		{ weight: 20, arbitrary: fc.constant(0) },
		{ weight: 1, arbitrary: fc.constant(PADDING_BYTES) },
	),
	query: fc.dictionary(fc.constantFrom(...QUERY_NAMES), anyValue, { maxKeys: 2 }),
	damages: fc.oneof(
		{ weight: 2, arbitrary: fc.constant([]) },
		{ weight: 1, arbitrary: fc.array(requestDamage, { maxLength: 2 }) },
	),
});

/** The statuses that a thousand runs must receive: input that is damaged too much reaches only the first check. */
const EXPECTED = ["200", "400", "401", "403", "404", "413", "415", "422"];

export const findMissingOutcomes: FindMissingOutcomes = (outcomes) => {
	const statuses = new Set(Object.keys(outcomes).map((outcome) => outcome.split(" ").at(-1)));
	const idleReaders = READERS.filter(
		(reader) => (outcomes[`${reader} 401`] ?? 0) + (outcomes[`${reader} 200`] ?? 0) < 5,
	);
	return [...EXPECTED.filter((status) => !statuses.has(status)), ...idleReaders];
};

export async function fuzzDashboard(options: FuzzOptions): Promise<FuzzReport> {
	const app = await startApp();
	try {
		return await fuzz(options, plans, async (plan) => {
			const request = requestOf(plan, app);
			const response = await exchange(app.port, request);
			if (response) checkResponse(plan, request, response, app);
			assert.deepEqual(app.errors.splice(0), []);
			return `${plan.reader} ${response?.status ?? "no response"}`;
		});
	} finally {
		await app.close();
	}
}

function requestOf(plan: RequestPlan, app: FuzzedApp): WireRequest {
	const { name, reader, pathParam, bodyDamages, paddingBytes, query, damages, isOtherServer } = plan;
	const endpoint: Endpoint = endpoints[name];
	const params = { ...app.params, server: isOtherServer ? app.otherGuildId : app.guildId };
	const path = fillPath(endpoint.path, params, pathParam);
	const search = new URLSearchParams(
		Object.entries(query).map(([key, value]): [string, string] => [key, queryText(value)]),
	).toString();
	const body = endpoint.body && bodyDamages.reduce<unknown>(damageJson, sampleOf(endpoint.body));
	const request: WireRequest = {
		method: endpoint.method,
		path: `/dashboard/api${path}${search === "" ? "" : `?${search}`}`,
		headers: [
			// After a log-out, all later requests of the reader would be rejected.
			...app.headersOf[reader].filter(([header]) => header !== "x-csrf-token" || name !== "logOut"),
			...(endpoint.body ? [["content-type", "application/json"] as const] : []),
		],
		body: Buffer.from(endpoint.body ? (JSON.stringify(body) ?? "") + " ".repeat(paddingBytes) : ""),
		lengthOffset: 0,
	};
	const damaged = damages.reduce(damageRequest, request);
	return { ...damaged, path: damaged.path.replaceAll(/[\s\0]/g, "%20") };
}

function queryText(value: unknown): string {
	const text = typeof value === "string" ? value : (JSON.stringify(value) ?? "");
	return text.toWellFormed().slice(0, QUERY_CHARS_MAX);
}

function checkResponse(
	{ reader }: RequestPlan,
	request: WireRequest,
	{ status, headers, body }: WireResponse,
	{ secrets }: FuzzedApp,
): void {
	const text = body.toString("utf8");
	const summary = `${reader}: ${request.method} ${request.path.slice(0, 200)}: ${status} ${text.slice(0, 400)}`;
	assert(status < 500 && status !== 429, summary);
	assertNoSourcePositions(text, summary);
	for (const [prompt, readers] of Object.entries(MAY_READ))
		assert(readers.includes(reader) || !text.includes(prompt), `the response contains a foreign prompt: ${summary}`);
	for (const [owner, secret] of secrets)
		assert(owner === reader || !text.includes(secret), `the response contains a secret of ${owner}: ${summary}`);
	const isJson = headers["content-type"]?.startsWith("application/json") ?? false;
	// Fastify itself answers addresses and headers that reach no route.
	const hasBody = isJson && text !== "";
	if (status >= 400 && hasBody && request.path.startsWith("/dashboard/api/") && !text.includes('"statusCode":')) {
		const { error } = JSON.parse(text) as { readonly error?: { readonly code?: unknown; readonly message?: unknown } };
		assert(typeof error?.code === "string" && typeof error.message === "string", summary);
	}
	if (status < 400 && isJson) assert.equal(headers["x-content-type-options"], "nosniff", summary);
	assert(!("access-control-allow-origin" in headers), summary);
}

/** The whole bot with its playground: two servers with a result each, and readers with different rights in both. */
async function startApp() {
	const folder = await mkdtemp(join(tmpdir(), "atelier-fuzz-"));
	const errors: string[] = [];
	const logger = createLogger({
		level: "error",
		pretty: false,
		destination: { write: (line) => void errors.push(line) },
	});
	const config = loadConfig({ PORT: "0", STORE_URL: "memory:", DATA_DIR: folder, CREDIT_PRICE: "0.01 EUR" });
	const atelier = await createApp(config, logger, {
		engines: [createFakeEngine()],
		dashboardRequestsPerMinute: Number.MAX_SAFE_INTEGER,
	});
	const { origin } = atelier;
	const owner = await openUserClient(origin);
	const { members, guild, guilds } = await owner.state();
	const idOf = (name: string): string => members.find(({ user }) => user.global_name === name)?.user.id ?? "no member";
	const otherGuildId = guilds.find(({ id }) => id !== guild.id)?.id ?? "no guild";
	const ada = await openUserClient(origin, { user: idOf("Ada") });
	const lena = await openUserClient(origin, { user: idOf("Lena"), guild: otherGuildId });
	await (await ada.type("/image", { prompt: PRIVATE_PROMPT, private: true })).until(isFinalReply);
	await (await lena.type("/image", { prompt: OTHER_PROMPT })).until(isFinalReply);

	const sessions = {
		owner: await openDashboard(origin, owner.me.user.id),
		member: await openDashboard(origin, idOf("Ada")),
		moderator: await openDashboard(origin, idOf("Lena")),
	};
	const key = await createKey(sessions.owner, guild.id, "fuzz");
	const otherKey = await createKey(sessions.moderator, otherGuildId, "fuzz");
	const revokedKey = await createKey(sessions.owner, guild.id, "revoked");
	const revokedId = revokedKey.keys.find(({ name }) => name === "revoked")?.id ?? "no key";
	await sessions.owner.call("revokeApiKey", { params: { server: guild.id, key: revokedId } });
	const [job] = (await sessions.member.call("ownJobs", { params: { server: guild.id } })).body.items;

	const headersOf: Readonly<Record<ReaderName, Headers>> = {
		anonymous: [],
		owner: sessionHeaders(sessions.owner),
		member: sessionHeaders(sessions.member),
		moderator: sessionHeaders(sessions.moderator),
		key: keyHeaders(key.key),
		otherKey: keyHeaders(otherKey.key),
		revokedKey: keyHeaders(revokedKey.key),
	};
	const secrets: readonly (readonly [ReaderName, string])[] = [
		...Object.entries(sessions).map(([name, { session }]) => [name as ReaderName, session.body.csrfToken] as const),
		["key", key.key],
		["otherKey", otherKey.key],
	];
	return {
		errors,
		port: Number(new URL(origin).port),
		guildId: guild.id,
		otherGuildId,
		/** Valid values of the other parameters in paths. */
		params: { job: job?.id ?? "1", member: idOf("Grace"), key: "0".repeat(16) },
		headersOf,
		secrets,
		async close() {
			await Promise.all([owner.close(), ada.close(), lena.close()]);
			await atelier.stop();
			await rm(folder, { recursive: true, force: true });
		},
	};
}

async function createKey({ call }: ReaderSession, server: string, name: string) {
	return (await call("createApiKey", { params: { server }, body: { name } })).body;
}

function sessionHeaders({ browser, session }: ReaderSession): Headers {
	return [
		["cookie", [...browser.cookies].map(([name, value]) => `${name}=${value}`).join("; ")],
		["x-csrf-token", session.body.csrfToken],
	];
}

function keyHeaders(key: string): Headers {
	return [["authorization", `Bearer ${key}`]];
}
