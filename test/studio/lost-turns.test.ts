/** Turns that a queue hands out once more, because it lost sight of who has them. What is paid for is not paid for again. */
import { RateLimiterMemory } from "rate-limiter-flexible";
import { expect, test } from "vitest";
import type { SharedWork } from "../../src/studio/shared/open-shared-work.ts";
import type { QueuedTask, TaskQueue, Work } from "../../src/studio/task-queue.ts";
import { createFakeEngine, type Script } from "../fakes/fake-engine.ts";
import { setup } from "./studio-setup.ts";

const HANG: Script = { kind: "hang" };
const neverStops = new AbortController().signal;

/** A queue under the test's control: it keeps what is lined up, and the test gives the turns. */
function heldQueue() {
	const places: QueuedTask[] = [];
	let work: Work | undefined;
	const queue: TaskQueue = {
		graceMs: 0,
		add: async (task) => void places.push(task),
		known: async (taskIds) => new Set(taskIds),
		remove: async () => {},
		positionOf: async () => null,
		openTasks: async () => 0,
		openTasksOf: async () => 0,
		takesTurn: async () => true,
		start: (given) => void (work = given),
		stop: async () => {},
	};
	const shared: SharedWork = {
		queueOf: () => queue,
		notices: { tell() {}, listen: async () => {}, close() {} },
		rateCounters: (_name, window) => new RateLimiterMemory(window),
		close: async () => {},
	};
	const turn = async (taskId: string, engine: string): Promise<QueuedTask | undefined> =>
		await work?.({ taskId, account: "acme", engine }, neverStops);
	return { places, shared, turn };
}

test("one at an engine that the task has left does not begin the same attempt there", async () => {
	const first = createFakeEngine({ name: "first", script: [{ kind: "fail", retryable: true }] });
	const second = createFakeEngine({ name: "second", script: [HANG] });
	const { shared, turn } = heldQueue();
	const { submitted, when, task } = await setup({ engines: [first, second], shared });
	const taskId = await submitted();
	expect(await turn(taskId, "first")).toMatchObject({ engine: "second" });
	const atSecond = turn(taskId, "second");
	await when(taskId, "processing");
	expect(await turn(taskId, "first")).toBeUndefined();
	expect([first.runs.length, second.runs.length]).toStrictEqual([1, 1]);
	second.runs[0]?.finish();
	expect(await atSecond).toBeUndefined();
	expect(await task(taskId)).toMatchObject({ status: "success", attempt: 2 });
});

test("who has lost it and then fails takes nothing from who has it now", async () => {
	const engine = createFakeEngine({ script: [{ kind: "hang" }, { kind: "hang" }], remembers: true });
	const { shared, turn } = heldQueue();
	const { submitted, task, when, store, balance } = await setup({ engine, shared });
	const taskId = await submitted();
	const lost = turn(taskId, "fake");
	await when(taskId, "processing");
	const taken = turn(taskId, "fake");
	await expect.poll(() => engine.runs.length).toBe(2);
	expect(engine.runs.map((run) => run.task.attempt)).toStrictEqual([1, 1]);
	// It fails: it made nothing.
	engine.runs[0]?.finish([]);
	expect(await lost).toBeUndefined();
	expect(await task(taskId)).toMatchObject({ status: "processing", attempt: 1 });
	expect(await store.get(`studio-memo:${taskId}`)).toBeDefined();
	engine.runs[1]?.finish();
	await taken;
	expect(await task(taskId)).toMatchObject({ status: "success", attempt: 1 });
	expect(await balance()).toMatchObject({ postedCredits: 96, heldCredits: 0 });
});
