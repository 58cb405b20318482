import { pino } from "pino";
import { describe, expect, test } from "vitest";
import { examineDiscord } from "../../src/cli/doctor-discord.ts";
import { linesOf, type Finding } from "../../src/cli/doctor-finding.ts";
import { examineMedia } from "../../src/cli/doctor-media.ts";
import { examineQueue, examineStore } from "../../src/cli/doctor-store.ts";
import { systemClock } from "../../src/clock.ts";
import { createMediaCaller } from "../../src/services/generation/media-caller.ts";
import { PROFILES } from "../../src/services/generation/profiles.ts";
import { openDiscord } from "../e2e/discord.ts";
import { KEY, ok, openService, type Handler } from "../services/generation/service-setup.ts";
import { startRedisServer } from "../services/store/redis-server.ts";

const model = { id: "far-1", name: "Far", mediaType: "image", scenes: ["text-to-image"], price: { credits: 4 } };
/** Looks at a task that is tried follow each other at once. */
const clock = { nowMs: () => systemClock.nowMs(), sleep: () => Promise.resolve() };

const neverShowsAFile: Handler = ({ method, url }, response) => {
	if (url === "/api/v1/models") response.end(ok({ models: [model] }));
	else if (method === "POST" && url === "/api/v1/generate") response.end(ok({ taskId: "t1" }));
	else if (url?.startsWith("/api/v1/task/t1")) response.end(ok({ status: "success", outputs: [] }));
	else response.writeHead(404).end('{"code":40400,"message":"no such thing"}');
};

const quotesMore: Handler = ({ url }, response) => {
	if (url === "/api/v1/models") response.end(ok({ models: [model] }));
	else if (url === "/api/v1/credits/quote") response.end(ok({ estimated_credits: 9 }));
	else response.writeHead(404).end('{"code":40400,"message":"no such task"}');
};

async function told(...examinations: readonly AsyncIterable<Finding>[]) {
	const findings = (await Promise.all(examinations.map((each) => Array.fromAsync(each)))).flat();
	const toFix = findings.filter(({ grade }) => grade === "fix").length;
	return { toFix, says: findings.flatMap(linesOf).join("\n") };
}

/** What the doctor says of a service that answers so. */
async function media(answer: Handler, { shallTry = false } = {}) {
	const profile = PROFILES.specification;
	const logger = pino({ level: "silent" });
	const caller = createMediaCaller({ baseUrl: await openService(answer), apiKey: KEY, profile, clock, logger });
	return await told(examineMedia({ caller, profile, clock, configured: [], shallTry }));
}

function discord({
	DISCORD_TOKEN: token,
	DISCORD_API_URL: apiUrl,
}: Record<"DISCORD_TOKEN" | "DISCORD_API_URL", string>) {
	return told(examineDiscord({ token, apiUrl, clock }));
}

function store(storeUrl: string, queueUrl?: string) {
	return told(examineStore(storeUrl, clock), ...(queueUrl === undefined ? [] : [examineQueue(queueUrl)]));
}

describe("a service has to be mended", () => {
	test.each<[string, Handler, string]>([
		[
			"whose address leads on",
			(_, response) => response.writeHead(302, { location: "/" }).end(),
			"Set MEDIA_API_URL to where the redirect leads.",
		],
		["that fails", (_, response) => response.writeHead(502).end("<html>"), "Look at the service: it fails."],
		[
			"that speaks as another profile",
			(_, response) => response.end('{"code":200,"data":{}}'),
			"is MEDIA_API_PROFILE kie or piapi or acestep?",
		],
		["that lists no models", (_, response) => response.writeHead(404).end("<html>"), "name that in MEDIA_CATALOGUE"],
		[
			"whose key has no credits",
			({ url }, response) => response.end(ok(url === "/api/v1/credits" ? { available: 0 } : { models: [model] })),
			"The key has no credits",
		],
	])("%s, and the advice says how", async (_what, answer, advice) => {
		const { toFix, says } = await media(answer);
		expect(toFix).toBeGreaterThan(0);
		expect(says).toContain(advice);
	});

	test("that takes an order and never shows a file", async () => {
		const { toFix, says } = await media(neverShowsAFile, { shallTry: true });
		expect(toFix).toBe(1);
		expect(says).toContain("done without a file");
	});
});

test("a quote that differs from the catalogue's price is told, because members are charged the latter", async () => {
	const { says } = await media(quotesMore);
	expect(says).toContain("quoted: 9 credits (at data.estimated_credits)");
	expect(says).toContain("Members are charged 4 for it");
	expect(says).toContain("would cost 9 credits");
});

test("nothing that a service writes reaches the terminal as more than text", async () => {
	const message = "\u001B[2J\u202Egone";
	const { says } = await media((_, response) => response.writeHead(400).end(JSON.stringify({ code: 40000, message })));
	expect(says).toContain("gone");
	expect(says).not.toContain("\u001B");
	expect(says).not.toContain("\u202E");
});

describe("Discord", () => {
	test("tells who the bot is, what is registered, and what is left of the gateway", async () => {
		const { env } = await openDiscord();
		const { toFix, says } = await discord(env);
		expect(says).toContain("which the bot does not use");
		expect(says).toContain("the next start registers /image");
		expect(says).toContain("gateway: shards recommended: 1; session starts left: 1000 of 1000");
		expect(toFix).toBe(0);
	});

	test("refuses a wrong token", async () => {
		const { env } = await openDiscord();
		const { toFix, says } = await discord({ ...env, DISCORD_TOKEN: `${KEY}-and-more-of-it` });
		expect(toFix).toBe(1);
		expect(says).toContain("Discord refuses DISCORD_TOKEN");
	});

	test.each([
		[
			"sends the commands to another place",
			/GET .*\/applications\/@me$/,
			{ id: "1000000000000000003", name: "Atelier", flags: 1 << 18, interactions_endpoint_url: "https://a.test" },
			"Empty that field in the developer portal",
		],
		[
			"takes no more starts today",
			/GET .*\/gateway\/bot$/,
			{ shards: 1, session_start_limit: { total: 1000, remaining: 0, reset_after: 7_200_000 } },
			"More in about 2 hours",
		],
	])("that %s is named", async (_what, request, answer, advice) => {
		const playground = await openDiscord();
		playground.answer(request, 200, answer);
		const { toFix, says } = await discord(playground.env);
		expect(toFix).toBeGreaterThan(0);
		expect(says).toContain(advice);
	});
});

describe("a store and a queue", () => {
	test.runIf(startRedisServer.isPossible)("on a Redis that would lose money are named with the setting", async () => {
		const lossy = await startRedisServer(["--appendonly", "no"]);
		const forgetful = await startRedisServer(["--appendonly", "yes", "--appendfsync", "no"]);
		const evicting = await startRedisServer(["--appendonly", "yes", "--maxmemory-policy", "allkeys-lru"]);
		const [one, two, three] = await Promise.all([
			store(lossy.url),
			store(forgetful.url),
			store(evicting.url, evicting.url),
		]);
		expect([one.toFix, two.toFix, three.toFix]).toStrictEqual([1, 1, 2]);
		expect(one.says).toContain("MONEY CAN BE LOST: Redis has appendonly no");
		expect(two.says).toContain("Set appendfsync everysec or always");
		expect(three.says.match(/maxmemory-policy allkeys-lru/g)).toHaveLength(2);
	});

	test.runIf(startRedisServer.isPossible)("on a Redis that keeps what it takes are well", async () => {
		const { url } = await startRedisServer(["--appendonly", "yes", "--appendfsync", "always"]);
		const { toFix, says } = await store(url, url);
		expect(says).toContain("reads, writes and compares");
		expect(says).toContain("is fit for a queue");
		expect(toFix).toBe(0);
	});

	test("that are not reached are named by address, and never with a password", async () => {
		const url = "redis://user:planted-password@127.0.0.1:9/1";
		const { toFix, says } = await store(url, url);
		expect(toFix).toBe(2);
		expect(says.match(/cannot reach Redis at 127\.0\.0\.1:9/g)).toHaveLength(2);
		expect(says).not.toContain("planted-password");
		expect(says.match(/Choosing a store/g)).toHaveLength(1);
		expect(says.match(/says what QUEUE_URL needs/g)).toHaveLength(1);
	});
});
