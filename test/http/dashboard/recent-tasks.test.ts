import { expect, test } from "vitest";
import { createManualClock } from "@atelier/common/testing/manual-clock";
import { readJobsPage, readRecentTasks } from "../../../src/http/dashboard/handlers/list-jobs.ts";
import { failedTask, reservedTask } from "../../fakes/stored-tasks.ts";

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

/** Yields the ids of 600 jobs, newest first. */
async function* index(before = "601") {
	for (let id = Number(before) - 1; id > 0; id--) yield String(id);
}

test("the pages of jobs follow each other, and each searches a rare state in up to 500 jobs", async () => {
	const taskStore = {
		load: async (id: string) => ({ task: { ...(id === "50" ? failedTask : reservedTask), id }, raw: "" }),
	};
	const viewer = { userId: "7", locale: "en-US", mayRefund: false, mayReport: false };
	const read = (query: Parameters<typeof readJobsPage>[1]) => readJobsPage(index, query, viewer, taskStore);
	const first = await read({});
	expect([first.items.length, first.next]).toStrictEqual([24, "577"]);
	expect((await read({ before: "577" })).items[0]?.id).toBe("576");
	expect(await read({ before: "3" })).toMatchObject({ items: [{ id: "2" }, { id: "1" }], next: null });
	expect(await read({ state: "failed" })).toStrictEqual({ items: [], next: "101" });
	expect(await read({ state: "failed", before: "101" })).toMatchObject({ items: [{ id: "50" }], next: null });
});
