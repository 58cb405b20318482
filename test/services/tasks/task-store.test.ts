import { expect, test } from "vitest";
import { SECOND_MS, setup, TASK } from "./task-setup.ts";
import { runningRemoteTask } from "../../fakes/fake-media-api.ts";

test("a private task that an earlier version stored is still private", async () => {
	const { process, media, taskNow, advance } = setup();
	media.answer = runningRemoteTask;
	await process.submit();
	await advance(SECOND_MS);
	const task = await taskNow();
	if (!task) throw new Error("there is no task");
	const { isEphemeral: _, isBotInGuild: __, ...reply } = task.reply;
	const earlier = {
		...task,
		reply: { ...reply, ephemeral: true, botInGuild: true, spoiler: true },
		trouble: { sinceMs: 1 },
	};
	await process.store.set(`task:${TASK}`, earlier);
	const current = {
		...task,
		reply: { ...reply, isEphemeral: true, isBotInGuild: true, isSpoiler: true },
		failing: { sinceMs: 1 },
	};
	expect((await process.taskStore.load(TASK))?.task).toStrictEqual(current);
	expect(await Array.fromAsync(process.taskStore.all())).toStrictEqual([current]);
});
