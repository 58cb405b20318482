import { pino } from "pino";
import { describe, expect, test } from "vitest";
import { ReplyClientUnavailableError } from "../../../src/services/delivery/reply-client.ts";
import type { RemoteTask } from "@atelier/media-protocol/remote-task";
import { createProgressUpdates } from "../../../src/services/tasks/progress-updates.ts";
import { made, open } from "../../fakes/fake-media-api.ts";
import { MINUTE_MS, SECOND_MS, TASK, taskRequest, setup, textOf } from "./task-setup.ts";

/** A video of which the service says what a test lets it say, and a reply whose token lives for fifteen minutes. */
async function setupRunningTask(change: Partial<typeof taskRequest> = {}) {
	const all = setup();
	all.media.answer = open;
	const reply = { ...taskRequest.reply, tokenExpiresAtMs: all.clock.nowMs() + 15 * MINUTE_MS };
	await all.process.submit({ request: { ...taskRequest.request, mediaType: "video" }, reply, ...change });
	const said = (): string[] => all.replyClient.reported.map(({ text }) => text.replaceAll(/<t:\d+:R>/g, "<then>"));
	return { ...all, said };
}

const silent = pino({ level: "silent" });
const COST = "-# video by Paint · 4 credits, charged when it is made";

describe("while a task is running", () => {
	test("the reply shows the state after three seconds, with the cost and a cancel button", async () => {
		const { replyClient, pass, said } = await setupRunningTask();
		await pass(2_750);
		expect(said()).toStrictEqual([]);
		await pass(500);
		expect(said()).toStrictEqual([`**Being made**\n${COST}`]);
		expect(replyClient.reported[0]).toMatchObject({
			taskId: TASK,
			buttons: [{ action: "cancel", label: "Cancel", isDisabled: false }],
		});
	});

	test("a fast task shows no progress", async () => {
		const { media, replyClient, pass, said } = await setupRunningTask();
		media.answer = { state: "failed", code: "internal", reason: "" };
		await pass(MINUTE_MS);
		expect(textOf(replyClient)).toContain("tried, and failed");
		expect(said()).toStrictEqual([]);
	});

	test("the queue position, the progress and the expected end are updated", async () => {
		const { media, pass, said } = await setupRunningTask();
		media.answer = { ...open, phase: "queued", queuePosition: 3, estimatedSeconds: 60 };
		await pass(20 * SECOND_MS);
		media.answer = { ...open, phase: "running", progressPercent: 47 };
		await pass(60 * SECOND_MS);
		expect(said()).toContain(`**Waiting for its turn** · number 3 in the queue · ready about <then>\n${COST}`);
		expect(said().at(-1)).toMatch(/^\*\*Being made\*\* · ▰▰▰▰▱▱▱▱▱▱ 40 % · ready about <then>\n/);
	});

	test("unchanged progress causes no edit", async () => {
		const { media, pass, said } = await setupRunningTask();
		media.answer = { ...open, phase: "queued", queuePosition: 3 };
		await pass(5 * MINUTE_MS);
		expect(said()).toStrictEqual([`**Waiting for its turn** · number 3 in the queue\n${COST}`]);
	});

	test("the reply is edited at most once in five seconds", async () => {
		const { clock, media, replyClient, process, pass } = await setupRunningTask();
		const atMs: number[] = [];
		replyClient.onReport = async () => atMs.push(clock.nowMs()) > 0;
		for (let percent = 0; percent < 100; percent++) {
			media.answer = { ...open, phase: "running", progressPercent: percent };
			process.runner.wake(TASK);
			await pass(SECOND_MS / 2);
		}
		expect(atMs.length).toBeGreaterThan(5);
		expect(atMs.slice(1).filter((ms, index) => ms - (atMs[index] ?? 0) < 5_000)).toStrictEqual([]);
	});

	test("an expected end that has passed is removed", async () => {
		const { media, pass, said } = await setupRunningTask();
		media.answer = { ...open, phase: "running", estimatedSeconds: 30 };
		await pass(6 * SECOND_MS);
		media.answer = open;
		await pass(2 * MINUTE_MS);
		expect(said()[0]).toContain("ready about");
		expect(said().at(-1)).not.toContain("ready about");
	});

	test("a cancellation is shown, and its button is disabled", async () => {
		const { replyClient, process, pass, said, media, logger } = await setupRunningTask();
		media.cancelAnswer = "not_supported";
		await pass(4 * SECOND_MS);
		const { guildId, userId } = taskRequest;
		const canceling = process.jobs.cancel({ guildId, userId, isModerator: false }, TASK, logger);
		await pass(20 * SECOND_MS);
		await canceling;
		expect(said().at(-1)).toContain("**Being canceled**");
		expect(replyClient.reported.at(-1)?.buttons).toMatchObject([{ action: "cancel", isDisabled: true }]);
	});

	test("progress ends before the delay notice is due", async () => {
		const { clock, media, replyClient, process, pass } = await setupRunningTask();
		const atMs: number[] = [];
		replyClient.onReport = async () => atMs.push(clock.nowMs()) > 0;
		const beganMs = clock.nowMs();
		for (let minute = 0; minute < 20; minute++) {
			media.answer = { ...open, phase: "running", progressPercent: minute * 5 };
			process.runner.wake(TASK);
			await pass(MINUTE_MS);
		}
		expect(atMs.at(-1)).toBeGreaterThan(beganMs + 10 * MINUTE_MS);
		expect(atMs.at(-1)).toBeLessThanOrEqual(beganMs + 13.5 * MINUTE_MS);
		expect(replyClient.notices).toHaveLength(1);
	});

	test("a deleted reply is not edited again", async () => {
		const { media, replyClient, process, pass } = await setupRunningTask();
		replyClient.onReport = async () => false;
		for (let percent = 0; percent < 100; percent += 10) {
			media.answer = { ...open, phase: "running", progressPercent: percent };
			process.runner.wake(TASK);
			await pass(30 * SECOND_MS);
		}
		expect(replyClient.reported).toHaveLength(1);
	});

	test("an edit that Discord rejects delays neither polls nor the result, and is repeated later", async () => {
		const { media, replyClient, pass, said } = await setupRunningTask();
		replyClient.onReport = () => Promise.reject(new ReplyClientUnavailableError("429", 12_000));
		await pass(14 * SECOND_MS);
		expect(said()).toHaveLength(1);
		await pass(3 * SECOND_MS);
		expect(said()).toHaveLength(2);
		media.answer = { state: "failed", code: "internal", reason: "" };
		await pass(15 * SECOND_MS);
		expect(textOf(replyClient)).toContain("tried, and failed");
	});
});

/** A progress edit that is running when the result is ready. */
async function overtaken(end: RemoteTask = { state: "failed", code: "internal", reason: "" }) {
	const all = await setupRunningTask();
	const { media, replyClient, process, pass } = all;
	const underWay = Promise.withResolvers<boolean>();
	replyClient.onReport = () => underWay.promise;
	await pass(3_500);
	expect(replyClient.reported).toHaveLength(1);
	media.answer = end;
	process.runner.wake(TASK);
	return { ...all, underWay };
}

describe("the result and the last progress edit", () => {
	test("are ordered: the delivery waits for the running edit", async () => {
		const { replyClient, process, pass, underWay } = await overtaken();
		await pass(500);
		expect(replyClient.seen.size).toBe(0);
		underWay.resolve(true);
		await pass(250);
		expect(textOf(replyClient)).toContain("tried, and failed");
		const loaded = await process.tasks.load(TASK);
		expect(loaded?.task).not.toHaveProperty("checkAtMs");
	});

	test("are delayed by a hanging edit for a second, and the result is verified", async () => {
		const { replyClient, openKeys, process, pass } = await overtaken();
		await pass(1_500);
		expect(textOf(replyClient)).toContain("tried, and failed");
		expect(await openKeys()).toStrictEqual([`open:${TASK}`]);
		await pass(21 * SECOND_MS);
		expect(await openKeys()).toStrictEqual([]);
		expect(await process.stateOf()).toBe("delivered");
		expect(replyClient.calls).toBe(1);
	});

	test("are sent again if the result is not visible", async () => {
		const { replyClient, openKeys, pass } = await overtaken();
		await pass(1_500);
		replyClient.stillStands = false;
		replyClient.seen.clear();
		await pass(21 * SECOND_MS);
		expect(textOf(replyClient)).toContain("tried, and failed");
		expect(replyClient.calls).toBe(2);
		expect(await openKeys()).toStrictEqual([]);
	});

	test("stay as they are if the files of the result have expired", async () => {
		const { replyClient, openKeys, pass, results } = await overtaken(made());
		await pass(1_500);
		expect(replyClient.seen.get(TASK)?.files).toHaveLength(1);
		await results.remove(TASK);
		replyClient.stillStands = false;
		await pass(21 * SECOND_MS);
		expect(replyClient.calls).toBe(1);
		expect(await openKeys()).toStrictEqual([]);
	});

	test("are verified once if the previous process may have sent an edit at its end", async () => {
		const { boot, media, replyClient, openKeys, process, pass } = await setupRunningTask();
		await pass(4 * SECOND_MS);
		await process.runner.stop();
		media.answer = { state: "failed", code: "internal", reason: "" };
		await boot().runner.recover();
		await pass(5 * SECOND_MS);
		expect(textOf(replyClient)).toContain("tried, and failed");
		expect(await openKeys()).toStrictEqual([`open:${TASK}`]);
		await pass(20 * SECOND_MS);
		expect(await openKeys()).toStrictEqual([]);
		expect(replyClient.calls).toBe(1);
	});
});

test("an edit of a process whose clock is ahead counts as possibly running", async () => {
	const { clock, process } = setup();
	await process.submit();
	const task = (await process.tasks.load(TASK))?.task;
	if (!task) throw new Error("no task");
	const news = createProgressUpdates({
		tasks: process.tasks,
		replyClient: { updateProgress: async () => true },
		clock,
		logger: silent,
		isStoreShared: true,
	});
	const endAfter = async (ms: number): Promise<boolean> =>
		await news.end({
			...task,
			createdAtMs: clock.nowMs() - ms,
			reply: { ...task.reply, tokenExpiresAtMs: clock.nowMs() + 15 * MINUTE_MS },
		});
	expect([await endAfter(1_900), await endAfter(2_100)]).toStrictEqual([false, true]);
});
