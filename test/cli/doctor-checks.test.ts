import { chmod, statfs } from "node:fs/promises";
import { join } from "node:path";
import { ApplicationFlags, PermissionFlagsBits } from "discord.js";
import { pino } from "pino";
import { describe, expect, test } from "vitest";
import { BOT_PERMISSIONS } from "../../src/discord/invite-link.ts";
import { clockResult, checkClock, formatCheckResult, type CheckResult } from "../../src/cli/doctor-check.ts";
import { checkDiscord } from "../../src/cli/doctor-discord.ts";
import { checkMedia } from "../../src/cli/doctor-media.ts";
import { checkFolder, checkQueue, checkStore } from "../../src/cli/doctor-store.ts";
import { systemClock } from "@atelier/common/clock";
import { createMediaHttpClient } from "../../src/services/generation/media-http-client.ts";
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

const finishWithoutFile: Handler = ({ method, url }, response) => {
	if (url === "/api/v1/models") response.end(successBody({ models: [model] }));
	else if (method === "POST" && url === "/api/v1/generate") response.end(successBody({ taskId: "t1" }));
	else if (url?.startsWith("/api/v1/task/t1")) response.end(successBody({ status: "success", outputs: [] }));
	else response.writeHead(404).end('{"code":40400,"message":"no such thing"}');
};

const quoteHigherPrice: Handler = ({ url }, response) => {
	if (url === "/api/v1/models") response.end(successBody({ models: [model] }));
	else if (url === "/api/v1/credits/quote") response.end(successBody({ estimated_credits: 9 }));
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
		profile = PROFILES.specification,
	}: { submitsTrialTask?: boolean; profile?: MediaProfile } = {},
) {
	const logger = pino({ level: "silent" });
	const baseUrl = await openService(answer);
	const httpClientWith = (key: string | undefined) =>
		createMediaHttpClient({ baseUrl, apiKey: key, profile, clock, logger });
	const httpClient = httpClientWith(API_KEY);
	return await reportOf(
		checkMedia({ httpClient, httpClientWith, profile, clock, configuredModels: [], submitsTrialTask }),
	);
}

function reportOnDiscord({
	DISCORD_TOKEN: token,
	DISCORD_API_URL: apiUrl,
}: Record<"DISCORD_TOKEN" | "DISCORD_API_URL", string>) {
	return reportOf(checkDiscord({ token, apiUrl, clock }));
}

/** A disk with this much free space. */
const diskWithFree = (freeMiB: number) => () => Promise.resolve({ type: 0, bavail: freeMiB * 256, bsize: 4096 });

function reportOnStore(storeUrl: string, queueUrl?: string) {
	return reportOf(checkStore(storeUrl, clock), ...(queueUrl === undefined ? [] : [checkQueue(queueUrl)]));
}

describe("the doctor reports a service", () => {
	test.each<[string, Handler, string]>([
		[
			"whose address redirects",
			(_, response) => response.writeHead(302, { location: "/" }).end(),
			"Set MEDIA_API_URL to where the redirect leads.",
		],
		["that fails", (_, response) => response.writeHead(502).end("<html>"), "Look at the service: it fails."],
		[
			"that uses another profile",
			(_, response) => response.end('{"code":200,"data":{}}'),
			"is MEDIA_API_PROFILE kie or piapi or acestep?",
		],
		["that lists no models", (_, response) => response.writeHead(404).end("<html>"), "name that in MEDIA_CATALOG"],
		[
			"whose key has no credits",
			({ url }, response) =>
				response.end(successBody(url === "/api/v1/credits" ? { available: 0 } : { models: [model] })),
			"The key has no credits",
		],
	])("%s, with advice", async (_what, answer, advice) => {
		const { problemCount, output } = await reportOnMedia(answer);
		expect(problemCount).toBeGreaterThan(0);
		expect(output).toContain(advice);
	});

	test("that accepts a task and never returns a file", async () => {
		const { problemCount, output } = await reportOnMedia(finishWithoutFile, { submitsTrialTask: true });
		expect(problemCount).toBe(1);
		expect(output).toContain("done without a file");
	});
});

/** A service that responds to every request with HTTP 200, code -1 and a text. Without `acceptedKey` it checks no key. */
function serviceOf({
	acceptedKey,
	noTask,
	noAuth,
}: {
	acceptedKey: string | undefined;
	noTask: string;
	noAuth: string;
}) {
	const requestLines: string[] = [];
	const answer: Handler = ({ method, url = "", headers }, response) => {
		requestLines.push(`${method} ${url}`);
		const isAccepted = acceptedKey === undefined || headers.authorization === `Bearer ${acceptedKey}`;
		response.end(JSON.stringify({ code: -1, message: isAccepted ? noTask : noAuth }));
	};
	return { answer, requestLines };
}

describe("an API key that the service does not know", () => {
	const profile = PROFILES.shipany;

	test.each([
		[
			"by the words of the error",
			{ acceptedKey: "another", noTask: "task not found", noAuth: "no auth, please sign in" },
		],
		["by the answer to a wrong key", { acceptedKey: "another", noTask: "task not found", noAuth: "request failed" }],
	])("is detected %s", async (_what, words) => {
		const { answer, requestLines } = serviceOf(words);
		const { output } = await reportOnMedia(answer, { profile });
		expect(output).toMatch(
			/ {2}fix .*(no auth|MEDIA_API_KEY gets the same response as a wrong key and as no key).*\n.*Check MEDIA_API_KEY\./,
		);
		expect(output).not.toContain(API_KEY);
		expect(requestLines.length).toBeLessThanOrEqual(4);
		expect(requestLines.filter((each) => each.includes("generate"))).toStrictEqual([]);
	});

	test("is distinguished from a known one", async () => {
		const { answer } = serviceOf({ acceptedKey: API_KEY, noTask: "task not found", noAuth: "request failed" });
		const { output } = await reportOnMedia(answer, { profile });
		expect(output).toContain(
			"ok    MEDIA_API_KEY is accepted: POST /api/ai/query rejects a wrong key with HTTP 200, code -1",
		);
	});

	test("cannot be detected if the service looks for the task first, and the result reports that", async () => {
		const { answer } = serviceOf({ acceptedKey: undefined, noTask: "task not found", noAuth: "" });
		const { output } = await reportOnMedia(answer, { profile });
		expect(output).toMatch(/ {2}warn .*MEDIA_API_KEY gets the same response as a wrong key and as no key/);
	});
});

test("a quote that differs from the catalog's price is reported, because members pay the latter", async () => {
	const { output } = await reportOnMedia(quoteHigherPrice);
	expect(output).toContain("quoted: 9 credits (at data.estimated_credits)");
	expect(output).toContain("Members are charged 4 for it");
	expect(output).toContain("would cost 9 credits");
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

/** A guild of the bot, with the permissions of its role there. */
const guild = (id: string, name: string, permissions: bigint) => ({ id, name, permissions: String(permissions) });

describe("the doctor on Discord", () => {
	test("reports unused intents, the commands that the next start registers, and the remaining gateway starts", async () => {
		const { env } = await openDiscord();
		const { problemCount, output } = await reportOnDiscord(env);
		expect(output).toContain("privileged intents are enabled, but the bot does not use them");
		expect(output).toContain("the next start registers /image");
		expect(output).toContain("gateway: shards recommended: 1; session starts left: 1000 of 1000");
		expect(problemCount).toBe(0);
	});

	test("reports a clock difference to this machine, with size and direction", async () => {
		const { env } = await openDiscord();
		const later = { ...clock, nowMs: () => systemClock.nowMs() + 60_000 };
		const { DISCORD_TOKEN: token, DISCORD_API_URL: apiUrl } = env;
		const { problemCount, output } = await reportOf(checkDiscord({ token, apiUrl, clock: later }));
		expect(problemCount).toBe(1);
		expect(output).toMatch(/clock is (59|60) seconds ahead of Discord's/);
		expect((await reportOnDiscord(env)).output).toContain("this machine's clock agrees with Discord's");
	});

	test("warns if anyone may add the bot and those who add it grant themselves credits", async () => {
		const playground = await openDiscord();
		const { DISCORD_TOKEN: token, DISCORD_API_URL: apiUrl } = playground.env;
		const advice = "Set CREDITS_GRANTED_BY=operator";
		expect((await reportOnDiscord(playground.env)).output).not.toContain(advice);
		playground.answer(/GET .*\/applications\/@me$/, 200, {
			id: "1000000000000000003",
			name: "Atelier",
			bot_public: true,
		});
		const { output } = await reportOnDiscord(playground.env);
		expect(output).toContain("  warn  anyone can add the bot");
		expect(output).toContain(advice);
		const { output: outputForOperator } = await reportOf(checkDiscord({ token, apiUrl, grantedBy: "operator", clock }));
		expect(outputForOperator).not.toContain(advice);
	});

	test("reports a wrong token", async () => {
		const { env } = await openDiscord();
		const { problemCount, output } = await reportOnDiscord({ ...env, DISCORD_TOKEN: `${API_KEY}-and-more-of-it` });
		expect(problemCount).toBe(1);
		expect(output).toContain("Discord rejects DISCORD_TOKEN");
	});

	test.each<[string, RegExp, object, readonly (string | RegExp)[]]>([
		[
			"sends interactions to an HTTP endpoint",
			/GET .*\/applications\/@me$/,
			{
				id: "1000000000000000003",
				name: "Atelier",
				flags: ApplicationFlags.GatewayMessageContent,
				interactions_endpoint_url: "https://a.test",
			},
			["  fix  ", "Empty that field in the developer portal"],
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
		[
			"has commands of another version",
			/GET .*\/commands/,
			[
				{ name: "image", description: "Something else" },
				{ name: "gone", description: "Of another version" },
			],
			[
				"registered with another definition than in this version: /image",
				"not of this version, and removed by the next start: /gone",
			],
		],
	])("reports that Discord %s", async (_what, request, answer, expectedTexts) => {
		const playground = await openDiscord();
		playground.answer(request, 200, answer);
		const { DISCORD_TOKEN: token, DISCORD_API_URL: apiUrl } = playground.env;
		const { output } = await reportOf(checkDiscord({ token, apiUrl, shardCount: 2, clock }));
		for (const text of expectedTexts) expect(output).toMatch(text);
	});
});

describe("a clock", () => {
	test.each([
		["that agrees within the latency of the request", 1_400, 1_000, 3_000, "ok"],
		["that is a little ahead", 1_000, 6_000, 6_100, "warn"],
		["that is far behind", 60_000, 1_000, 1_100, "fix"],
	])("%s", (_what, remoteTimeMs, askedAtMs, answeredAtMs, grade) => {
		expect(clockResult({ clockOwner: "Discord's", remoteTimeMs, askedAtMs, answeredAtMs }).grade).toBe(grade);
	});

	test("of a service is measured by any response, and unknown without one", async () => {
		const url = await openService((_, response) => response.writeHead(500).end());
		const one = await reportOf(checkClock("the media service's", url, clock));
		expect(one.output).toContain("agrees with the media service's");
		const none = await reportOf(checkClock("the media service's", "http://127.0.0.1:9", clock));
		expect(none.output).toBe("");
	});
});

describe("the doctor on a data folder and its store", () => {
	test("warns if it has less space than finished files may take", async () => {
		const folder = await createTempFolder();
		const { bavail, bsize } = await statfs(folder);
		const freeMiB = Math.floor((bavail * bsize) / 1024 / 1024);
		const { output } = await reportOf(checkFolder(folder, freeMiB + 1));
		expect(output).toContain("Lower RESULTS_MAX_MB, or free some disk space");
		expect((await reportOf(checkFolder(folder, 0))).output).not.toContain("RESULTS_MAX_MB");
	});

	test("reports a full disk as an error, and a nearly full one as a warning", async () => {
		const folder = await createTempFolder();
		const full = await reportOf(checkFolder(folder, 0, diskWithFree(0)));
		expect(full.problemCount).toBe(1);
		expect(full.output).toContain(`the disk of ${folder} is full: 0 MiB are free`);
		expect(full.output).toContain("Free some disk space");
		const nearlyFull = await reportOf(checkFolder(folder, 0, diskWithFree(100)));
		expect(nearlyFull).toStrictEqual({
			problemCount: 0,
			output: expect.stringMatching(/^ {2}warn .* 100 MiB are free/),
		});
	});

	test.skipIf(process.platform === "win32")("warns if other users may read the database", async () => {
		const path = join(await createTempFolder(), "a.db");
		await (await openStore(`sqlite:${path}`)).close();
		await chmod(path, 0o644);
		expect((await reportOf(checkStore(`sqlite:${path}`, clock))).output).toContain("can be read by other users");
		await chmod(path, 0o600);
		expect((await reportOf(checkStore(`sqlite:${path}`, clock))).output).not.toContain("other users");
	});

	test("reports SQLite's version and settings, and the number of restores", async () => {
		const storeUrl = `sqlite:${await createTempFolder()}/a.db`;
		await (await openStore(storeUrl)).close();
		const { problemCount, output } = await reportOnStore(storeUrl);
		expect(problemCount).toBe(0);
		expect(output).toMatch(/SQLite \d+\.\d+/);
		expect(output).toContain("journal_mode: wal");
		expect(output).toContain("number of restores (epoch): 0; state: open");
	});

	test("reports a restored store that is paused", async () => {
		const storeUrl = `sqlite:${await createTempFolder()}/a.db`;
		const opened = await openStore(storeUrl);
		await opened.set("installation:epoch", { epoch: 3, state: "paused" });
		await opened.close();
		const { problemCount, output } = await reportOnStore(storeUrl);
		expect(problemCount).toBe(1);
		expect(output).toContain("number of restores (epoch): 3; state: paused");
	});
});

const postgres = await postgresForTests();

describe.skipIf(postgres === undefined)("the doctor on Postgres", () => {
	test("reports a durable store and its clock", async () => {
		const { problemCount, output } = await reportOnStore(String(postgres));
		expect(problemCount).toBe(0);
		expect(output).toMatch(/Postgres \d+/);
		expect(output).toContain("agrees with the store's");
	});

	test("reports the setting that makes it lose writes", async () => {
		const { problemCount, output } = await reportOnStore(`${String(postgres)}?options=-c%20synchronous_commit%3Doff`);
		expect(problemCount).toBeGreaterThan(0);
		expect(output).toContain("Set synchronous_commit to on");
		expect(output).toContain("credits can be lost");
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
		expect(two.output).toContain("Set appendfsync to everysec or always");
		expect(three.output.match(/maxmemory-policy allkeys-lru/g)).toHaveLength(2);
	});

	test.runIf(startRedisServer.isPossible)("in a durable Redis reports no problem", async () => {
		const { url } = await startRedisServer(["--appendonly", "yes", "--appendfsync", "always"]);
		const { problemCount, output } = await reportOnStore(url, url);
		expect(output).toContain("reads, writes and compares");
		expect(output).toContain("meets the queue's requirements");
		expect(output).toContain("this machine's clock agrees with the store's");
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
