import { expect, test } from "vitest";
import { createManualClock } from "@atelier/common/testing/manual-clock";
import { readRecentTasks } from "../../../src/http/dashboard/handlers/list-jobs.ts";
import { reservedTask } from "../../fakes/stored-tasks.ts";

const DEADLINE_MS = 60_000;

/** Reads the recent tasks of a server with `count` tasks, all of which run. */
function setup(count: number) {
	const clock = createManualClock(1);
	const taskStore = {
		load: async (id: string) => ({ task: { ...reservedTask, id }, raw: "" }),
		move: async () => undefined,
		async *ofGuild() {
			for (let id = count; id > 0; id--) yield String(id);
		},
		async *ofMember() {},
	};
	return { clock, read: () => readRecentTasks("1", { clock, taskStore, deadlineMsMax: DEADLINE_MS }) };
}

test("of more than 100 running jobs 100 are read, and others may run until their deadline has passed", async () => {
	const { clock, read } = setup(101);
	const { tasks, hasMoreRunning } = await read();
	expect(tasks).toHaveLength(100);
	expect(hasMoreRunning).toBe(true);
	await clock.advance(DEADLINE_MS);
	expect((await read()).hasMoreRunning).toBe(false);
	expect((await setup(100).read()).hasMoreRunning).toBe(false);
});
