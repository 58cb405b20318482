import { describe, expect, test } from "vitest";
import { createKeyvStore } from "@atelier/store/keyv-store";
import { MediaUnavailableError } from "../../../src/services/generation/media-api.ts";
import { runningRemoteTask } from "../../fakes/fake-media-api.ts";
import { storeFile } from "../../fakes/file-content.ts";
import { MINUTE_MS, OWNER, SECOND_MS, TASK, submission, setup } from "./task-setup.ts";

const DAY_MS = 24 * 60 * MINUTE_MS;
const RETENTION_MS = 30 * DAY_MS;
const LATER_TASK = "1000000000000000010";

async function setupDelivered() {
	const fixture = setup();
	await fixture.process.run(SECOND_MS);
	return fixture;
}

describe("a task that has ended", () => {
	test("is kept for the retention period, and then removed with its files and its list entry", async () => {
		const { process, storage, clock, results } = await setupDelivered();
		const keys = async () => (await Array.fromAsync(storage.scan(""))).filter(({ key }) => /task:|^open:/.test(key));
		// The store was full, and has removed the first file.
		await results.remove(TASK);
		await storeFile(results, TASK, 1, Buffer.from("an image"));
		await clock.advance(RETENTION_MS - MINUTE_MS);
		await process.removeOld(RETENTION_MS);
		expect(await process.memberTasks.list(OWNER, { max: 5, memberId: OWNER.userId })).toMatchObject([
			{ id: TASK, state: "delivered" },
		]);
		await clock.advance(2 * MINUTE_MS);
		await process.removeOld(RETENTION_MS, AbortSignal.abort());
		// A removal in a stopping process leaves the task.
		expect(await keys()).toHaveLength(4);
		await process.removeOld(RETENTION_MS);
		expect(await process.memberTasks.list(OWNER, { max: 5, memberId: OWNER.userId })).toStrictEqual([]);
		expect(await keys()).toStrictEqual([]);
		expect(await results.open(TASK, 1)).toBeUndefined();
	});

	test("is kept for the retention period from a late delivery", async () => {
		const { process, clock } = await setupDelivered();
		await clock.advance(RETENTION_MS + MINUTE_MS);
		const loaded = await process.taskStore.load(TASK);
		if (loaded?.task.state !== "delivered") throw new Error("task not delivered");
		await process.taskStore.move(loaded, { ...loaded.task, deliveredAtMs: clock.nowMs() });
		await process.removeOld(RETENTION_MS);
		expect(await process.stateOf()).toBe("delivered");
	});

	test("that is too young is kept and ends the scan, because all later ones are younger", async () => {
		const { process, storage, boot, clock, advance } = await setupDelivered();
		await clock.advance(20 * DAY_MS);
		for (let n = 10; n < 40; n++)
			await process.submit({ id: `10000000000000000${n}`, request: { ...submission.request, costCredits: 0 } });
		await advance(SECOND_MS);
		await clock.advance(11 * DAY_MS);
		const read: string[] = [];
		const watched: typeof storage = {
			...storage,
			async *scan(prefix) {
				for await (const each of storage.scan(prefix)) yield ((read.push(each.key), each));
			},
		};
		await boot(createKeyvStore(watched)).removeOld(RETENTION_MS);
		expect(read).toStrictEqual([`task:${TASK}`, `task:${LATER_TASK}`]);
		expect(await process.stateOf(LATER_TASK)).toBe("delivered");
	});

	test("that ended at its deadline is kept until the service has accepted its cancellation", async () => {
		const { process, media, advance, clock } = await setupDelivered();
		media.answer = runningRemoteTask;
		media.cancel = () => Promise.reject(new MediaUnavailableError("down"));
		await process.submit({ id: LATER_TASK });
		await advance(11 * MINUTE_MS);
		await process.runner.stop();
		await clock.advance(RETENTION_MS + MINUTE_MS);
		await process.removeOld(RETENTION_MS);
		expect([await process.stateOf(LATER_TASK), await process.stateOf(TASK)]).toStrictEqual(["delivered", undefined]);
	});
});
