import { describe, expect, onTestFinished, test } from "vitest";
import type { RemoteTask } from "@atelier/media-protocol/remote-task";
import { ReplyClientUnavailableError, type ProgressUpdateResult } from "../../../src/services/delivery/reply-client.ts";
import { NO_FAILED_ATTEMPTS } from "../../../src/services/tasks/failed-attempts.ts";
import { createProgressUpdates } from "../../../src/services/tasks/progress-updates.ts";
import { finishedRemoteTask, runningRemoteTask } from "../../fakes/fake-media-api.ts";
import { baseOf } from "../../../src/services/tasks/task.ts";
import { reservedTask } from "../../fakes/stored-tasks.ts";
import { MINUTE_MS, SECOND_MS, setup, submission, TASK, textOf } from "./task-setup.ts";

const COST = "-# Video with Paint · 4 credits, charged when done";
const FAILED = { state: "failed", code: "internal", reason: "" } as const;

/** Submits a video that the service is running. The interaction token is valid for 15 minutes. */
async function setupProgress({ isBotInGuild = true } = {}) {
	const fixture = setup();
	const { clock, media, replyClient, process } = fixture;
	media.answer = runningRemoteTask;
	const reply = { ...submission.reply, tokenExpiresAtMs: clock.nowMs() + 15 * MINUTE_MS, isBotInGuild };
	await process.submit({ request: { ...submission.request, mediaType: "video" }, reply });
	const texts = (): string[] =>
		replyClient.progressUpdates.map(({ textWithoutPrompt }) => textWithoutPrompt.replaceAll(/<t:\d+:R>/g, "<then>"));
	return { ...fixture, texts };
}

describe("while a task is running", () => {
	test("the reply shows the state after three seconds, with the cost and a cancel button", async () => {
		const { replyClient, advance, texts } = await setupProgress();
		await advance(2_750);
		expect(texts()).toStrictEqual([]);
		await advance(500);
		expect(texts()).toStrictEqual([`**In progress** · ▰▰▰▰▰▰▰▰▰▱ 90% · almost done\n${COST}`]);
		expect(replyClient.progressUpdates[0]).toMatchObject({
			taskId: TASK,
			text: expect.stringMatching(/^> .*a boat/),
			buttons: [{ action: "cancel", label: "Cancel", isDisabled: false }],
		});
	});

	test("a fast task shows no progress", async () => {
		const { media, replyClient, advance, texts } = await setupProgress();
		media.answer = FAILED;
		await advance(MINUTE_MS);
		expect(textOf(replyClient)).toContain("Generation failed.");
		expect(texts()).toStrictEqual([]);
	});

	test("only changes are shown, also a cancellation, which disables its button", async () => {
		const { media, replyClient, process, advance, texts } = await setupProgress();
		media.answer = { ...runningRemoteTask, phase: "queued", queuePosition: 3 };
		await advance(5 * MINUTE_MS);
		// The second edit adds the button for a ping.
		const queued = `**In progress** · position 3 in the queue\n${COST}`;
		expect(texts()).toStrictEqual([queued, queued]);
		media.answer = { ...runningRemoteTask, phase: "running", progressPercent: 47, estimatedSeconds: 300 };
		await advance(MINUTE_MS);
		expect(texts().at(-1)).toMatch(/^\*\*In progress\*\* · ▰+▱+ \d0% · ready <then>\n/);
		media.cancelAnswer = "not_supported";
		const canceled = process.cancel();
		await advance(20 * SECOND_MS);
		await canceled;
		expect(replyClient.progressUpdates.at(-1)).toMatchObject({
			text: expect.stringContaining("**Canceling**"),
			buttons: [{ action: "cancel", isDisabled: true }, { action: "ping" }],
		});
	});

	test("the bar follows the estimate without a poll, and the text says when its end passes and when it is overdue", async () => {
		const { media, advance, texts } = await setupProgress();
		media.answer = { ...runningRemoteTask, progressPercent: 10, estimatedSeconds: 100 };
		await advance(10 * SECOND_MS);
		media.read = () => Promise.withResolvers<RemoteTask>().promise;
		await advance(40 * SECOND_MS);
		expect(texts().at(-1)).toMatch(/^\*\*In progress\*\* · ▰▰▰▰▱▱▱▱▱▱ 40% · ready <then>\n/);
		await advance(60 * SECOND_MS);
		expect(texts().at(-1)).toBe(`**In progress** · ▰▰▰▰▰▰▰▰▰▱ 90% · almost done\n${COST}`);
		await advance(110 * SECOND_MS);
		expect(texts().at(-1)).toBe(`**In progress** · ▰▰▰▰▰▰▰▰▰▱ 90% · taking longer than expected\n${COST}`);
	});

	test("a ping is offered if the estimate or the time that has passed exceeds a minute", async () => {
		const { media, replyClient, advance } = await setupProgress();
		const labels = () => replyClient.progressUpdates.at(-1)?.buttons.map(({ label }) => label);
		media.answer = { ...runningRemoteTask, estimatedSeconds: 20 };
		await advance(10 * SECOND_MS);
		expect(labels()).toStrictEqual(["Cancel"]);
		media.answer = { ...runningRemoteTask, estimatedSeconds: 200 };
		await advance(20 * SECOND_MS);
		expect(labels()).toStrictEqual(["Cancel", "Ping me when done"]);
		media.answer = { ...runningRemoteTask, estimatedSeconds: 1 };
		await advance(70 * SECOND_MS);
		expect(labels()).toStrictEqual(["Cancel", "Ping me when done"]);
	});

	test("the reply is edited at most once in five seconds", async () => {
		const { clock, media, replyClient, process, advance } = await setupProgress();
		const editsAtMs: number[] = [];
		replyClient.onProgressUpdate = async () => {
			editsAtMs.push(clock.nowMs());
			return "shown";
		};
		for (let progressPercent = 0; progressPercent < 100; progressPercent++) {
			media.answer = { ...runningRemoteTask, progressPercent };
			process.runner.wake(TASK);
			await advance(SECOND_MS / 2);
		}
		expect(editsAtMs.length).toBeGreaterThan(5);
		expect(editsAtMs.slice(1).filter((ms, index) => ms - (editsAtMs[index] ?? 0) < 5_000)).toStrictEqual([]);
	});

	test.each([
		[true, "The result will be posted here."],
		[false, "You'll get the result as a direct message"],
	])(
		"after fourteen minutes the reply says where the result comes (bot in the guild: %s), and is not edited again",
		async (isBotInGuild, text) => {
			const { advance, texts } = await setupProgress({ isBotInGuild });
			await advance(14 * MINUTE_MS - SECOND_MS);
			expect(texts().at(-1)).not.toContain(text);
			await advance(10 * SECOND_MS);
			expect(texts().at(-1)).toContain(`\nThis is taking longer than usual. ${text}`);
			const edits = texts().length;
			await advance(10 * MINUTE_MS);
			expect(texts()).toHaveLength(edits);
		},
	);

	test("a notice that is due during an upload to the reply is shown after it", async () => {
		const { replyClient, advance, texts } = await setupProgress();
		await advance(13 * MINUTE_MS);
		replyClient.onProgressUpdate = async () => "postponed";
		await advance(70 * SECOND_MS);
		replyClient.onProgressUpdate = async () => "shown";
		replyClient.progressUpdates.length = 0;
		await advance(20 * SECOND_MS);
		expect(texts()).toStrictEqual([expect.stringContaining("The result will be posted here.")]);
	});

	test("a notice is shown in time although more replies wait for an edit than the rate allows", async () => {
		const { clock, logger, replyClient, advance } = setup();
		const submitted = { ...baseOf(reservedTask), state: "submitted", remoteId: "1", submittedAtMs: 1 } as const;
		const expiring = { ...submitted.reply, tokenExpiresAtMs: clock.nowMs() + 3 * MINUTE_MS };
		const tasks = Array.from({ length: 2_500 }, (_, n) => ({ ...submitted, id: String(n) }));
		tasks[2_200] = { ...submitted, id: "2200", reply: expiring };
		const taskStore = { load: async (id: string) => ({ task: tasks[Number(id)] ?? submitted, raw: "" }) };
		const updates = createProgressUpdates({ taskStore, replyClient, clock, logger, isStoreShared: false });
		onTestFinished(() => updates.stop());
		for (let second = 0; second < 180; second += 10) {
			const unknown = { queuePosition: null, readyAtMs: null, runningSinceMs: 0 } as const;
			const progress = { phase: "running", progressPercent: second / 2, ...unknown } as const;
			for (const task of tasks) updates.follow(task, progress, NO_FAILED_ATTEMPTS);
			await advance(10 * SECOND_MS);
		}
		const update = replyClient.progressUpdates.findLast(({ taskId }) => taskId === "2200");
		expect(update?.text).toContain("The result will be posted here.");
	});

	test("a process shows no more progress once another process of the cluster runs the task", async () => {
		const { clock, logger, replyClient, advance } = setup();
		const task = { ...baseOf(reservedTask), state: "submitted", remoteId: "1", submittedAtMs: 1 } as const;
		const running = { ...task, reply: { ...task.reply, tokenExpiresAtMs: clock.nowMs() + 15 * MINUTE_MS } };
		const taskStore = { load: async () => ({ task: running, raw: "" }) };
		const updates = createProgressUpdates({ taskStore, replyClient, clock, logger, isStoreShared: true });
		onTestFinished(() => updates.stop());
		const readyAtMs = clock.nowMs() + 5 * MINUTE_MS;
		const progress = { phase: "running", progressPercent: null, queuePosition: null, readyAtMs } as const;
		updates.follow(running, { ...progress, runningSinceMs: clock.nowMs() }, NO_FAILED_ATTEMPTS);
		updates.setNextRun(task.id, clock.nowMs() + MINUTE_MS);
		await advance(70 * SECOND_MS);
		const editCount = replyClient.progressUpdates.length;
		expect(editCount).toBeGreaterThan(1);
		await advance(4 * MINUTE_MS);
		expect(replyClient.progressUpdates).toHaveLength(editCount);
	});

	test("an edit that Discord rejects delays neither polls nor the result, and is repeated later", async () => {
		const { media, replyClient, advance, texts } = await setupProgress();
		replyClient.onProgressUpdate = () => Promise.reject(new ReplyClientUnavailableError("429", 12_000));
		await advance(14 * SECOND_MS);
		expect(texts()).toHaveLength(1);
		await advance(3 * SECOND_MS);
		expect(texts()).toHaveLength(2);
		media.answer = FAILED;
		await advance(15 * SECOND_MS);
		expect(textOf(replyClient)).toContain("Generation failed.");
	});
});

/** A task whose result is ready while an edit of its reply is running. */
async function setupRunningEdit(end: RemoteTask = FAILED) {
	const fixture = await setupProgress();
	const { media, replyClient, process, advance } = fixture;
	const edit = Promise.withResolvers<ProgressUpdateResult>();
	replyClient.onProgressUpdate = () => edit.promise;
	await advance(3_500);
	expect(replyClient.progressUpdates).toHaveLength(1);
	media.answer = end;
	process.runner.wake(TASK);
	return { ...fixture, edit };
}

describe("the result of a task", () => {
	test("is delivered after the running edit", async () => {
		const { replyClient, advance, edit, taskNow } = await setupRunningEdit();
		await advance(500);
		expect(replyClient.visible.size).toBe(0);
		edit.resolve("shown");
		await advance(250);
		expect(textOf(replyClient)).toContain("Generation failed.");
		expect(await taskNow()).not.toHaveProperty("checkAtMs");
	});

	test.each([
		["is not repeated if it is visible", true, FAILED, 1],
		["is delivered again if the edit has replaced it", false, FAILED, 2],
		["is not repeated if its files have expired", false, finishedRemoteTask(), 1],
	])("is delayed by a hanging edit for a second, and %s", async (_what, isVisible, end, calls) => {
		const { process, replyClient, results, openKeys, advance } = await setupRunningEdit(end);
		await advance(1_500);
		expect(replyClient.visible.size).toBe(1);
		expect(await openKeys()).toStrictEqual([`open:${TASK}`]);
		replyClient.isReplyPresent = isVisible;
		await results.remove(TASK);
		await advance(21 * SECOND_MS);
		expect([await process.stateOf(), replyClient.calls]).toStrictEqual(["delivered", calls]);
		expect(await openKeys()).toStrictEqual([]);
	});

	test("is verified once if the previous process may have sent an edit at its end", async () => {
		const { restart, media, replyClient, openKeys, advance } = await setupProgress();
		await advance(4 * SECOND_MS);
		media.answer = FAILED;
		await restart();
		await advance(5 * SECOND_MS);
		expect(textOf(replyClient)).toContain("Generation failed.");
		expect(await openKeys()).toStrictEqual([`open:${TASK}`]);
		await advance(20 * SECOND_MS);
		expect([await openKeys(), replyClient.calls]).toStrictEqual([[], 1]);
	});
});
