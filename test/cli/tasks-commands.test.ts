import assert from "node:assert/strict";
import { expect, test } from "vitest";
import { MediaTimeoutError } from "../../src/services/generation/media-api.ts";
import { changeTask } from "../../src/services/tasks/change-task.ts";
import { isRefundable } from "../../src/services/tasks/refund-task.ts";
import { runningRemoteTask } from "../fakes/fake-media-api.ts";
import { MINUTE_MS, SECOND_MS, TASK, setup, textOf } from "../services/tasks/task-setup.ts";
import { runCli } from "./run-cli.ts";

function setupCli() {
	const all = setup();
	const runTasksCommand = async (line: string) => {
		const { code, stdout, stderr } = await runCli(["tasks", ...line.split(" ")], {
			store: all.process.store,
			clock: all.clock,
		});
		return { code, lines: stdout, stderr };
	};
	return { ...all, runTasksCommand };
}

test("tasks redeliver delivers an undelivered result once a route is open, and changes neither its charge nor its refund", async () => {
	const { process, boot, replyClient, runTasksCommand, openKeys, advance, taskNow } = setupCli();
	replyClient.isClosed = true;
	await process.submit();
	await advance(SECOND_MS);
	expect(await taskNow()).toMatchObject({ shown: { kind: "undelivered" } });
	await process.runner.stop();
	await changeTask(process.taskStore, TASK, (task) => ("shown" in task ? { ...task, refundedAtMs: 1 } : undefined));

	replyClient.isClosed = false;
	expect(await runTasksCommand(`redeliver ${TASK}`)).toMatchObject({ code: 0 });
	await boot().runner.sweepOpenTasks();
	await advance(SECOND_MS);
	expect(textOf(replyClient)).toContain("4 credits · 6 left");
	expect(replyClient.visible.get(TASK)?.files).toHaveLength(1);
	expect(await process.balance()).toMatchObject({ postedCredits: 6, heldCredits: 0 });
	expect(await openKeys()).toStrictEqual([]);
	const task = await taskNow();
	expect(task && isRefundable(task)).toBe(false);
});

test("tasks redeliver leaves a restored failure unchanged, whose reply may show a result", async () => {
	const { process, media, runTasksCommand, advance } = setupCli();
	media.answer = { state: "failed", code: "", reason: "" };
	await process.submit();
	await advance(SECOND_MS);
	const loaded = await process.taskStore.load(TASK);
	assert(loaded?.task.state === "delivered");
	await process.taskStore.move(loaded, { ...loaded.task, isRestored: true, shown: { kind: "undelivered" } });
	expect(await runTasksCommand(`redeliver ${TASK}`)).toMatchObject({
		code: 1,
		stderr: expect.stringContaining("Not possible: it was restored"),
	});
});

test("tasks redeliver leaves delivered and open tasks unchanged", async () => {
	const { process, media, runTasksCommand, advance } = setupCli();
	await process.submit();
	await advance(SECOND_MS);
	const whenDelivered = "Not possible: it is delivered. Nothing was changed.";
	expect(await runTasksCommand(`redeliver ${TASK}`)).toStrictEqual({ code: 1, lines: [], stderr: whenDelivered });
	media.answer = runningRemoteTask;
	await process.submit({ id: "1000000000000000010" });
	await advance(SECOND_MS);
	const whenOpen = "Not possible: it has no result yet. Nothing was changed.";
	const result = await runTasksCommand("redeliver 1000000000000000010");
	expect(result).toStrictEqual({ code: 1, lines: [], stderr: whenOpen });
});

test("tasks list contains tasks that the service may have accepted, during the lookup and after it", async () => {
	const { process, media, runTasksCommand, advance } = setupCli();
	await process.submit({ id: "1000000000000000008" });
	await advance(SECOND_MS);
	media.honorsIdempotencyKey = false;
	media.failuresAfter.push(new MediaTimeoutError("lost"));
	await process.submit();
	await advance(MINUTE_MS);
	const whileLookedUp = await runTasksCommand("list unconfirmed");
	expect(whileLookedUp.lines).toStrictEqual([expect.stringContaining(`${TASK}  `), "1 task."]);
	expect(whileLookedUp.lines[0]).toContain("  unconfirmed  image  4 credits");
	await advance(40 * MINUTE_MS);
	const afterwards = await runTasksCommand("list unconfirmed");
	expect(afterwards.lines[0]).toContain("  withdrawn  image  4 credits");
	expect(await runTasksCommand("list open")).toMatchObject({ lines: ["0 tasks."] });
	expect((await runTasksCommand("list all")).lines.at(-1)).toBe("2 tasks.");
});

test("tasks list names a damaged task and continues", async () => {
	const { process, storage, media, runTasksCommand, advance } = setupCli();
	media.answer = runningRemoteTask;
	await process.submit();
	await process.submit({ id: "1000000000000000010" });
	await advance(SECOND_MS);
	await process.runner.stop();
	await storage.set(`task:${TASK}`, "garbage");
	expect((await runTasksCommand("list open")).lines).toStrictEqual([
		expect.stringContaining(`${TASK}  damaged: `),
		expect.stringContaining("1000000000000000010  "),
		"1 task.",
	]);
});

test("tasks show names the full file of the first preview", async () => {
	const { process, runTasksCommand, advance, taskNow } = setupCli();
	await process.submit();
	await advance(SECOND_MS);
	const task = await taskNow();
	if (!task || !("outcome" in task) || task.outcome.kind !== "succeeded") throw new Error("the task has no result");
	const files = task.outcome.files.map((file) => ({
		...file,
		note: { kind: "preview", changes: [], fullSizeMiB: 12 },
	}));
	await process.store.set(`task:${TASK}`, { ...task, outcome: { ...task.outcome, files } });
	expect((await runTasksCommand(`show ${TASK}`)).lines.at(-1)).toContain(`the first is ${TASK}-0.full.`);
});
