import { describe, expect, test } from "vitest";
import { MediaTimeoutError } from "../../../src/services/generation/media-api.ts";
import { MINUTE_MS, SECOND_MS, TASK, setup, textOf } from "./task-setup.ts";

/** A service that takes an order, may not be sent it twice, and has not answered yet. */
async function submitting() {
	const all = setup();
	const { media, process, pass } = all;
	media.honoursIdempotencyKey = false;
	const answered = Promise.withResolvers<void>();
	media.beforeAnswer = answered.promise;
	const submit = media.submit.bind(media);
	media.submit = (request, key, signal) => {
		const cutOff = new Promise<never>((_resolve, reject) => {
			signal.addEventListener("abort", () => reject(new MediaTimeoutError("no answer")), { once: true });
		});
		return Promise.race([submit(request, key, signal), cutOff]);
	};
	await process.submit();
	await pass(SECOND_MS);
	const taskNow = async () => (await process.tasks.load(TASK))?.task;
	return { ...all, answer: answered.resolve, taskNow };
}

describe("a slow submit that may not be repeated", () => {
	test("is shown as being sent", async () => {
		const { replyClient, pass } = await submitting();
		await pass(4 * SECOND_MS);
		expect(replyClient.reported.map(({ text }) => text)).toStrictEqual([expect.stringContaining("**Being sent**")]);
	});

	test("is not repeated within a minute by another process that starts", async () => {
		const { boot, media, replyClient, pass, answer, taskNow } = await submitting();
		await boot().runner.recover();
		await pass(85 * SECOND_MS);
		expect(await taskNow()).not.toHaveProperty("unknown");
		answer();
		await pass(10 * SECOND_MS);
		expect(media.submits).toBe(1);
		expect(textOf(replyClient)).toContain("4 credits · 6 left");
	});

	test("delays a stop by a quarter of a minute, and then has an unknown outcome", async () => {
		const { media, pass, process, taskNow } = await submitting();
		let isStopped = false;
		void process.runner.stop().then(() => (isStopped = true));
		await pass(14 * SECOND_MS);
		expect([isStopped, await taskNow()]).toStrictEqual([false, expect.not.objectContaining({ unknown: {} })]);
		await pass(2 * SECOND_MS);
		expect(isStopped).toBe(true);
		expect(await taskNow()).toMatchObject({ state: "submitting", unknown: { sinceMs: expect.any(Number) } });
		expect(media.submits).toBe(1);
	});

	test("ends at the deadline of its task", async () => {
		const { replyClient, pass, process } = await submitting();
		await pass(10 * MINUTE_MS);
		expect(textOf(replyClient)).toMatch(/not certain that the service took this.*Nothing was charged\.$/);
		expect(await process.balance()).toMatchObject({ postedCredits: 10, heldCredits: 0 });
	});
});
