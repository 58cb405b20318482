import { chmod, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { ApplicationFlags, PermissionFlagsBits } from "discord.js";
import { describe, expect, test } from "vitest";
import { bindStore } from "../../src/app/store-owner.ts";
import { BOT_PERMISSIONS } from "../../src/discord/invite-link.ts";
import { formatCheckResult } from "../../src/cli/doctor-command.ts";
import { loadConfig } from "../../src/config/load-config.ts";
import type { CheckResult } from "../../src/doctor/check-result.ts";
import { checkDiscord, clockResult } from "../../src/doctor/check-discord.ts";
import { checkMedia } from "../../src/doctor/check-media.ts";
import { checkFolder, checkQueue, checkStore } from "../../src/doctor/check-store.ts";
import { systemClock } from "@atelier/common/clock";
import { modelSchema } from "@atelier/media-protocol/model";
import { PROFILES } from "@atelier/media-protocol/profiles";
import { openStore } from "@atelier/store/open-store";
import { createTempFolder } from "@atelier/common/testing/temp-folder";
import { openDiscord } from "../e2e/open-discord.ts";
import { API_KEY, successBody, openService, type Handler } from "../services/generation/service-setup.ts";
import { postgresForTests } from "@atelier/store/testing/database-servers";
import { startRedisServer } from "@atelier/store/testing/redis-server-for-test";

const model = { id: "far-1", name: "Far", mediaType: "image", scenes: ["text-to-image"], price: { credits: 4 } };
/** Polls of a trial task follow each other at once. */
const clock = { nowMs: () => systemClock.nowMs(), sleep: () => Promise.resolve() };

async function reportOf(...checks: readonly AsyncIterable<CheckResult>[]) {
	const results = (await Promise.all(checks.map((each) => Array.fromAsync(each)))).flat();
	const problemCount = results.filter(({ grade }) => grade === "fix").length;
	return { problemCount, output: results.flatMap(formatCheckResult).join("\n") };
}

const without = (text: string): RegExp => new RegExp(`^(?!.*${text})`, "s");

type MediaOptions = Partial<Parameters<typeof checkMedia>[0]>;

/** The doctor's output for a service with these responses. */
async function reportOnMedia(answer: Handler, options: MediaOptions = {}): Promise<string> {
	const defaults = { profile: PROFILES.specification, configuredModels: [], submitsTrialTask: false };
	const access = { baseUrl: options.baseUrl ?? (await openService(answer)), apiKey: API_KEY, clock };
	return (await reportOf(checkMedia({ ...defaults, ...access, ...options }))).output;
}

/** A response with a status and a text; an object is the document of a success. */
type Reply = object | readonly [status: number, text: string];

/** Answers a request whose path contains one of these, else that for the models, and no other. */
const serve =
	(replies: Readonly<Record<string, Reply>>): Handler =>
	({ url = "" }, response) => {
		const all: Readonly<Record<string, Reply>> = { ...replies, "/api/v1/models": { models: [model] } };
		const [, reply = [404, '{"code":40400,"message":"no such task"}']] =
			Object.entries(all).find(([path]) => url.includes(path)) ?? [];
		const [status, text] = Array.isArray(reply) ? (reply as [number, string]) : [200, successBody(reply)];
		response.writeHead(status).end(text);
	};
const serveAlways =
	(status: number, text: string): Handler =>
	(_, response) =>
		response.writeHead(status).end(text);

const TRIAL = { submitsTrialTask: true };
const STUDIO = { profile: PROFILES.studio };
const KIE = { ...TRIAL, profile: PROFILES.kie, configuredModels: [modelSchema.parse(model)] };
const LOOKUP = "/api/v1/tasks?";
const NOT_FOUND_BY_KEY = / {2}warn .*\n.*Tasks cannot be found by their key: check MEDIA_API_PROFILE\./;
const NO_EMPTY_LIST = / {2}fix .*an unused key does not return an empty list\n.*PROFILE to specification\./;
const NO_REJECTION = / {2}warn .*HTTP 200.*; it does not reject an unknown task id$/m;
const NO_PROBLEM = without(" {2}fix ");

test.each<[string, Handler, MediaOptions, ...(readonly RegExp[])]>([
	["redirects", (_, to) => to.writeHead(302, { location: "/" }).end(), TRIAL, /Set MEDIA_API_URL to where/],
	["uses another profile", serveAlways(200, '{"code":200,"data":{}}'), TRIAL, /is MEDIA_API_PROFILE kie or piapi/],
	["lists no models", serveAlways(404, "<html>"), TRIAL, / {2}fix .*\n.*name that in MEDIA_CATALOG/],
	["grants no credits", serve({ "/credits": { available: 0 } }), TRIAL, / {2}fix .*\n.*The key has no credits/],
	[
		"quotes another price than the catalog's, which members pay",
		serve({ "/credits/quote": { estimated_credits: 9 } }),
		TRIAL,
		/quoted: 9 credits \(at data\.estimated_credits\)/,
		/Members are charged 4 for it/,
		/costs 9 credits/,
	],
	["does not reject an unknown task", serve({ "/task/": [200, '{"code":0}'] }), {}, NO_REJECTION, NO_PROBLEM],
	[
		"accepts a task without an id",
		serve({ "/generate": { title: "no task id" } }),
		TRIAL,
		/ {2}fix .*no task id in the response\n.*Is MEDIA_API_PROFILE right\?/,
	],
	[
		"fails in an envelope of its own profile",
		serveAlways(400, '{"error":"no such path","data":{}}'),
		{},
		without("MEDIA_API_PROFILE"),
	],
	["has no lookup", serve({ [LOOKUP]: [404, "<html>"] }), STUDIO, NOT_FOUND_BY_KEY, NO_PROBLEM],
	[
		"forbids lookups",
		serve({ [LOOKUP]: [403, '{"code":40300,"message":"not allowed"}'] }),
		STUDIO,
		NOT_FOUND_BY_KEY,
		NO_PROBLEM,
		without("This key may not do that"),
	],
	["finds a task by an unused key", serve({ [LOOKUP]: {} }), STUDIO, NO_EMPTY_LIST],
	[
		"finds tasks by an unused key",
		serve({ [LOOKUP]: { tasks: [{ taskId: "a" }, { taskId: "b" }] } }),
		STUDIO,
		NO_EMPTY_LIST,
	],
	[
		"reports the failure of a trial task by a code",
		serve({
			createTask: [200, '{"code":200,"data":{"taskId":"t1"}}'],
			t1: [200, '{"code":501,"msg":"Generation failed"}'],
			credit: [200, '{"code":200,"data":9}'],
		}),
		KIE,
		/ {2}fix .*it failed\n +error: 501: Generation failed/,
	],
	[
		"reports a trial task without an envelope",
		serve({ "/generate": { taskId: "t1" }, "/task/t1": [200, '{"status":"failed","error":"no memory"}'] }),
		TRIAL,
		/ {2}fix .*it failed\n.*state: failed \(failed\) \(at body\.status\)\n.*error: no memory/,
	],
	[
		"is not reached",
		serve({}),
		{ baseUrl: "http://127.0.0.1:1" },
		/not reached \(connect ECONNREFUSED 127\.0\.0\.1:1\)/,
	],
	[
		"sends control characters",
		serveAlways(400, JSON.stringify({ code: 40000, message: "\u001B[2J\u202Egone" })),
		{},
		/gone/,
		without("[\u001B\u202E]"),
	],
])("the doctor reports a service that %s", async (_what, answer, options, ...patterns) => {
	const output = await reportOnMedia(answer, options);
	for (const pattern of patterns) expect(output).toMatch(pattern);
});

test("the doctor warns of a service that responds to a wrong key as to a missing task", async () => {
	const same = "this is its response for a missing task";
	const answer = serve({});
	const warning = new RegExp(`  warn  .*${same}, and also that for a wrong key\n.*doctor --try`);
	expect(await reportOnMedia(answer)).toMatch(warning);
	const output = await reportOnMedia((request, response, body) => {
		if (request.headers.authorization === `Bearer ${API_KEY}`) answer(request, response, body);
		else response.writeHead(401).end('{"code":40100,"message":"no such key"}');
	});
	expect(output).toMatch(new RegExp(` {2}ok .*${same}$`, "m"));
});

const application = { id: "1000000000000000003", name: "Atelier", flags: ApplicationFlags.GatewayMessageContent };
/** A guild of the bot, with the permissions of its role there. */
const guild = (id: string, name: string, permissions: bigint) => ({ id, name, permissions: String(permissions) });
const gateway = (shards: number, remaining: number) => ({
	shards,
	session_start_limit: { total: 1000, remaining, reset_after: 7_200_000 },
});

type DiscordEnv = Record<"DISCORD_TOKEN" | "DISCORD_API_URL", string>;

function reportOnDiscord(env: DiscordEnv, options: Partial<Parameters<typeof checkDiscord>[0]> = {}) {
	return reportOf(checkDiscord({ token: env.DISCORD_TOKEN, apiUrl: env.DISCORD_API_URL, clock, ...options }));
}

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
		expect(wrongToken.problemCount).toBe(1);
		expect(wrongToken.output).toContain("Discord rejects DISCORD_TOKEN");
	});

	test("warns if anyone may add the bot and those who add it grant themselves credits", async () => {
		const playground = await openDiscord();
		const advice = "Set CREDITS_GRANTED_BY=operator";
		expect((await reportOnDiscord(playground.env)).output).not.toContain(advice);
		playground.answer(/GET .*\/applications\/@me$/, 200, { ...application, bot_public: true });
		expect((await reportOnDiscord(playground.env)).output).toMatch(new RegExp(`  warn .*\n.*${advice}`));
		expect((await reportOnDiscord(playground.env, { grantedBy: "operator" })).output).not.toContain(advice);
	});

	test.each<[string, RegExp, object, readonly RegExp[]]>([
		[
			"sends interactions to an HTTP endpoint",
			/GET .*\/applications\/@me$/,
			{ ...application, interactions_endpoint_url: "https://a.test" },
			[
				/ {2}fix .*\n.*Empty that field in the developer portal/,
				/privileged intents are enabled, but the bot does not use/,
			],
		],
		["accepts no more starts today", /GET .*\/gateway\/bot$/, gateway(1, 0), [/ {2}fix .*\n.*More in about 2 hours/]],
		[
			"recommends more shards",
			/GET .*\/gateway\/bot$/,
			gateway(4, 900),
			[/SHARD_COUNT is 2, and Discord recommends 4/],
		],
		["has commands of another version", /GET .*\/commands/, [{ name: "gone" }], [/the next start removes gone/]],
		[
			"has servers without a permission of the bot's invite link",
			/GET .*\/users\/@me\/guilds/,
			[
				guild("1", "Complete", BOT_PERMISSIONS.bitfield),
				guild("2", "Incomplete", BOT_PERMISSIONS.bitfield & ~PermissionFlagsBits.AttachFiles),
				guild("3", "Administrator", PermissionFlagsBits.Administrator),
			],
			[/servers checked: 3; permissions are missing in 1\n.*Incomplete \(2\): AttachFiles/, without("Complete \\(1")],
		],
	])("reports that Discord %s", async (_what, request, answer, patterns) => {
		const playground = await openDiscord();
		playground.answer(request, 200, answer);
		const { output } = await reportOnDiscord(playground.env, { shardCount: 2 });
		for (const pattern of patterns) expect(output).toMatch(pattern);
	});
});

test.each([
	["agrees within the latency of the request", 1_400, 1_000, 3_000, "ok"],
	["is a little ahead", 1_000, 6_000, 6_100, "warn"],
	["is far behind", 60_000, 1_000, 1_100, "fix"],
])("a clock that %s", (_what, remoteTimeMs, askedAtMs, answeredAtMs, grade) => {
	expect(clockResult({ remoteTimeMs, askedAtMs, answeredAtMs }).grade).toBe(grade);
});

function reportOnStore(storeUrl: string, queueUrl?: string) {
	return reportOf(
		checkStore(loadConfig({ STORE_URL: storeUrl })),
		...(queueUrl === undefined ? [] : [checkQueue(queueUrl)]),
	);
}

/** The type of NFS. */
const NETWORK_SHARE = 0x6969;

describe("the doctor on a data folder and its store", () => {
	test.each<[string, number, number, object, RegExp]>([
		["a full disk", 0, 0, {}, /^ {2}fix {3}the disk of .* is full: 0 MiB are free\n.*Free some disk space/],
		["little space", 0, 100, {}, /^ {2}warn .* 100 MiB are free/],
		["enough space", 0, 1_000, {}, /^ {2}ok .* 1,000 MiB are free$/],
		["a network share", NETWORK_SHARE, 1_000, {}, NO_PROBLEM],
		["a database on a network share", NETWORK_SHARE, 1_000, { isForDatabase: true }, / {2}fix .*on a network share/],
	])("reports %s", async (_what, type, freeMiB, options, expected) => {
		const readFileSystem = () => Promise.resolve({ type, bavail: freeMiB * 256, bsize: 4096 });
		const checked = checkFolder(await createTempFolder(), { readFileSystem, ...options });
		expect((await reportOf(checked)).output).toMatch(expected);
	});

	test.skipIf(process.platform === "win32")("warns if other users may read the database", async () => {
		const path = join(await createTempFolder(), "a.db");
		await (await openStore(`sqlite:${path}`)).close();
		await chmod(path, 0o644);
		expect((await reportOnStore(`sqlite:${path}`)).output).toContain("can be read by other users");
		await chmod(path, 0o600);
		expect((await reportOnStore(`sqlite:${path}`)).output).not.toContain("other users");
	});

	test("reports SQLite's settings, and the number of restores", async () => {
		const storeUrl = `sqlite:${await createTempFolder()}/a.db`;
		const store = await openStore(storeUrl);
		const { problemCount, output } = await reportOnStore(storeUrl);
		expect(problemCount).toBe(0);
		expect(output).toContain("SQLite, journal_mode wal");
		expect(output).toContain("number of restores (epoch): 0; state: open");
		await store.set("installation:epoch", { epoch: 3, state: "paused", missing: { fromMs: 0, untilMs: 60_000 } });
		const paused = await reportOnStore(storeUrl);
		expect(paused.problemCount).toBe(1);
		expect(paused.output).toMatch(
			/number of restores \(epoch\): 3; state: paused\n +events from 1970-01-01T00:00:00\.000Z to 1970-01-01T00:01:00\.000Z are/,
		);
		await store.close();
	});

	test("reports a store of the playground to a bot with a token, as the start does", async () => {
		const STORE_URL = `sqlite:${await createTempFolder()}/a.db`;
		const store = await openStore(STORE_URL);
		await bindStore(store, {});
		await store.close();
		expect((await reportOnStore(STORE_URL)).problemCount).toBe(0);
		const config = loadConfig({ STORE_URL, DISCORD_TOKEN: "MTAwMDAwMDAwMDAwMDAwMDAwMw.a.b" });
		const { problemCount, output } = await reportOf(checkStore(config));
		expect(problemCount).toBe(1);
		expect(output).toMatch(/ {2}fix .*the trial data of the playground/);
	});

	test("explains an error of SQLite, without advice on servers", async () => {
		const path = join(await createTempFolder(), "a.db");
		await writeFile(path, "no database".repeat(100), { mode: 0o600 });
		const { problemCount, output } = await reportOnStore(`sqlite:${path}`);
		expect(problemCount).toBe(1);
		expect(output).toMatch(/ {2}fix {3}the file is not a database, or is damaged\..*$/);
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
	test.runIf(startRedisServer.isPossible).each<[string, readonly string[], number, RegExp]>([
		["appendonly no", ["--appendonly", "no"], 1, /credits can be lost: Redis of STORE_URL has appendonly no/],
		[
			"appendfsync no",
			["--appendonly", "yes", "--appendfsync", "no"],
			1,
			/credits can be lost: Redis of STORE_URL has appendfsync no/,
		],
		[
			"an eviction policy",
			["--appendonly", "yes", "--maxmemory-policy", "allkeys-lru"],
			2,
			/maxmemory-policy allkeys-lru.*maxmemory-policy allkeys-lru/s,
		],
		[
			"durable settings",
			["--appendonly", "yes", "--appendfsync", "always"],
			0,
			/was written and removed.*meets the queue's requirements/s,
		],
	])("reports a Redis with %s", async (_what, args, expectedCount, pattern) => {
		const { url } = await startRedisServer(args);
		const { problemCount, output } = await reportOnStore(url, url);
		expect(problemCount).toBe(expectedCount);
		expect(output).toMatch(pattern);
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
