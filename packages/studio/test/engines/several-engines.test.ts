import { describe, expect, test } from "vitest";
import { openStore } from "@atelier/store/open-store";
import { EngineError, ServiceStoppingError, type Engine } from "../../src/engines/engine.ts";
import { createManualClock } from "@atelier/common/testing/manual-clock";
import { createEngineRouter, type RoutedEngine } from "../../src/engine-router.ts";
import { DEFAULT_LIMITS } from "../../src/limits.ts";
import { createFakeEngine, fakeImage, type Script } from "../../testing/fake-engine.ts";
import { setup, until } from "../../testing/studio-setup.ts";

const FAILURE: Script = { kind: "fail", retryable: true };
const FAILED = {
	kind: "failed",
	failure: { code: "upstream_error", message: "failed", retryable: true },
	isEngineFailure: true,
	retryAfterMs: 0,
} as const;

describe("several engines for one model", () => {
	test("alternate between attempts", async () => {
		const [near, far] = [createFakeEngine({ name: "near", script: [FAILURE] }), createFakeEngine({ name: "far" })];
		const { submitTask, awaitRetry, awaitEnd, clock } = await setup({ engines: [near, far] });
		const task = await submitTask();
		await awaitRetry(task, 1);
		await clock.advance(60_000);
		expect((await awaitEnd(task)).status).toBe("success");
		expect([near.runs.length, far.runs.length]).toStrictEqual([1, 1]);
	});

	test("are skipped while they are down, for a minute", async () => {
		const near = createFakeEngine({ name: "near", script: [FAILURE, FAILURE, FAILURE] });
		const far = createFakeEngine({ name: "far" });
		const { completeTask, submitTask, awaitRetry, awaitEnd, clock } = await setup({ engines: [near, far] });
		for (let round = 0; round < 3; round++) {
			const task = await submitTask();
			await awaitRetry(task, 1);
			await clock.advance(5_000);
			await awaitEnd(task);
		}
		await completeTask();
		expect(near.runs).toHaveLength(3);
		// The retries of three tasks, and the fourth task.
		expect(far.runs).toHaveLength(4);
		await clock.advance(60_000);
		await completeTask();
		expect(near.runs).toHaveLength(4);
	});

	test("leave a hung engine: waiting tasks move to another, and one probe after a minute decides about the return", async () => {
		const HANG: Script = { kind: "hang" };
		const near = createFakeEngine({ name: "near", concurrency: 1, script: [HANG, HANG, HANG, HANG, HANG] });
		const far = createFakeEngine({ name: "far" });
		const { submitTask, completeTask, awaitStatus, awaitEnd, clock } = await setup({ engines: [near, far] });
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
			const probe = await submitTask();
			await awaitStatus(probe, "processing");
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
		const HANG: Script = { kind: "hang" };
		const near = createFakeEngine({ name: "near", concurrency: 3, script: [HANG, FAILURE, FAILURE, FAILURE, HANG] });
		const { submitTask, completeTask, cancelTask, awaitStatus, awaitRetry, awaitEnd, clock } = await setup({
			engines: [near, createFakeEngine({ name: "far" })],
		});
		const earlier = await submitTask();
		await awaitStatus(earlier, "processing");
		for (let round = 0; round < 3; round++) {
			const task = await submitTask();
			await awaitRetry(task, 1);
			await clock.advance(5_000);
			await awaitEnd(task);
		}
		await clock.advance(60_000);
		await awaitStatus(await submitTask(), "processing");
		await cancelTask(earlier);
		await awaitEnd(earlier);
		await completeTask();
		expect(near.runs).toHaveLength(5);
	});

	test("may be probed again after a recovery during a probe that is still running", () => {
		const engine = createFakeEngine();
		const router = createEngineRouter({
			engines: [engine],
			engineOrder: {},
			limits: DEFAULT_LIMITS,
			clock: createManualClock(),
		});
		const { health } = router.engines[0] as RoutedEngine;
		const goDown = (nowMs: number): void => {
			for (let n = 0; n < 3; n++) health.startRun()(FAILED, nowMs);
		};
		const earlier = health.startRun();
		goDown(0);
		const endProbe = health.startRun();
		earlier({ kind: "succeeded", outputs: [] }, 1);
		goDown(2);
		expect(health.stateAt(60_002)).toBe("degraded");
		health.startRun();
		endProbe(undefined, 60_003);
		expect(health.stateAt(60_003)).toBe("down");
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

/** An engine that writes a checkpoint at the start of an attempt, and records the one that it finds when the attempt continues. */
function createRememberingEngine(name: string) {
	const started: string[] = [];
	const found: unknown[] = [];
	const reasons: unknown[] = [];
	const steps: ("hang" | "fail" | "succeed")[] = [];
	const engine: Engine = {
		...createFakeEngine({ name }),
		async run({ taskId, attempt, checkpoint }, signal) {
			const before = await checkpoint.read();
			if (before === undefined) {
				started.push(`${taskId}/${attempt}`);
				await checkpoint.write({ job: `job-${started.length}` });
			} else {
				found.push(before);
			}
			const step = steps.shift() ?? "succeed";
			if (step === "fail") throw new EngineError("upstream_error", "failed", { retryable: true });
			if (step === "hang") {
				await new Promise((_, reject) => {
					signal.addEventListener("abort", () => {
						reasons.push(signal.reason);
						reject(signal.reason);
					});
				});
			}
			return [fakeImage(taskId)];
		},
	};
	return { engine, started, found, reasons, steps };
}

describe("the checkpoint of an attempt", () => {
	test("is available when the same attempt continues after a stop, at the same engine", async () => {
		const store = await openStore("memory:");
		const [first, second] = [createRememberingEngine("first"), createRememberingEngine("second")];
		first.steps.push("hang");
		const before = await setup({ store, engines: [first.engine, second.engine] });
		const taskId = await before.submitTask();
		await until(() => first.started.length === 1);
		await before.awaitStatus(taskId, "processing");
		await before.studio.stop();
		expect(first.reasons[0]).toBeInstanceOf(ServiceStoppingError);

		// In another order: the engine with the job continues, not the preferred one.
		const after = await setup({ store, engines: [second.engine, first.engine], credits: 0 });
		expect((await after.awaitEnd(taskId)).status).toBe("success");
		expect(first.started).toHaveLength(1);
		expect(first.found).toStrictEqual([{ job: "job-1" }]);
		expect(second.started).toHaveLength(0);
		expect(await store.get(`studio-checkpoint:${taskId}`)).toBeUndefined();
	});

	test("a cancellation aborts the run with another reason than a stop", async () => {
		const { engine, reasons, steps, started } = createRememberingEngine("one");
		steps.push("hang");
		const { submitTask, cancelTask, awaitEnd } = await setup({ engines: [engine] });
		const task = await submitTask();
		await until(() => started.length === 1);
		await cancelTask(task);
		expect((await awaitEnd(task)).status).toBe("canceled");
		expect(reasons[0]).not.toBeInstanceOf(ServiceStoppingError);
	});
});
