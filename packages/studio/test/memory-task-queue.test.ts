import * as fc from "fast-check";
import { pino } from "pino";
import { expect, test } from "vitest";
import { createManualClock } from "@atelier/common/testing/manual-clock";
import { createMemoryTaskQueue } from "../src/memory-task-queue.ts";
import { createFakeEngine } from "../testing/fake-engine.ts";
import { REQUEST, setup } from "../testing/studio-setup.ts";

/** A queue with one slot. The first letter of a task id is its account. */
function setupQueue() {
	const clock = createManualClock();
	const engineQueues = [{ engine: "fake", concurrency: 1 }];
	const queue = createMemoryTaskQueue({ engineQueues, clock, logger: pino({ level: "silent" }) });
	const started: string[] = [];
	let finish: (() => void) | undefined;
	async function add(...names: readonly string[]): Promise<void> {
		for (const taskId of names) await queue.add({ taskId, account: taskId.charAt(0), engine: "fake", notBeforeMs: 0 });
	}
	/** Starts the queue, or ends its running task. Resolves once the next one has started. */
	async function next(): Promise<string | undefined> {
		const before = started.length;
		finish?.();
		if (before === 0) {
			queue.start(async ({ taskId }) => {
				started.push(taskId);
				await new Promise<void>((resolve) => (finish = resolve));
				return undefined;
			});
		}
		for (let turns = 0; turns < 10; turns++) await Promise.resolve();
		return started.length > before ? started.at(-1) : undefined;
	}
	return { queue, started, add, next };
}

test.each([
	[["a1", "a2", "a3"], "a1 a2 a3"],
	[["a1", "a2", "a3", "a4", "b1", "c1", "b2"], "a1 b1 c1 a2 b2 a3 a4"],
])("the tasks %j run in the order of turns", async (names, order) => {
	const { queue, started, add, next } = setupQueue();
	await add(...names);
	const expected = order.split(" ");
	const positions = await Promise.all(expected.map((name) => queue.positionOf(name, ["fake"])));
	expect(positions).toStrictEqual(expected.map((_, index) => index + 1));
	while ((await next()) !== undefined);
	expect(started).toStrictEqual(expected);
});

test("a removed task does not run, and a running one is not removed", async () => {
	const { queue, started, add, next } = setupQueue();
	await add("a1", "a2", "b1", "b2");
	expect(await next()).toBe("a1");
	for (const name of ["a1", "b1", "a2", "none"]) await queue.remove(name);
	expect([...(await queue.findQueued(["a1", "a2", "b1", "b2"]))]).toStrictEqual(["a1", "b2"]);
	expect(await queue.positionOf("a2", ["fake"])).toBeNull();
	expect([await next(), await next(), started]).toStrictEqual(["b2", undefined, ["a1", "b2"]]);
});

test("a task waits for one task of another account per own task, and for the rest of two rounds", async () => {
	const steps = fc.array(fc.constantFrom("a", "b", "c", "next"), { maxLength: 60 });
	await fc.assert(
		fc.asyncProperty(steps, async (given) => {
			const { started, add, next } = setupQueue();
			const waiting: { readonly name: string; readonly account: string; readonly own: number; startedAt: number }[] =
				[];
			for (const [index, step] of given.entries()) {
				if (step === "next") await next();
				else {
					const own = waiting.filter(({ name, account }) => account === step && !started.includes(name)).length;
					waiting.push({ name: `${step}${index}`, account: step, own, startedAt: started.length });
					await add(`${step}${index}`);
				}
			}
			while ((await next()) !== undefined);
			expect(started).toHaveLength(waiting.length);
			for (const { name, account, own, startedAt } of waiting) {
				const before = started.slice(startedAt, started.indexOf(name)).map((each) => each.charAt(0));
				for (const other of ["a", "b", "c"].filter((each) => each !== account)) {
					expect(before.filter((each) => each === other).length).toBeLessThanOrEqual(own + 2);
				}
				expect(before.filter((each) => each === account)).toHaveLength(own);
			}
		}),
	);
});

test("in the studio, one task does not wait for a hundred tasks of another account", async () => {
	const engine = createFakeEngine({ concurrency: 1, script: [{ kind: "hang" }] });
	const { studio, submitTask, awaitStatus, awaitEnd, call, readTask } = await setup({ engine, credits: 1000 });
	const { key } = await studio.createKey({ account: "rival", name: "k", grantCredits: 100 });
	const running = await submitTask();
	await awaitStatus(running, "processing");
	const many = [];
	for (let index = 0; index < 20; index++) many.push(await submitTask());
	const theirs = String((await call("POST", "/api/v1/generate", { body: REQUEST, key })).body.data["taskId"]);
	expect((await call("GET", `/api/v1/task/${theirs}`, { key })).body.data).toMatchObject({ queuePosition: 2 });
	expect(await readTask(many[1] ?? "")).toMatchObject({ queuePosition: 3 });
	engine.runs[0]?.finish();
	for (const taskId of [running, ...many, theirs]) await awaitEnd(taskId);
	expect(engine.runs[2]?.task.taskId).toBe(theirs);
});
