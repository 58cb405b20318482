/**
 * Several processes of one studio, over one store and one Redis. Here they share a process; test/crash/studio kills
 * real ones.
 */
import { randomUUID } from "node:crypto";
import { pino } from "pino";
import { describe, expect, onTestFinished, test } from "vitest";
import { systemClock } from "@atelier/common/clock";
import { createManualClock } from "@atelier/common/testing/manual-clock";
import { openStore } from "@atelier/store/open-store";
import type { Store } from "@atelier/store/store";
import { startRedisServer } from "@atelier/store/testing/redis-server-for-test";
import { redisForTests } from "@atelier/store/testing/database-servers";
import type { StudioLimits } from "../src/limits.ts";
import { openCluster } from "../src/cluster/open-cluster.ts";
import { createFakeEngine, HANG, type Script } from "../testing/fake-engine.ts";
import { createTempFolder } from "@atelier/common/testing/temp-folder";
import { setup } from "../testing/studio-setup.ts";

const url = (await redisForTests()) ?? "";
/** The queue's server goes by the time of the system. */
const clock = { ...createManualClock(), ...systemClock };

interface SharedServers {
	readonly queueUrl: string;
	readonly store: Store;
	readonly mediaDir: string;
	readonly engineName: string;
}

async function openSharedServers(queueUrl = url): Promise<SharedServers> {
	// Each test has its own queue, named after the engine.
	const engineName = `fake-${randomUUID()}`;
	return { queueUrl, store: await openStore("memory:"), mediaDir: await createTempFolder(), engineName };
}

/** One process of the studio. All of them have keys of the account `acme`, and each grants it 100 credits. */
async function openProcess(
	{ queueUrl, engineName, ...shared }: SharedServers,
	{
		script = [],
		limits,
		leaseMs,
	}: {
		readonly script?: readonly Script[];
		readonly limits?: Partial<StudioLimits>;
		readonly leaseMs?: number;
	} = {},
) {
	const cluster = await openCluster(queueUrl, { clock, logger: pino({ level: "silent" }), leaseMs });
	onTestFinished(() => cluster.close());
	const engine = createFakeEngine({ name: engineName, concurrency: 1, script });
	const studio = await setup({ ...shared, clock, cluster, engine, limits: { retryDelayFirstMs: 20, ...limits } });
	return { ...studio, engine };
}

describe.skipIf(url === "")("two processes of one studio", () => {
	test("share waiting tasks, and run none twice", async () => {
		const servers = await openSharedServers();
		const [one, other] = [await openProcess(servers), await openProcess(servers)];
		const ids: string[] = [];
		for (let n = 0; n < 12; n++) ids.push(await (n % 2 ? one : other).submitTask());
		for (const id of ids) expect(await one.awaitStatus(id, "success")).toMatchObject({ attempt: 1, costCredits: 4 });
		const completed = [...one.engine.runs, ...other.engine.runs].map(({ task }) => task.taskId);
		expect(completed.toSorted()).toStrictEqual(ids.toSorted());
		const { body } = await one.call("GET", "/api/v1/credits");
		expect(body.data).toMatchObject({ available: 200 - 48, reserved: 0 });
	});

	test("count open tasks and requests together", async () => {
		const servers = await openSharedServers();
		const limits = { openTasksPerAccountMax: 2, readsPerWindowMax: 3 };
		const one = await openProcess(servers, { script: [HANG], limits });
		const other = await openProcess(servers, { script: [HANG], limits });
		await one.submitTask();
		await other.submitTask();
		expect(await one.submit()).toMatchObject({ status: 429, body: { code: 42901 } });
		expect(await other.submit()).toMatchObject({ status: 429, body: { code: 42901 } });
		const left = [];
		for (const { call } of [one, other, one]) left.push((await call("GET", "/api/v1/credits", one)).headers);
		expect(left.map((headers) => headers["x-ratelimit-remaining"])).toStrictEqual(["2", "1", "0"]);
		expect(await other.call("GET", "/api/v1/credits", one)).toMatchObject({ status: 429, body: { code: 42900 } });
	});
});

describe.skipIf(!startRedisServer.isPossible)("while the queue's server is away", () => {
	test("accepts tasks, and runs them once the queue is back, even if it lost its data", async () => {
		const server = await startRedisServer(["--appendonly", "no"]);
		// The sweep adds a task to the queue once it is older than two leases.
		const often = { leaseMs: 1_000, limits: { sweepIntervalMs: 200 } };
		const { submitTask, awaitStatus } = await openProcess(await openSharedServers(server.url), often);
		await awaitStatus(await submitTask(), "success");
		await server.kill();
		const id = await submitTask();
		await server.start();
		expect(await awaitStatus(id, "success")).toMatchObject({ costCredits: 4 });
	});
});
