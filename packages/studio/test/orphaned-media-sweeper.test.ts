/** Stored media that no task contains. */
import { randomBytes } from "node:crypto";
import { readdir } from "node:fs/promises";
import { pino } from "pino";
import { expect, test } from "vitest";
import { openStore } from "@atelier/store/open-store";
import type { Store } from "@atelier/store/store";
import { createMediaStore } from "../src/media-store.ts";
import { createOrphanedMediaSweeper } from "../src/orphaned-media-sweeper.ts";
import type { Task } from "../src/task.ts";
import { createFakeEngine, fakeImage, fakePng } from "../testing/fake-engine.ts";
import { createPausedQueue } from "../testing/paused-queue.ts";
import { createManualClock } from "@atelier/common/testing/manual-clock";
import { setup, sha256, temporaryFolder, until } from "../testing/studio-setup.ts";

const HOUR_MS = 3_600_000;
const [SHOWN, OTHER] = [fakeImage("shown"), fakeImage("not shown")];

test("removes the output of a run that lost its lease, and keeps the files of the task", async () => {
	const engine = createFakeEngine({ script: [{ kind: "hang" }, { kind: "hang" }] });
	const { cluster, runTask } = createPausedQueue();
	const { submitTask, awaitStatus, clock, mediaDir } = await setup({ engine, cluster });
	const taskId = await submitTask();
	const lostRun = runTask(taskId, "fake");
	await awaitStatus(taskId, "processing");
	const nextRun = runTask(taskId, "fake");
	await expect.poll(() => engine.runs.length).toBe(2);
	engine.runs[1]?.finish([SHOWN]);
	await nextRun;
	engine.runs[0]?.finish([OTHER]);
	await lostRun;
	expect(await readdir(mediaDir)).toHaveLength(2);
	await clock.advance(HOUR_MS + 60_000);
	const files = await until(
		() => readdir(mediaDir),
		({ length }) => length === 1,
	);
	expect(files).toStrictEqual([`${sha256(SHOWN.bytes)}.png`]);
});

test("removes the outputs of a failed attempt after the end of the task", async () => {
	const halfGood = { kind: "succeed", outputs: [OTHER, { ...OTHER, bytes: Buffer.from("<html>") }] } as const;
	const engine = createFakeEngine({ script: [halfGood] });
	const { submitTask, awaitRetry, clock, awaitEnd, mediaDir } = await setup({ engine });
	const taskId = await submitTask();
	await awaitRetry(taskId, 1);
	await clock.advance(2_000);
	expect(await awaitEnd(taskId)).toMatchObject({ status: "success", attempt: 2 });
	expect(await readdir(mediaDir)).toHaveLength(2);
	await clock.advance(HOUR_MS + 60_000);
	await until(async () => (await readdir(mediaDir)).length === 1);
});

async function setupOrphanedMedia(tasks: Readonly<Record<string, Partial<Task>>>) {
	const [store, mediaDir, clock]: [Store, string, ReturnType<typeof createManualClock>] = [
		await openStore("memory:"),
		await temporaryFolder(),
		createManualClock(),
	];
	const media = createMediaStore({ mediaDir, store, clock, randomBytes });
	const orphanedMedia = createOrphanedMediaSweeper({
		media,
		tasks: { read: async (taskId) => tasks[taskId] as Task | undefined },
		limits: { uploadRetentionMs: 24 * HOUR_MS },
		clock,
		logger: pino({ level: "silent" }),
	});
	const saveFor = async (owner: string) => (await media.save(fakePng(owner), owner))?.file ?? "";
	return { clock, saveFor, orphanedMedia, files: () => readdir(mediaDir) };
}

test("keeps all files of an open task", async () => {
	const { clock, saveFor, orphanedMedia, files } = await setupOrphanedMedia({
		waiting: { state: "pending" },
		running: { state: "processing" },
		failed: { state: "failed" },
	});
	const open = [await saveFor("waiting"), await saveFor("running")];
	await saveFor("failed");
	await saveFor("no task knows it");
	await clock.advance(HOUR_MS);
	await orphanedMedia.sweep();
	expect((await files()).toSorted()).toStrictEqual(open.toSorted());
});

test("removes an upload without a scheduled removal after twice its retention", async () => {
	const { clock, saveFor, orphanedMedia, files } = await setupOrphanedMedia({});
	const file = await saveFor("upload-1");
	await clock.advance(48 * HOUR_MS);
	await orphanedMedia.sweep();
	expect(await files()).toStrictEqual([file]);
	await clock.advance(24 * HOUR_MS);
	await orphanedMedia.sweep();
	expect(await files()).toStrictEqual([]);
});
