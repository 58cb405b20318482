import { Readable } from "node:stream";
import { pino } from "pino";
import { expect, test } from "vitest";
import { openMemoryStore } from "@atelier/store/testing/memory-store";
import { createManualClock } from "@atelier/common/testing/manual-clock";
import { createWithheldDecisions, type WithheldAction } from "../../../src/services/moderation/withheld-decisions.ts";
import type { Task } from "../../../src/services/tasks/task.ts";
import { createTaskStore } from "../../../src/services/tasks/task-store.ts";
import { createMemoryResultStore } from "../../fakes/memory-result-store.ts";
import { failedTask } from "../../fakes/stored-tasks.ts";

const withheld = { cause: "flagged", categories: [], files: [], seed: null } as const;
const why = { key: "service.timedOut" } as const;
const withheldTask = { ...failedTask, outcome: { kind: "failed", cause: "withheld", why, withheld } } as Task;
const { id: taskId, guildId } = withheldTask;

async function setup(task: Task = withheldTask) {
	const taskStore = createTaskStore(openMemoryStore());
	await taskStore.create(task);
	const results = createMemoryResultStore();
	const file = await results.stage(taskId, Readable.from([Buffer.from("an image")]));
	await file.store(0);
	const woken: string[] = [];
	const runner = { wake: (id: string) => void woken.push(id) };
	const service = createWithheldDecisions({ taskStore, results, runner, clock: createManualClock() });
	const decide = (action: WithheldAction, { userId = "60", isManager = false } = {}) =>
		service.decide({ guildId, userId, isManager }, taskId, action, pino({ level: "silent" }));
	const hasFile = async () => (await results.open(taskId, 0)) !== undefined;
	return { decide, results, woken, hasFile };
}

test("a discarded result loses its files, and a shown one keeps them for its delivery", async () => {
	const discarded = await setup();
	await discarded.decide("discard");
	expect([discarded.woken, await discarded.hasFile()]).toStrictEqual([[], false]);
	await expect(discarded.decide("show")).rejects.toThrow("withheld.decided");
	const shown = await setup();
	await shown.decide("show");
	expect([shown.woken, await shown.hasFile()]).toStrictEqual([[taskId], true]);
});

test("a result is not decided before its member knows the outcome, nor shown without its files", async () => {
	const undelivered = await setup({ ...withheldTask, state: "settled" } as Task);
	await expect(undelivered.decide("discard")).rejects.toThrow("job.notDone");
	const { decide, results } = await setup();
	await results.remove(taskId);
	await expect(decide("show")).rejects.toThrow("job.filesGone");
});

test("a moderator discards their own result but does not show it, unless they are a manager", async () => {
	const { userId } = withheldTask;
	const own = await setup();
	await expect(own.decide("show", { userId })).rejects.toThrow("withheld.own");
	await own.decide("discard", { userId });
	expect(await own.hasFile()).toBe(false);
	const { decide, woken } = await setup();
	await decide("show", { userId, isManager: true });
	expect(woken).toStrictEqual([taskId]);
});
