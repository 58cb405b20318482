import { describe, expect, test } from "vitest";
import type { RemoteTask } from "@atelier/media-protocol/remote-task";
import { createKeyvStore } from "@atelier/store/keyv-store";
import type { Store } from "@atelier/store/store";
import { made, open } from "../../fakes/fake-media-api.ts";
import { MINUTE_MS, SECOND_MS, TASK, taskRequest, setup } from "./task-setup.ts";

const slow = { ...taskRequest.request, typicalSeconds: 60 };

describe("a woken task", () => {
	test("is polled at once, and delivered if it is finished", async () => {
		const { process, media, replyClient, pass } = setup();
		media.answer = open;
		await process.submit({ request: slow });
		await pass(30 * SECOND_MS);
		media.answer = made();
		process.runner.wake(TASK);
		await pass(250);
		expect(replyClient.seen.size).toBe(1);
	});

	test("before its first poll, too early or repeatedly, is polled, and later polls still find its end", async () => {
		const { process, media, replyClient, pass } = setup();
		media.answer = open;
		await process.submit({ request: slow });
		await pass(250);
		const reads: number[] = [];
		for (let n = 0; n < 3; n++) {
			process.runner.wake(TASK);
			await pass(250);
			reads.push(media.reads);
		}
		expect(reads).toStrictEqual([1, 2, 3]);
		await pass(MINUTE_MS);
		media.answer = made();
		await pass(15 * SECOND_MS);
		expect(replyClient.seen.size).toBe(1);
	});

	test("during a poll that found it open is polled once more, immediately", async () => {
		const { process, media, replyClient, pass } = setup();
		media.answer = open;
		await process.submit({ request: slow });
		await pass(20 * SECOND_MS);
		const answered = Promise.withResolvers<RemoteTask>();
		media.read = () => answered.promise;
		process.runner.wake(TASK);
		await pass(250);
		// The service calls back, and the answer that is on its way is from before.
		process.runner.wake(TASK);
		media.read = async () => made();
		answered.resolve(open);
		await pass(250);
		expect(replyClient.seen.size).toBe(1);
	});
});

test("a poll that finds a task open writes nothing", async () => {
	const { storage, boot, media, pass } = setup();
	const store = createKeyvStore(storage);
	let writes = 0;
	const counted: Store = {
		...store,
		compareAndSet: (key, ...write) => {
			if (key === `task:${TASK}`) writes++;
			return store.compareAndSet(key, ...write);
		},
	};
	const process = boot(counted);
	media.answer = { ...open, phase: "queued" };
	await process.submit({ request: slow });
	await pass(MINUTE_MS);
	const before = writes;
	media.answer = open;
	await pass(5 * MINUTE_MS);
	expect(writes).toBe(before);
});
