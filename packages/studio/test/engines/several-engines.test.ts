import { describe, expect, test } from "vitest";
import { openStore } from "@atelier/store/open-store";
import { EngineError, ServiceStoppingError, type Engine } from "../../src/engines/engine.ts";
import { callFailedError } from "../../src/engines/http-client.ts";
import { createFakeEngine, FAILURE, HANG, PERMANENT_FAILURE, type FakeEngine } from "../../testing/fake-engine.ts";
import { setup, until } from "../../testing/studio-setup.ts";

/** Fails three tasks at the first engine, which is then down. The second one completes them. */
async function failThreeTasks({ submitTask, awaitRetry, awaitEnd, clock }: Awaited<ReturnType<typeof setup>>) {
	for (let round = 0; round < 3; round++) {
		const task = await submitTask();
		await awaitRetry(task, 1);
		await clock.advance(5_000);
		await awaitEnd(task);
	}
}

/** An engine that refuses its first runs, like one that is overloaded. */
function refusing(times: number, name?: string): FakeEngine {
	const engine = createFakeEngine({ ...(name !== undefined && { name }) });
	let refusals = 0;
	return {
		...engine,
		async run(...run) {
			if (++refusals <= times) throw callFailedError(429, undefined);
			return await engine.run(...run);
		},
	};
}

describe("an engine that refuses a task", () => {
	test("gets it again until it accepts it, and the refusals do not count as attempts", async () => {
		const { submitTask, awaitRetry, awaitEnd, clock } = await setup({ engine: refusing(4) });
		const task = await submitTask();
		for (let attempt = 1; attempt <= 4; attempt++) {
			expect(await awaitRetry(task, attempt)).toMatchObject({ maxAttempts: 3 + attempt });
			await clock.advance(1_000 * 2 ** attempt);
		}
		expect(await awaitEnd(task)).toMatchObject({ status: "success", attempt: 5, maxAttempts: 7 });
	});

	test("gets it six times more often, in the end once a minute", async () => {
		const { submitTask, awaitRetry, awaitEnd, clock } = await setup({ engine: refusing(9) });
		const task = await submitTask();
		for (let attempt = 1; attempt <= 8; attempt++) {
			await awaitRetry(task, attempt);
			await clock.advance(Math.min(60_000, 1_000 * 2 ** attempt));
		}
		expect(await awaitEnd(task)).toMatchObject({ status: "failed", attempt: 9, maxAttempts: 9 });
	});

	test("leaves it to another engine, and the refusal does not count as an attempt", async () => {
		const engines = [refusing(1, "busy"), createFakeEngine({ name: "idle" })];
		const { submitTask, awaitRetry, awaitEnd, clock } = await setup({ engines });
		const task = await submitTask();
		await awaitRetry(task, 1);
		await clock.advance(2_000);
		expect(await awaitEnd(task)).toMatchObject({ status: "success", attempt: 2, maxAttempts: 4 });
	});

	test("gets it as often if another engine also refuses it", async () => {
		const engines = [refusing(3, "one"), refusing(3, "other")];
		const { submitTask, awaitRetry, awaitEnd, clock } = await setup({ engines });
		const task = await submitTask();
		for (let attempt = 1; attempt <= 6; attempt++) {
			await awaitRetry(task, attempt);
			await clock.advance(1_000 * 2 ** attempt);
		}
		expect(await awaitEnd(task)).toMatchObject({ status: "success", attempt: 7, maxAttempts: 9 });
	});
});

describe("several engines for one model", () => {
	test("are tried in the order of the engine file", async () => {
		const [near, far] = [createFakeEngine({ name: "near" }), createFakeEngine({ name: "far" })];
		const { completeTask } = await setup({ engines: [near, far], engineOrder: { "fake-image": ["far", "near"] } });
		await completeTask();
		expect([near.runs.length, far.runs.length]).toStrictEqual([0, 1]);
	});

	test("retry at the same engine while the others are down", async () => {
		const failsFirst = [FAILURE, { kind: "succeed" }] as const;
		const near = createFakeEngine({ name: "near", script: [...failsFirst, ...failsFirst, ...failsFirst, FAILURE] });
		const far = createFakeEngine({ name: "far", script: [FAILURE, FAILURE, FAILURE] });
		const { submitTask, awaitRetry, awaitEnd, clock } = await setup({ engines: [near, far] });
		for (const attempts of [3, 3, 3, 2]) {
			const task = await submitTask();
			for (let attempt = 1; attempt < attempts; attempt++) {
				await awaitRetry(task, attempt);
				// The longest delay of this retry. More could also reach the next one.
				await clock.advance(2_000 * attempt);
			}
			expect(await awaitEnd(task)).toMatchObject({ status: "success", attempt: attempts });
		}
		expect(far.runs).toHaveLength(3);
	});

	test("leave a hung engine: waiting tasks move to another, and one probe after a minute decides about the return", async () => {
		const near = createFakeEngine({ name: "near", concurrency: 1, script: [HANG, HANG, HANG, HANG, HANG] });
		const far = createFakeEngine({ name: "far" });
		const { submitTask, startTask, completeTask, awaitEnd, clock } = await setup({ engines: [near, far] });
		const tasks = await Promise.all(Array.from({ length: 6 }, () => submitTask()));
		for (let failures = 0; failures < 3; failures++) {
			await until(() => near.runs.length === failures + 1);
			// Fails: an empty list is no output.
			near.runs[failures]?.finish([]);
		}
		await clock.advance(1_000);
		const failed = near.runs.map(({ task }) => task.taskId);
		for (const taskId of tasks.filter((each) => !failed.includes(each))) await awaitEnd(taskId);
		expect([near.runs.length, far.runs.length]).toStrictEqual([3, 3]);

		for (const outputs of [[], undefined]) {
			await clock.advance(60_000);
			const probe = await startTask();
			await clock.advance(60_000);
			const before = near.runs.length;
			await completeTask();
			expect(near.runs).toHaveLength(before);
			near.runs.at(-1)?.finish(outputs);
			await until(() => (outputs ? completeTask() : awaitEnd(probe)));
		}
		expect(near.runs).toHaveLength(5);
		await completeTask();
		expect(near.runs).toHaveLength(6);
	});

	test("get one probe at a time, also if an earlier run ends meanwhile", async () => {
		const near = createFakeEngine({ name: "near", concurrency: 3, script: [HANG, FAILURE, FAILURE, FAILURE, HANG] });
		const studio = await setup({ engines: [near, createFakeEngine({ name: "far" })] });
		const { startTask, completeTask, cancelTask, awaitEnd, clock } = studio;
		const earlier = await startTask();
		await failThreeTasks(studio);
		await clock.advance(60_000);
		await startTask();
		await cancelTask(earlier);
		await awaitEnd(earlier);
		await completeTask();
		expect(near.runs).toHaveLength(5);
	});

	test("are down after three submits in a row without a response, although no task is retried", async () => {
		const script = Array.from({ length: 3 }, () => ({ ...PERMANENT_FAILURE, code: "upstream_timeout" as const }));
		const { completeTask, readHealth } = await setup({ engine: createFakeEngine({ script }) });
		for (let round = 0; round < 3; round++) expect(await completeTask()).toMatchObject({ attempt: 1 });
		expect(await readHealth()).toStrictEqual(["down", "down", "down"]);
	});

	test("honor the Retry-After of one engine and use another one meanwhile", async () => {
		const busy: Engine = {
			...createFakeEngine({ name: "busy" }),
			async run() {
				throw new EngineError("upstream_error", "too much to do", { retryable: true, retryAfterMs: 30_000 });
			},
		};
		const alone = await setup({ engines: [busy] });
		const waiting = await alone.submitTask();
		await alone.awaitRetry(waiting, 1);
		await alone.clock.advance(29_999);
		expect((await alone.readTask(waiting))["attempt"]).toBe(1);
		await alone.clock.advance(1);
		await alone.awaitRetry(waiting, 2);

		const both = await setup({ engines: [busy, createFakeEngine({ name: "idle" })] });
		const task = await both.submitTask();
		await both.awaitRetry(task, 1);
		await both.clock.advance(2_000);
		expect((await both.awaitEnd(task)).status).toBe("success");
	});
});

describe("an attempt", () => {
	test("continues after a stop with its checkpoint, at the same engine although another one is preferred now", async () => {
		const store = await openStore("memory:");
		const first = createFakeEngine({ name: "first", script: [HANG], writesCheckpoints: true });
		const second = createFakeEngine({ name: "second" });
		const before = await setup({ store, engines: [first, second] });
		const taskId = await before.submitTask();
		await until(() => first.runs.length === 1);
		await before.studio.stop();
		expect(first.runs[0]?.signal.reason).toBeInstanceOf(ServiceStoppingError);
		const found: unknown[] = [];
		const reading: Engine = {
			...first,
			async run(task, ...more) {
				found.push(await task.checkpoint.read());
				return await first.run(task, ...more);
			},
		};
		const after = await setup({ store, engines: [second, reading], credits: 0 });
		expect((await after.awaitEnd(taskId)).status).toBe("success");
		expect(found).toStrictEqual([{ job: taskId }]);
		expect(second.runs).toStrictEqual([]);
		expect(await store.get(`studio-checkpoint:${taskId}`)).toBeUndefined();
	});
});
