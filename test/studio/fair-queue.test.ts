import * as fc from "fast-check";
import { expect, test } from "vitest";
import { createFairQueue } from "../../src/studio/fair-queue.ts";
import { createFakeEngine } from "../fakes/fake-engine.ts";
import { ORDER, setup } from "./studio-setup.ts";

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

test("one account is served in the order of asking", () => {
	expect(queueOf("a1", "a2", "a3").drained()).toStrictEqual(["a1", "a2", "a3"]);
});

test("accounts take turns: who asks for much does not keep who asks for little", () => {
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

test("an account that comes back waits for those who came before", () => {
	const { queue } = queueOf("a1", "b1", "b2");
	expect(queue.shift()?.name).toBe("a1");
	queue.push({ account: "a", name: "a2" });
	expect([queue.shift()?.name, queue.shift()?.name, queue.shift()?.name]).toStrictEqual(["b1", "a2", "b2"]);
	expect(queue.shift()).toBeUndefined();
});

test("what is taken out is not served", () => {
	const { queue, entries, drained } = queueOf("a1", "a2", "b1", "b2");
	const [first] = entries;
	if (first) queue.remove(first);
	expect(queue.removeWhere(({ name }) => name.endsWith("2")).map(({ name }) => name)).toStrictEqual(["a2", "b2"]);
	expect(first && queue.positionOf(first)).toBeNull();
	expect(drained()).toStrictEqual(["b1"]);
});

test("a position is how many turns it takes", () => {
	const names = fc.array(fc.constantFrom("a", "b", "c", "d"), { maxLength: 30 });
	fc.assert(
		fc.property(names, fc.nat(10), (accounts, served) => {
			const { queue, entries } = queueOf(...accounts.map((account, index) => `${account}${index}`));
			for (let count = 0; count < served; count++) queue.shift();
			const positions = new Map(entries.map((entry) => [entry.name, queue.positionOf(entry)]));
			for (let turn = 1; ; turn++) {
				const next = queue.shift();
				if (!next) break;
				expect(positions.get(next.name)).toBe(turn);
			}
		}),
	);
});

test("in the studio one account's hundred tasks do not keep another's one", async () => {
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
