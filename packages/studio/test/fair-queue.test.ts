import * as fc from "fast-check";
import { expect, test } from "vitest";
import { createFairQueue } from "../src/fair-queue.ts";
import { createFakeEngine } from "../testing/fake-engine.ts";
import { ORDER, setup } from "../testing/studio-setup.ts";

interface Entry {
	readonly account: string;
	readonly name: string;
}

function queueOf(...names: readonly string[]) {
	const queue = createFairQueue<Entry>();
	const entries = names.map((name) => ({ account: name[0] ?? "", name }));
	for (const entry of entries) queue.push(entry);
	const drained = (): string[] =>
		Array.from({ length: entries.length }, () => queue.shift()?.name ?? "").filter(Boolean);
	return { queue, entries, drained };
}

test("serves one account in order of arrival", () => {
	expect(queueOf("a1", "a2", "a3").drained()).toStrictEqual(["a1", "a2", "a3"]);
});

test("alternates between accounts, however many entries each has", () => {
	expect(queueOf("a1", "a2", "a3", "a4", "b1", "c1", "b2").drained()).toStrictEqual([
		"a1",
		"b1",
		"c1",
		"a2",
		"b2",
		"a3",
		"a4",
	]);
});

test("serves a returning account after those that wait", () => {
	const { queue } = queueOf("a1", "b1", "b2");
	expect(queue.shift()?.name).toBe("a1");
	queue.push({ account: "a", name: "a2" });
	expect([queue.shift()?.name, queue.shift()?.name, queue.shift()?.name]).toStrictEqual(["b1", "a2", "b2"]);
	expect(queue.shift()).toBeUndefined();
});

test("does not serve removed entries", () => {
	const { queue, entries, drained } = queueOf("a1", "a2", "b1", "b2", "c1");
	// Not a waiting entry.
	queue.remove({ account: "c", name: "c1" });
	for (const entry of entries.filter(({ name }) => name !== "b1" && name !== "c1")) {
		queue.remove(entry);
		expect(queue.positionOf(entry)).toBeNull();
	}
	expect(drained()).toStrictEqual(["b1", "c1"]);
});

/** A naive implementation of the same rules. */
function plainOrder(accounts: ReadonlyMap<string, readonly string[]>): string[] {
	const left = [...accounts.values()].map((line) => [...line]);
	const order: string[] = [];
	while (left.some((line) => line.length > 0)) order.push(...left.flatMap((line) => line.splice(0, 1)));
	return order;
}

const STEPS = fc.array(
	fc.oneof(
		{
			weight: 3,
			arbitrary: fc.record({ kind: fc.constant("push" as const), account: fc.constantFrom("a", "b", "c", "d", "e") }),
		},
		{ weight: 1, arbitrary: fc.record({ kind: fc.constant("shift" as const) }) },
		{ weight: 1, arbitrary: fc.record({ kind: fc.constant("remove" as const), which: fc.nat() }) },
	),
	{ maxLength: 60 },
);

test("a position is the number of turns, after any additions, removals and turns", () => {
	fc.assert(
		fc.property(STEPS, (steps) => {
			const queue = createFairQueue<Entry>();
			const model = new Map<string, string[]>();
			const waiting = new Map<string, Entry>();
			const served: [unknown, unknown][] = [];
			const take = (name: string): void => {
				const account = name[0] ?? "";
				const rest = (model.get(account) ?? []).filter((each) => each !== name);
				if (rest.length > 0) model.set(account, rest);
				else model.delete(account);
				waiting.delete(name);
			};
			for (const [index, step] of steps.entries()) {
				if (step.kind === "push") {
					const entry = { account: step.account, name: `${step.account}${index}` };
					queue.push(entry);
					waiting.set(entry.name, entry);
					model.set(entry.account, [...(model.get(entry.account) ?? []), entry.name]);
				} else if (step.kind === "remove") {
					const entry = [...waiting.values()][step.which % Math.max(1, waiting.size)];
					if (!entry) continue;
					queue.remove(entry);
					take(entry.name);
				} else {
					const [expected] = plainOrder(model);
					const next = queue.shift();
					served.push([next?.name, expected]);
					if (!next) continue;
					const line = model.get(next.account) ?? [];
					// A served account goes to the end.
					model.delete(next.account);
					model.set(next.account, line);
					take(next.name);
				}
				const order = plainOrder(model);
				expect(order.map((name) => queue.positionOf(waiting.get(name) as Entry))).toStrictEqual(
					order.map((_, place) => place + 1),
				);
			}
			for (const [next, expected] of served) expect(next).toBe(expected);
			expect(plainOrder(model)).toStrictEqual([...waiting.keys()].map(() => queue.shift()?.name));
			expect(queue.shift()).toBeUndefined();
		}),
	);
});

test("in the studio, one task does not wait for a hundred tasks of another account", async () => {
	const engine = createFakeEngine({ concurrency: 1, script: [{ kind: "hang" }] });
	const { studio, submitted, when, ended, call, task } = await setup({ engine, credits: 1000 });
	const { key } = await studio.createKey({ account: "rival", name: "k", grantCredits: 100 });
	const running = await submitted();
	await when(running, "processing");
	const many = [];
	for (let index = 0; index < 20; index++) many.push(await submitted());
	const theirs = String((await call("POST", "/api/v1/generate", { body: ORDER, key })).body.data["taskId"]);
	expect((await call("GET", `/api/v1/task/${theirs}`, { key })).body.data).toMatchObject({ queuePosition: 2 });
	expect(await task(many[1] ?? "")).toMatchObject({ queuePosition: 3 });
	engine.runs[0]?.finish();
	for (const taskId of [running, ...many, theirs]) await ended(taskId);
	expect(engine.runs[2]?.task.taskId).toBe(theirs);
});
