import { IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";
import { expect, test } from "vitest";
import { createManualClock } from "@atelier/common/testing/manual-clock";
import { ApiError } from "../../../src/http/dashboard/api-error.ts";
import type { DashboardServices } from "../../../src/http/dashboard/dashboard-services.ts";
import { createRunningTasks, streamRunningJobs } from "../../../src/http/dashboard/running-jobs.ts";
import { createdTask } from "../../fakes/stored-tasks.ts";

const DEADLINE_MS = 60_000;

/** A server with `count` tasks, all of which run. */
function setup(count: number) {
	const clock = createManualClock(1);
	const reads: string[] = [];
	const readRunning = createRunningTasks({
		clock,
		deadlineMsMax: DEADLINE_MS,
		ledger: {
			balance: async () => ({ postedCredits: 7, heldCredits: 0, availableCredits: 7, expiring: [] }),
			history: async () => [],
		},
		taskStore: {
			async load(id) {
				return { task: { ...createdTask, id }, raw: "" };
			},
			move: async () => undefined,
			async *ofGuild(guildId) {
				reads.push(guildId);
				for (let id = count; id > 0; id--) yield String(id);
			},
			async *ofMember() {},
		},
	});
	return { clock, reads, readRunning };
}

test("the open pages of a server share a reading of its jobs for two seconds", async () => {
	const { clock, reads, readRunning } = setup(3);
	const [one, other] = await Promise.all([readRunning("1"), readRunning("1")]);
	expect(one).toBe(other);
	expect(one).toMatchObject({ hasMoreRunning: false, availableCredits: 7 });
	expect(one.running).toHaveLength(3);
	await readRunning("2");
	await clock.advance(1_000);
	await readRunning("1");
	expect(reads).toStrictEqual(["1", "2"]);
	await clock.advance(1_000);
	await readRunning("1");
	expect(reads).toStrictEqual(["1", "2", "1"]);
});

test("with more than 100 running jobs, 100 are listed with a note that there are more, until the deadline of the others has passed", async () => {
	const { clock, readRunning } = setup(101);
	const full = await readRunning("1");
	expect(full.running).toHaveLength(100);
	expect(full.hasMoreRunning).toBe(true);
	await clock.advance(DEADLINE_MS);
	expect((await readRunning("1")).hasMoreRunning).toBe(false);
	expect((await setup(100).readRunning("1")).hasMoreRunning).toBe(false);
});

test("the stream of a page that closed before it began reads nothing", async () => {
	const { clock, readRunning } = setup(0);
	const response = new ServerResponse(new IncomingMessage(new Socket()));
	response.destroy();
	const denied = new ApiError("forbidden", { key: "web.notAMember" });
	const stream = { guildId: "1", authorize: () => Promise.reject(denied), stopping: new AbortController().signal };
	const services = { clock } as unknown as DashboardServices;
	await expect(streamRunningJobs(response, stream, { services, readRunning })).resolves.toBeUndefined();
});
