import * as fc from "fast-check";
import { describe, expect, onTestFinished, test } from "vitest";
import { systemClock } from "@atelier/common/clock";
import type { QueuedTask, StudioQueue } from "../src/studio-queue.ts";

const OFTEN = { interval: 1 };
const HOUR_MS = 60 * 60 * 1000;

/** Creates an empty queue for an engine. */
export type CreateTaskQueue = (spec: { engine: string; concurrency: number }) => Promise<StudioQueue>;

/** A run that the test ends. `next` queues the task again. */
export interface RecordedRun {
	readonly taskId: string;
	readonly stop: AbortSignal;
	readonly end: (next?: QueuedTask) => void;
}

/** A task of the account that the first letter of its id names. */
export function taskOf(taskId: string, engine: string, notBeforeMs = 0): QueuedTask {
	return { taskId, account: taskId.charAt(0), engine, notBeforeMs };
}

/** Starts a queue whose runs last until the test ends them, or until the queue stops. */
export function startRecording(queue: StudioQueue, runs: RecordedRun[] = []): RecordedRun[] {
	queue.start(({ taskId, engine }, stop) => {
		const { promise, resolve } = Promise.withResolvers<QueuedTask | undefined>();
		stop.addEventListener("abort", () => resolve(taskOf(taskId, engine)));
		runs.push({ taskId, stop, end: resolve });
		return promise;
	});
	return runs;
}

/** The contract of every task queue. Runs on the real clock, and does not depend on its speed. */
export function studioQueueContract(name: string, create: CreateTaskQueue): void {
	let queueCount = 0;

	async function setup(concurrency = 1) {
		const engine = `${name} engine ${++queueCount}`;
		const queue = await create({ engine, concurrency });
		onTestFinished(() => queue.stop());
		const runs: RecordedRun[] = [];
		const started = (): string[] => runs.map(({ taskId }) => taskId);
		async function add(...taskIds: readonly string[]): Promise<void> {
			for (const taskId of taskIds) await queue.add(taskOf(taskId, engine));
		}
		const start = (): RecordedRun[] => startRecording(queue, runs);
		/** Starts the queue, or ends its last run. Resolves to the task of the next run, or to `undefined` if no task is left. */
		async function next(): Promise<string | undefined> {
			const before = runs.length;
			runs.at(-1)?.end();
			if (before === 0) start();
			await expect.poll(async () => runs.length > before || (await queue.openTasks()) === 0, OFTEN).toBe(true);
			return runs[before]?.taskId;
		}
		return { queue, engine, runs, started, add, start, next };
	}

	describe(`the task queue: ${name}`, () => {
		test.each([
			[["a1", "a2", "a3"], "a1 a2 a3"],
			[["a1", "a2", "a3", "a4", "b1", "c1", "b2"], "a1 b1 c1 a2 b2 a3 a4"],
		])("runs the tasks %j in the order of turns, which are their positions", async (names, order) => {
			const { queue, engine, started, add, next } = await setup();
			await add(...names);
			const expected = order.split(" ");
			const positions = await Promise.all(expected.map((taskId) => queue.positionOf(taskId, [engine])));
			expect(positions).toStrictEqual(expected.map((_, index) => index + 1));
			while ((await next()) !== undefined);
			expect(started()).toStrictEqual(expected);
		});

		test("lets an account that removed its tasks wait for no more turns than others", async () => {
			const { queue, started, add, next } = await setup();
			await add("a1", "a2", "a3", "a4", "b1", "b2", "b3");
			for (const taskId of ["a2", "a3", "a4"]) await queue.remove(taskId);
			await add("a5");
			while ((await next()) !== undefined);
			expect(["a1 b1 a5 b2 b3", "a1 b1 b2 a5 b3"]).toContain(started().join(" "));
		});

		test("does not run a removed task, and does not remove a running one", async () => {
			const { queue, engine, started, add, next } = await setup();
			await add("a1", "a2", "b1", "b2");
			expect(await next()).toBe("a1");
			for (const taskId of ["a1", "b1", "a2", "none"]) await queue.remove(taskId);
			const queued = await queue.findQueued(["a1", "a2", "b1", "b2", "none"]);
			expect([...queued]).toStrictEqual([
				["a1", engine],
				["b2", engine],
			]);
			expect(await queue.positionOf("a2", [engine])).toBeNull();
			expect([await next(), await next(), started()]).toStrictEqual(["b2", undefined, ["a1", "b2"]]);
		});

		test("adds a task once, and counts it until its run ends", async () => {
			const { queue, add, next } = await setup();
			await add("a1", "a1", "b1");
			expect(await queue.openTasks()).toBe(2);
			expect(await next()).toBe("a1");
			await add("a1");
			expect(await queue.openTasks()).toBe(2);
			expect([await next(), await next()]).toStrictEqual(["b1", undefined]);
			expect(await queue.findQueued([])).toStrictEqual(new Map());
		});

		test("runs as many tasks at once as the engine may", async () => {
			const { queue, started, add, runs, start } = await setup(3);
			start();
			await add("a1", "a2", "a3", "a4");
			await expect.poll(started, OFTEN).toStrictEqual(["a1", "a2", "a3"]);
			runs[1]?.end();
			await expect.poll(started, OFTEN).toStrictEqual(["a1", "a2", "a3", "a4"]);
			for (const run of runs) run.end();
			await expect.poll(() => queue.openTasks(), OFTEN).toBe(0);
		});

		test("runs a delayed task when it is due, and again if its run queues it, and others before", async () => {
			const { queue, engine, runs, started, add, start } = await setup();
			start();
			const dueAtMs = systemClock.nowMs() + 100;
			await queue.add(taskOf("a1", engine, dueAtMs));
			await queue.add(taskOf("a2", engine, dueAtMs + HOUR_MS));
			expect(await queue.positionOf("a1", [engine])).toBeNull();
			await add("b1");
			await expect.poll(started, OFTEN).toStrictEqual(["b1"]);
			runs[0]?.end();
			await expect.poll(started, OFTEN).toStrictEqual(["b1", "a1"]);
			// Node's timers may be a millisecond early.
			expect(systemClock.nowMs()).toBeGreaterThanOrEqual(dueAtMs - 1);
			await queue.remove("a2");
			// Its run queues the task again.
			runs[1]?.end(taskOf("a1", engine, systemClock.nowMs() + 20));
			await expect.poll(started, OFTEN).toStrictEqual(["b1", "a1", "a1"]);
			runs[2]?.end();
			await expect.poll(() => queue.openTasks(), OFTEN).toBe(0);
		});

		test("stops its runs, and starts no others", async () => {
			const { queue, runs, started, add, next } = await setup();
			await add("a1", "a2");
			await next();
			await queue.stop();
			expect(runs[0]?.stop.aborted).toBe(true);
			expect(started()).toStrictEqual(["a1"]);
		});

		test("lets a task wait for at most one task of each other account per earlier own task, and for two more", async () => {
			const steps = fc.array(fc.constantFrom("a", "b", "c", "next"), { maxLength: 60 });
			await fc.assert(
				fc.asyncProperty(steps, async (given) => {
					const { queue, started, add, next } = await setup();
					const waiting: { readonly taskId: string; readonly own: number; readonly startedBefore: number }[] = [];
					for (const [index, step] of given.entries()) {
						if (step === "next") await next();
						else {
							const own = waiting.filter(({ taskId }) => taskId.startsWith(step) && !started().includes(taskId)).length;
							waiting.push({ taskId: `${step}${index}`, own, startedBefore: started().length });
							await add(`${step}${index}`);
						}
					}
					while ((await next()) !== undefined);
					await queue.stop();
					expect(started()).toHaveLength(waiting.length);
					for (const { taskId, own, startedBefore } of waiting) {
						const account = taskId.charAt(0);
						const before = started().slice(startedBefore, started().indexOf(taskId));
						const countOf = (each: string): number => before.filter((id) => id.startsWith(each)).length;
						for (const other of ["a", "b", "c"].filter((each) => each !== account)) {
							expect(countOf(other)).toBeLessThanOrEqual(own + 2);
						}
						expect(countOf(account)).toBe(own);
					}
				}),
				{ numRuns: 20 },
			);
		});
	});
}
