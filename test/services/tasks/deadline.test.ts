import { describe, expect, test } from "vitest";
import { MediaHttpError, MediaUnavailableError } from "../../../src/services/generation/media-api.ts";
import { createKeyvStore } from "@atelier/store/keyv-store";
import { createCrashingStore } from "@atelier/store/testing/crashing-store";
import { made, open } from "../../fakes/fake-media-api.ts";
import { MINUTE_MS, SECOND_MS, TASK, taskRequest, setup, textOf } from "./task-setup.ts";

/** A service that has an order, and does not get done with it. */
async function setupRunningTask() {
	const all = setup();
	all.media.answer = open;
	await all.process.submit();
	await all.pass(SECOND_MS);
	const taskNow = async () => (await all.process.tasks.load(TASK))?.task;
	return { ...all, taskNow };
}

const CANCELED = { state: "failed", code: "canceled", reason: "" } as const;

describe("a task after its deadline", () => {
	test("is refunded, and the service gets a cancel", async () => {
		const { process, media, replyClient, openKeys, pass, taskNow } = await setupRunningTask();
		await pass(11 * MINUTE_MS);
		expect(textOf(replyClient)).toMatch(/took too long and was given up\..*Nothing was charged\.$/);
		expect(await process.balance()).toMatchObject({ postedCredits: 10, heldCredits: 0 });
		expect(new Set(media.cancels)).toStrictEqual(new Set(["remote-1"]));
		media.answer = CANCELED;
		await pass(MINUTE_MS);
		expect(await taskNow()).toMatchObject({ state: "withdrawn", end: "stopped" });
		expect(await openKeys()).toStrictEqual([]);
	});

	test.each([
		["image", 10],
		["music", 30],
		["video", 60],
	] as const)("of %s ends after %d minutes", async (mediaType, minutes) => {
		const { process, media, replyClient, pass } = setup();
		media.answer = open;
		await process.submit({ request: { ...taskRequest.request, mediaType } });
		await pass((minutes - 1) * MINUTE_MS);
		expect(replyClient.calls).toBe(0);
		await pass(2 * MINUTE_MS);
		expect(textOf(replyClient)).toContain("took too long");
	});

	test("that is generated nevertheless is neither charged nor delivered, but logged", async () => {
		const { process, media, replyClient, logged, pass, taskNow } = await setupRunningTask();
		await pass(11 * MINUTE_MS);
		media.answer = made();
		await pass(MINUTE_MS);
		expect(await taskNow()).toMatchObject({ state: "withdrawn", end: "madeTooLate" });
		expect(logged("warn")).toContain("result of abandoned task dropped, not charged");
		expect(replyClient.calls).toBe(1);
		expect(await process.balance()).toMatchObject({ postedCredits: 10, heldCredits: 0 });
	});

	test("that was finished at the last poll is delivered and charged", async () => {
		const { process, boot, media, replyClient, pass } = await setupRunningTask();
		await pass(9 * MINUTE_MS);
		await process.runner.stop();
		await pass(5 * MINUTE_MS);
		media.answer = made();
		await boot().runner.recover();
		await pass(SECOND_MS);
		expect(textOf(replyClient)).toContain("4 credits · 6 left");
	});

	test("is canceled at an unreachable service as soon as it is back", async () => {
		const { process, media, pass } = await setupRunningTask();
		media.failuresBefore.push(...Array.from({ length: 200 }, () => new MediaUnavailableError("down")));
		await pass(14 * MINUTE_MS);
		expect(await process.stateOf()).toBe("delivered");
		expect(await process.balance()).toMatchObject({ availableCredits: 10 });
		media.failuresBefore.length = 0;
		const before = media.cancels.length;
		await pass(MINUTE_MS);
		expect(media.cancels.slice(before)).toStrictEqual(["remote-1"]);
	});

	test("is canceled at a silent service for a quarter of an hour, and then reported to the operator", async () => {
		const { media, logged, openKeys, pass, taskNow } = await setupRunningTask();
		await pass(11 * MINUTE_MS);
		media.failuresBefore.push(...Array.from({ length: 1000 }, () => new MediaUnavailableError("down")));
		await pass(20 * MINUTE_MS);
		expect(await taskNow()).toMatchObject({ state: "withdrawn", end: "unknown" });
		expect(logged("error")).toContain("abandoned task may still run and be billed: look it up at the service");
		expect(await openKeys()).toStrictEqual([]);
	});

	test("is followed until its end at a service without cancellation", async () => {
		const { media, pass, taskNow } = await setupRunningTask();
		media.cancelAnswer = "not_supported";
		await pass(13 * MINUTE_MS);
		media.answer = made();
		await pass(MINUTE_MS);
		expect(await taskNow()).toMatchObject({ state: "withdrawn", end: "madeTooLate" });
	});

	test("is not followed at a service that no longer knows it", async () => {
		const { media, openKeys, pass, taskNow } = await setupRunningTask();
		await pass(10 * MINUTE_MS + 30 * SECOND_MS);
		media.failuresBefore.push(...Array.from({ length: 6 }, () => new MediaHttpError("nothing there", 404)));
		await pass(2 * MINUTE_MS);
		expect(await taskNow()).toMatchObject({ state: "withdrawn", end: "unknown" });
		expect(await openKeys()).toStrictEqual([]);
	});
});

describe("a process that is killed around the deadline", () => {
	const deaths = Array.from({ length: 12 }, (_, n) => [Math.floor(n / 2), n % 2 === 1] as const);

	test.each(deaths)(
		"at write %d (executed: %s) leaves one refund, one reply, and a canceled remote task",
		async (writes, lastIsWritten) => {
			const { storage, boot, media, replyClient, openKeys, pass, process } = setup();
			media.answer = open;
			const store = createCrashingStore(createKeyvStore(storage));
			const killed = boot(store);
			await killed.submit();
			await pass(9 * MINUTE_MS);
			store.arm(writes, { lastIsWritten });
			await pass(2 * MINUTE_MS);
			await killed.runner.stop();

			const before = (await process.tasks.load(TASK))?.task;
			const isGivenUp = before?.state === "delivered" && before.cancelAnswer !== undefined;
			const notices = media.cancels.length;
			await process.runner.recover();
			await pass(MINUTE_MS);
			expect(media.cancels.length > notices).toBe(!isGivenUp);
			media.answer = CANCELED;
			await pass(MINUTE_MS);
			expect(await process.balance()).toMatchObject({ postedCredits: 10, heldCredits: 0 });
			expect(replyClient.seen.size).toBe(1);
			expect(textOf(replyClient)).toContain("Nothing was charged.");
			expect(await process.stateOf()).toBe("withdrawn");
			await boot().runner.recover();
			await pass(SECOND_MS);
			expect(await openKeys()).toStrictEqual([]);
		},
	);
});
