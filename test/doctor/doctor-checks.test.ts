import { chmod } from "node:fs/promises";
import { join } from "node:path";
import { ApplicationFlags, PermissionFlagsBits } from "discord.js";
import { describe, expect, test } from "vitest";
import { BOT_PERMISSIONS } from "../../src/discord/invite-link.ts";
import { formatCheckResult } from "../../src/cli/doctor-command.ts";
import type { CheckResult } from "../../src/doctor/check-result.ts";
import { checkDiscord, clockResult } from "../../src/doctor/check-discord.ts";
import { checkMedia } from "../../src/doctor/check-media.ts";
import { checkFolder, checkQueue, checkStore } from "../../src/doctor/check-store.ts";
import { systemClock } from "@atelier/common/clock";
import { modelSchema, type Model } from "@atelier/media-protocol/model";
import { PROFILES, type MediaProfile } from "@atelier/media-protocol/profiles";
import { openStore } from "@atelier/store/open-store";
import { createTempFolder } from "@atelier/common/testing/temp-folder";
import { openDiscord } from "../e2e/open-discord.ts";
import { API_KEY, successBody, openService, type Handler } from "../services/generation/service-setup.ts";
import { postgresForTests } from "@atelier/store/testing/database-servers";
import { startRedisServer } from "@atelier/store/testing/redis-server-for-test";

const model = { id: "far-1", name: "Far", mediaType: "image", scenes: ["text-to-image"], price: { credits: 4 } };
/** Polls of a trial task follow each other at once. */
const clock = { nowMs: () => systemClock.nowMs(), sleep: () => Promise.resolve() };

/** Answers each request whose path begins with one of these, and no other. */
const serve =
	(documents: Readonly<Record<string, object>>): Handler =>
	({ url = "" }, response) => {
		const found = Object.entries({ "/api/v1/models": { models: [model] }, ...documents }).find(([path]) =>
			url.startsWith(path),
		);
		if (found) response.end(successBody(found[1]));
		else response.writeHead(404).end('{"code":40400,"message":"no such task"}');
	};

async function reportOf(...checks: readonly AsyncIterable<CheckResult>[]) {
	const results = (await Promise.all(checks.map((each) => Array.fromAsync(each)))).flat();
	const problemCount = results.filter(({ grade }) => grade === "fix").length;
	return { problemCount, output: results.flatMap(formatCheckResult).join("\n") };
}

/** The doctor's output for a service with these responses. */
async function reportOnMedia(
	answer: Handler,
	{
		submitsTrialTask = false,
		url,
		profile = PROFILES.specification,
		configuredModels = [],
	}: { submitsTrialTask?: boolean; url?: string; profile?: MediaProfile; configuredModels?: readonly Model[] } = {},
) {
	const baseUrl = url ?? (await openService(answer));
	return await reportOf(checkMedia({ baseUrl, apiKey: API_KEY, profile, clock, configuredModels, submitsTrialTask }));
}

type DiscordEnv = Record<"DISCORD_TOKEN" | "DISCORD_API_URL", string>;

function reportOnDiscord(env: DiscordEnv, options: Partial<Parameters<typeof checkDiscord>[0]> = {}) {
	return reportOf(checkDiscord({ token: env.DISCORD_TOKEN, apiUrl: env.DISCORD_API_URL, clock, ...options }));
}

function reportOnStore(storeUrl: string, queueUrl?: string) {
	return reportOf(checkStore(storeUrl), ...(queueUrl === undefined ? [] : [checkQueue(queueUrl)]));
}

test.each<[string, Handler, ...(readonly string[])]>([
	[
		"whose address redirects",
		(_, response) => response.writeHead(302, { location: "/" }).end(),
		"Set MEDIA_API_URL to where",
	],
	[
		"that uses another profile",
		(_, response) => response.end('{"code":200,"data":{}}'),
		"is MEDIA_API_PROFILE kie or piapi",
	],
	["that lists no models", (_, response) => response.writeHead(404).end("<html>"), "name that in MEDIA_CATALOG"],
	["whose key has no credits", serve({ "/api/v1/credits": { available: 0 } }), "The key has no credits"],
	[
		"whose quote differs from the catalog's price, which members pay",
		serve({ "/api/v1/credits/quote": { estimated_credits: 9 } }),
		"quoted: 9 credits (at data.estimated_credits)",
		"Members are charged 4 for it",
		"would cost 9 credits",
	],
])("the doctor reports a service %s", async (_what, answer, ...texts) => {
	const { problemCount, output } = await reportOnMedia(answer, { submitsTrialTask: true });
	expect(problemCount).toBeGreaterThan(0);
	for (const text of texts) expect(output).toContain(text);
});

test("the doctor warns of a service that responds to a wrong key as to a missing task", async () => {
	const same = "this is its response for a missing task, and also that for a wrong key";
	const answer = serve({});
	expect((await reportOnMedia(answer)).output).toMatch(new RegExp(`  warn  .*${same}\n.*doctor --try`));
	const { output } = await reportOnMedia((request, response, body) => {
		if (request.headers.authorization === `Bearer ${API_KEY}`) answer(request, response, body);
		else response.writeHead(401).end('{"code":40100,"message":"no such key"}');
	});
	expect(output).toMatch(/ {2}ok .*this is its response for a missing task$/m);
});

function reportOnLookup(status: number, body: string) {
	const documents = serve({});
	const answer: Handler = (request, response, sent) => {
		if (!request.url?.startsWith("/api/v1/tasks?")) return documents(request, response, sent);
		return response.writeHead(status).end(body);
	};
	return reportOnMedia(answer, { profile: PROFILES.studio });
}

test.each([{}, { data: null }, { data: { title: "x" } }])(
	"the doctor only warns of a service that accepts an unknown task with %j",
	async (fields) => {
		const documents = serve({});
		const { problemCount, output } = await reportOnMedia((request, response, body) => {
			if (!request.url?.startsWith("/api/v1/task/")) return documents(request, response, body);
			return response.end(JSON.stringify({ code: 0, ...fields }));
		});
		expect(output).toMatch(/ {2}warn .*HTTP 200.*; it does not reject an unknown task id$/m);
		expect(output).not.toContain("MEDIA_API_PROFILE");
		expect(problemCount).toBe(0);
	},
);

test("the doctor suggests no other profile after a failure in an envelope of its own profile", async () => {
	const documents = serve({ "/api/v1/generate": { title: "no task id" } });
	const { output } = await reportOnMedia(documents, { submitsTrialTask: true });
	expect(output).toMatch(/ {2}fix .*no task id in the response\n.*Is MEDIA_API_PROFILE right\?/);
	const { output: rejected } = await reportOnMedia((_, response) =>
		response.writeHead(400).end('{"error":"no such path","data":{}}'),
	);
	expect(rejected).not.toContain("MEDIA_API_PROFILE");
});

describe("the doctor on lookups by the idempotency key", () => {
	test.each([
		[404, "<html>"],
		[404, '{"code":40400,"message":"no such operation"}'],
		[403, '{"code":40300,"message":"not allowed"}'],
		[500, '{"code":50000,"message":"broken"}'],
	])("warns if the service responds with %i and %s", async (status, body) => {
		const { problemCount, output } = await reportOnLookup(status, body);
		expect(output).toMatch(/ {2}warn .*\n.*Tasks cannot be found by their key: check MEDIA_API_PROFILE\./);
		expect(output).not.toContain("This key may not do that");
		expect(problemCount).toBe(0);
	});

	test.each([successBody({}), successBody({ tasks: [{ taskId: "a" }, { taskId: "b" }] })])(
		"reports a problem if an unused key returns %s",
		async (body) => {
			const { problemCount, output } = await reportOnLookup(200, body);
			expect(output).toMatch(/ {2}fix .*an unused key does not return an empty list\n.*PROFILE to specification\./);
			expect(problemCount).toBe(1);
		},
	);
});

test("the doctor gives the reason of a trial task whose failure the service reports by a code", async () => {
	const { output } = await reportOnMedia(
		({ url = "" }, response) => {
			if (url.includes("createTask")) return response.end('{"code":200,"data":{"taskId":"t1"}}');
			if (url.includes("t1")) return response.end('{"code":501,"msg":"Generation failed"}');
			if (url.includes("credit")) return response.end('{"code":200,"data":9}');
			return response.writeHead(404).end("<html>");
		},
		{ submitsTrialTask: true, profile: PROFILES.kie, configuredModels: [modelSchema.parse(model)] },
	);
	expect(output).toMatch(/ {2}fix .*it failed\n +error: 501: Generation failed/);
});

test("the doctor shows the path of each field of a trial task without an envelope", async () => {
	const documents = serve({ "/api/v1/generate": { taskId: "t1" } });
	const { output } = await reportOnMedia(
		(request, response, body) => {
			if (!request.url?.startsWith("/api/v1/task/t1")) return documents(request, response, body);
			return response.end('{"status":"failed","error":"no memory"}');
		},
		{ submitsTrialTask: true },
	);
	expect(output).toMatch(/ {2}fix .*it failed\n.*state: failed \(failed\) \(at body\.status\)\n.*error: no memory/);
});

test("the doctor gives the reason why a service is not reached", async () => {
	const { output } = await reportOnMedia((_, response) => response.end(), { url: "http://127.0.0.1:1" });
	expect(output).toContain("not reached (connect ECONNREFUSED 127.0.0.1:1)");
});

test("texts of a service are printed without control characters", async () => {
	const message = "\u001B[2J\u202Egone";
	const { output } = await reportOnMedia((_, response) =>
		response.writeHead(400).end(JSON.stringify({ code: 40000, message })),
	);
	expect(output).toContain("gone");
	expect(output).not.toContain("\u001B");
	expect(output).not.toContain("\u202E");
});

const application = { id: "1000000000000000003", name: "Atelier", flags: ApplicationFlags.GatewayMessageContent };

/** A guild of the bot, with the permissions of its role there. */
const guild = (id: string, name: string, permissions: bigint) => ({ id, name, permissions: String(permissions) });

describe("the doctor on Discord", () => {
	test("reports a clock difference to this machine with size and direction, and a wrong token", async () => {
		const { env } = await openDiscord();
		const later = { ...clock, nowMs: () => systemClock.nowMs() + 60_000 };
		const { problemCount, output } = await reportOnDiscord(env, { clock: later });
		expect(problemCount).toBe(1);
		expect(output).toMatch(/clock is (59|60) seconds ahead of Discord's/);
		const { output: withoutProblem } = await reportOnDiscord(env);
		expect(withoutProblem).toContain("this machine's clock agrees with Discord's");
		expect(withoutProblem).toContain("the next start adds image, ");
		expect(withoutProblem).toContain("gateway: shards recommended: 1; session starts left: 1000 of 1000");
		const wrongToken = await reportOnDiscord({ ...env, DISCORD_TOKEN: `${API_KEY}-and-more-of-it` });
		expect(wrongToken).toMatchObject({
			problemCount: 1,
			output: expect.stringContaining("Discord rejects DISCORD_TOKEN"),
		});
	});

	test("warns if anyone may add the bot and those who add it grant themselves credits", async () => {
		const playground = await openDiscord();
		const advice = "Set CREDITS_GRANTED_BY=operator";
		expect((await reportOnDiscord(playground.env)).output).not.toContain(advice);
		playground.answer(/GET .*\/applications\/@me$/, 200, { ...application, bot_public: true });
		const { output } = await reportOnDiscord(playground.env);
		expect(output).toContain("  warn  anyone can add the bot");
		expect(output).toContain(advice);
		expect((await reportOnDiscord(playground.env, { grantedBy: "operator" })).output).not.toContain(advice);
	});

	test.each<[string, RegExp, object, readonly (string | RegExp)[]]>([
		[
			"sends interactions to an HTTP endpoint",
			/GET .*\/applications\/@me$/,
			{ ...application, interactions_endpoint_url: "https://a.test" },
			[
				"  fix  ",
				"Empty that field in the developer portal",
				"privileged intents are enabled, but the bot does not use",
			],
		],
		[
			"accepts no more starts today",
			/GET .*\/gateway\/bot$/,
			{ shards: 1, session_start_limit: { total: 1000, remaining: 0, reset_after: 7_200_000 } },
			["  fix  ", "More in about 2 hours"],
		],
		[
			"recommends more shards",
			/GET .*\/gateway\/bot$/,
			{ shards: 4, session_start_limit: { total: 1000, remaining: 900, reset_after: 0 } },
			["SHARD_COUNT is 2, and Discord recommends 4"],
		],
		["has commands of another version", /GET .*\/commands/, [{ name: "gone" }], ["the next start removes gone"]],
		[
			"has servers without a permission of the bot's invite link",
			/GET .*\/users\/@me\/guilds/,
			[
				guild("1", "Complete", BOT_PERMISSIONS.bitfield),
				guild("2", "Incomplete", BOT_PERMISSIONS.bitfield & ~PermissionFlagsBits.AttachFiles),
				guild("3", "Administrator", PermissionFlagsBits.Administrator),
			],
			["servers checked: 3; permissions are missing in 1", "Incomplete (2): AttachFiles", /^(?!.*Complete \(1\))/s],
		],
	])("reports that Discord %s", async (_what, request, answer, expectedTexts) => {
		const playground = await openDiscord();
		playground.answer(request, 200, answer);
		const { output } = await reportOnDiscord(playground.env, { shardCount: 2 });
		for (const text of expectedTexts) expect(output).toMatch(text);
	});
});

test.each([
	["agrees within the latency of the request", 1_400, 1_000, 3_000, "ok"],
	["is a little ahead", 1_000, 6_000, 6_100, "warn"],
	["is far behind", 60_000, 1_000, 1_100, "fix"],
])("a clock that %s", (_what, remoteTimeMs, askedAtMs, answeredAtMs, grade) => {
	expect(clockResult({ remoteTimeMs, askedAtMs, answeredAtMs }).grade).toBe(grade);
});

describe("the doctor on a data folder and its store", () => {
	test.each([
		[0, /^ {2}fix {3}the disk of .* is full: 0 MiB are free\n.*Free some disk space/],
		[100, /^ {2}warn .* 100 MiB are free/],
		[1_000, /^ {2}ok .* 1,000 MiB are free$/],
	])("with %i MiB free reports: %s", async (freeMiB, expected) => {
		const disk = () => Promise.resolve({ type: 0, bavail: freeMiB * 256, bsize: 4096 });
		expect((await reportOf(checkFolder(await createTempFolder(), disk))).output).toMatch(expected);
	});

	test.skipIf(process.platform === "win32")("warns if other users may read the database", async () => {
		const path = join(await createTempFolder(), "a.db");
		await (await openStore(`sqlite:${path}`)).close();
		await chmod(path, 0o644);
		expect((await reportOf(checkStore(`sqlite:${path}`))).output).toContain("can be read by other users");
		await chmod(path, 0o600);
		expect((await reportOf(checkStore(`sqlite:${path}`))).output).not.toContain("other users");
	});

	test("reports SQLite's settings, and the number of restores", async () => {
		const storeUrl = `sqlite:${await createTempFolder()}/a.db`;
		const store = await openStore(storeUrl);
		const { problemCount, output } = await reportOnStore(storeUrl);
		expect(problemCount).toBe(0);
		expect(output).toContain("SQLite, journal_mode wal");
		expect(output).toContain("number of restores (epoch): 0; state: open");
		await store.set("installation:epoch", { epoch: 3, state: "paused" });
		const paused = await reportOnStore(storeUrl);
		expect(paused.problemCount).toBe(1);
		expect(paused.output).toContain("number of restores (epoch): 3; state: paused");
		await store.close();
	});
});

const postgres = await postgresForTests();

describe.skipIf(postgres === undefined)("the doctor on Postgres", () => {
	test("reports a durable store, and the setting that makes it lose writes", async () => {
		expect((await reportOnStore(String(postgres))).problemCount).toBe(0);
		const lossy = await reportOnStore(`${String(postgres)}?options=-c%20synchronous_commit%3Doff`);
		expect(lossy.problemCount).toBeGreaterThan(0);
		expect(lossy.output).toContain("credits can be lost: Postgres of STORE_URL has synchronous_commit off");
	});
});

describe("the doctor on a store and a queue", () => {
	test.runIf(startRedisServer.isPossible)("in a Redis that may lose data names the setting", async () => {
		const lossy = await startRedisServer(["--appendonly", "no"]);
		const forgetful = await startRedisServer(["--appendonly", "yes", "--appendfsync", "no"]);
		const evicting = await startRedisServer(["--appendonly", "yes", "--maxmemory-policy", "allkeys-lru"]);
		const [one, two, three] = await Promise.all([
			reportOnStore(lossy.url),
			reportOnStore(forgetful.url),
			reportOnStore(evicting.url, evicting.url),
		]);
		expect([one.problemCount, two.problemCount, three.problemCount]).toStrictEqual([1, 1, 2]);
		expect(one.output).toContain("credits can be lost: Redis of STORE_URL has appendonly no");
		expect(two.output).toContain("credits can be lost: Redis of STORE_URL has appendfsync no");
		expect(three.output.match(/maxmemory-policy allkeys-lru/g)).toHaveLength(2);
	});

	test.runIf(startRedisServer.isPossible)("in a durable Redis reports no problem", async () => {
		const { url } = await startRedisServer(["--appendonly", "yes", "--appendfsync", "always"]);
		const { problemCount, output } = await reportOnStore(url, url);
		expect(output).toContain("was written and removed");
		expect(output).toContain("meets the queue's requirements");
		expect(problemCount).toBe(0);
	});

	test("that are unreachable names their addresses without passwords", async () => {
		const url = "redis://user:planted-password@127.0.0.1:9/1";
		const { problemCount, output } = await reportOnStore(url, url);
		expect(problemCount).toBe(2);
		expect(output.match(/cannot reach Redis at 127\.0\.0\.1:9/g)).toHaveLength(2);
		expect(output).not.toContain("planted-password");
		expect(output.match(/Choose a store/g)).toHaveLength(1);
		expect(output.match(/says what QUEUE_URL needs/g)).toHaveLength(1);
	});
});
