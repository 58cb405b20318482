/**
 * Several processes of one studio, over one store and one Redis. Here they share a process; test/crash/studio kills
 * real ones.
 */
import { randomBytes, randomUUID } from "node:crypto";
import { pino } from "pino";
import { describe, expect, onTestFinished, test } from "vitest";
import { systemClock } from "@atelier/common/clock";
import { createHttpServer } from "@atelier/common/http-server";
import { handleMalformedStudioUrl } from "../src/envelope.ts";
import { createLedger } from "@atelier/ledger/ledger";
import { openStore } from "@atelier/store/open-store";
import type { Store } from "@atelier/store/store";
import type { Engine } from "../src/engines/engine.ts";
import type { StudioLimits } from "../src/limits.ts";
import { openCluster } from "../src/cluster/open-cluster.ts";
import { createStudio } from "../src/studio.ts";
import { createFakeEngine, type FakeEngine, type Script } from "../testing/fake-engine.ts";
import { startRedisServer } from "@atelier/store/testing/redis-server-for-test";
import { redisForTests } from "@atelier/store/testing/database-servers";
import { REQUEST, temporaryFolder, until } from "../testing/studio-setup.ts";

const HANG = { kind: "hang" } as const satisfies Script;
const url = (await redisForTests()) ?? "";
const logger = pino({ level: "silent" });

interface SharedServers {
	readonly queueUrl: string;
	readonly store: Store;
	readonly mediaDir: string;
	readonly engineName: string;
}

async function openSharedServers(queueUrl = url): Promise<SharedServers> {
	// Each test has its own queue, named after the engine.
	const engineName = `fake-${randomUUID()}`;
	return { queueUrl, store: await openStore("memory:"), mediaDir: await temporaryFolder(), engineName };
}

/** One process of the studio. */
async function processOf(
	{ queueUrl, store, mediaDir, engineName }: SharedServers,
	options: { script?: readonly Script[]; limits?: Partial<StudioLimits>; engine?: Engine } = {},
) {
	const engine: FakeEngine = createFakeEngine({ name: engineName, concurrency: 1, script: options.script ?? [] });
	const shared = await openCluster(queueUrl, { clock: systemClock, logger });
	const app = createHttpServer({ malformedUrlHandlers: [handleMalformedStudioUrl] });
	const studio = createStudio({
		store,
		ledger: createLedger({ store, clock: systemClock }),
		clock: systemClock,
		logger,
		engines: [options.engine ?? engine],
		mediaDir,
		origin: () => "http://studio.test",
		randomBytes,
		randomUUID,
		inputOrigins: () => [],
		cluster: shared,
		limits: { changesPerWindowMax: 1e6, readsPerWindowMax: 1e6, retryDelayFirstMs: 20, ...options.limits },
	});
	await studio.register(app);
	await studio.start();
	let stopped: Promise<void> | undefined;
	const stop = (): Promise<void> =>
		(stopped ??= (async () => {
			await studio.stop();
			await app.close();
			await shared.close();
		})());
	onTestFinished(stop);

	async function call(method: "GET" | "POST", path: string, key: string, payload?: object) {
		const headers = { authorization: `Bearer ${key}` };
		const reply = await app.inject({ method, url: `/api/v1${path}`, headers, ...(payload && { payload }) });
		const body = JSON.parse(reply.body) as { code: number; data: Record<string, unknown> };
		return { status: reply.statusCode, headers: reply.headers, ...body };
	}

	async function submitted(key: string): Promise<string> {
		const { status, data, code } = await call("POST", "/generate", key, REQUEST);
		if (status !== 200) throw new Error(`rejected: ${code}`);
		return String(data["taskId"]);
	}

	const task = async (taskId: string, key: string) => (await call("GET", `/task/${taskId}`, key)).data;
	const when = (taskId: string, key: string, status: string) =>
		until(
			() => task(taskId, key),
			(record) => record["status"] === status,
		);
	const newKey = async (account: string): Promise<string> =>
		(await studio.createKey({ account, name: "k", grantCredits: 1000 })).key;
	return { engine, app, call, submitted, task, when, newKey, stop };
}

describe.skipIf(url === "")("two processes of one studio", () => {
	test("share waiting tasks, and run none twice", async () => {
		const servers = await openSharedServers();
		const [one, other] = [await processOf(servers), await processOf(servers)];
		const key = await one.newKey("acme");
		const ids: string[] = [];
		for (let n = 0; n < 12; n++) ids.push(await (n % 2 ? one : other).submitted(key));
		for (const id of ids) expect(await one.when(id, key, "success")).toMatchObject({ attempt: 1, costCredits: 4 });
		const completed = [...one.engine.runs, ...other.engine.runs].map(({ task }) => task.taskId);
		expect(completed.toSorted()).toStrictEqual(ids.toSorted());
		expect((await one.call("GET", "/credits", key)).data).toMatchObject({ available: 1000 - 48, reserved: 0 });
	});

	test("run tasks in parallel, alternate between accounts, and show the same queue position", async () => {
		const servers = await openSharedServers();
		const one = await processOf(servers, { script: [HANG, HANG, HANG, HANG] });
		const other = await processOf(servers, { script: [HANG, HANG, HANG, HANG] });
		const [many, few] = [await one.newKey("many"), await one.newKey("few")];
		const running = [await one.submitted(many), await one.submitted(many)];
		for (const id of running) await other.when(id, many, "processing");
		expect([one.engine.runs.length, other.engine.runs.length]).toStrictEqual([1, 1]);
		const waiting = [await one.submitted(many), await other.submitted(many), await one.submitted(few)];
		const positions = async (from: typeof one) =>
			Promise.all(waiting.map(async (id, n) => (await from.task(id, n === 2 ? few : many))["queuePosition"]));
		expect(await positions(one)).toStrictEqual([1, 3, 2]);
		expect(await positions(other)).toStrictEqual([1, 3, 2]);
		one.engine.runs[0]?.finish();
		await one.when(waiting[0] ?? "", many, "processing");
		other.engine.runs[0]?.finish();
		await one.when(waiting[2] ?? "", few, "processing");
		expect(await one.task(waiting[1] ?? "", many)).toMatchObject({ status: "pending", queuePosition: 1 });
	});

	test("count open tasks and requests together", async () => {
		const servers = await openSharedServers();
		const limits = { openTasksPerAccountMax: 2, readsPerWindowMax: 3 };
		const [one, other] = [
			await processOf(servers, { script: [HANG], limits }),
			await processOf(servers, { script: [HANG], limits }),
		];
		const key = await one.newKey("acme");
		await one.submitted(key);
		await other.submitted(key);
		expect(await one.call("POST", "/generate", key, REQUEST)).toMatchObject({ status: 429, code: 42901 });
		expect(await other.call("POST", "/generate", key, REQUEST)).toMatchObject({ status: 429, code: 42901 });
		const left = [];
		for (const from of [one, other, one]) left.push((await from.call("GET", "/credits", key)).headers);
		expect(left.map((headers) => headers["x-ratelimit-remaining"])).toStrictEqual(["2", "1", "0"]);
		expect(await other.call("GET", "/credits", key)).toMatchObject({ status: 429, code: 42900 });
	});

	test("cancel tasks that run in the other process", async () => {
		const servers = await openSharedServers();
		const one = await processOf(servers, { script: [HANG] });
		await processOf(servers, { script: [HANG] });
		const key = await one.newKey("acme");
		const ids = [await one.submitted(key), await one.submitted(key)];
		for (const id of ids) await one.when(id, key, "processing");
		for (const id of ids) {
			await one.call("POST", `/task/${id}/cancel`, key);
			expect(await one.when(id, key, "canceled")).toMatchObject({ costCredits: 0 });
		}
		expect((await one.call("GET", "/credits", key)).data).toMatchObject({ available: 1000, reserved: 0 });
	});

	test("notify subscribers of events in the other process", async () => {
		const servers = await openSharedServers();
		const one = await processOf(servers, { script: [HANG, HANG] });
		const other = await processOf(servers, { script: [HANG, HANG] });
		const key = await one.newKey("acme");
		const ids = [await one.submitted(key), await one.submitted(key)];
		for (const id of ids) await one.when(id, key, "processing");
		const listening = ids.map((id) =>
			one.app.inject({ url: `/api/v1/task/${id}/events`, headers: { authorization: `Bearer ${key}` } }),
		);
		for (const { engine } of [one, other]) engine.runs[0]?.finish();
		for (const { body } of await Promise.all(listening)) expect(body).toContain('"status":"success"');
	});

	test("continue the attempt of a stopped process at once", async () => {
		const servers = await openSharedServers();
		const one = await processOf(servers, { script: [HANG] });
		const key = await one.newKey("acme");
		const id = await one.submitted(key);
		await one.when(id, key, "processing");
		const other = await processOf(servers);
		await one.stop();
		expect(await other.when(id, key, "success")).toMatchObject({ attempt: 1 });
		expect(other.engine.runs).toHaveLength(1);
	});

	test("retry a failed task in any process", async () => {
		const servers = await openSharedServers();
		const script: Script[] = [{ kind: "fail", retryable: true }];
		const [one, other] = [await processOf(servers, { script }), await processOf(servers, { script })];
		const key = await one.newKey("acme");
		const id = await one.submitted(key);
		expect(await one.when(id, key, "success")).toMatchObject({ costCredits: 4 });
		const attempts = [...one.engine.runs, ...other.engine.runs].map(({ task }) => task.attempt);
		// Each of the two engines fails once, so the task succeeds at the second or third attempt.
		expect(attempts.toSorted((a, b) => a - b)).toStrictEqual(attempts.length > 2 ? [1, 2, 3] : [1, 2]);
	});
});

describe.skipIf(!startRedisServer.isPossible)("while the queue's server is away", () => {
	test("accepts tasks, and runs them once the queue is back, even if it lost its data", async () => {
		const server = await startRedisServer(["--appendonly", "no"]);
		const servers = await openSharedServers(server.url);
		const studio = await processOf(servers);
		const key = await studio.newKey("acme");
		await studio.when(await studio.submitted(key), key, "success");
		await server.kill();
		const id = await studio.submitted(key);
		await server.start();
		expect(await studio.when(id, key, "success")).toMatchObject({ costCredits: 4 });
	});
});
