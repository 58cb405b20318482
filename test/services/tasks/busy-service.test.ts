import { describe, expect, test } from "vitest";
import { MediaUnavailableError } from "../../../src/services/generation/media-api.ts";
import { createKeyvStore } from "@atelier/store/keyv-store";
import { open } from "../../fakes/fake-media-api.ts";
import { MINUTE_MS, SECOND_MS, setup, textOf } from "./task-setup.ts";

const busy = () => new MediaUnavailableError("429", { why: "rate_limited" });

describe("while the service accepts no more tasks", () => {
	test("a task waits for minutes, and is then submitted", async () => {
		const { process, media, replyClient, pass } = setup();
		media.heldForMs = 10 * SECOND_MS;
		await process.submit();
		await pass(4 * MINUTE_MS);
		expect([media.submits, await process.stateOf()]).toStrictEqual([0, "reserved"]);
		media.heldForMs = 0;
		await pass(15 * SECOND_MS);
		expect(textOf(replyClient)).toContain("4 credits · 6 left");
	});

	test("a task waits for five minutes, and then ends free with the advice to try later", async () => {
		const { process, media, replyClient, pass } = setup();
		media.heldForMs = 10 * SECOND_MS;
		await process.submit();
		await pass(6 * MINUTE_MS);
		expect(textOf(replyClient)).toContain("is busy. Try again in a few minutes. Nothing was charged.");
		expect(await process.balance()).toMatchObject({ postedCredits: 10, heldCredits: 0 });
	});

	test("a task that is submitted and rejected each time ends the same way", async () => {
		const { process, media, replyClient, pass } = setup();
		media.failuresBefore.push(...Array.from({ length: 1_000 }, busy));
		await process.submit();
		await pass(4 * MINUTE_MS);
		expect(replyClient.calls).toBe(0);
		await pass(2 * MINUTE_MS);
		expect(textOf(replyClient)).toContain("is busy. Try again in a few minutes.");
	});

	test("the reply says so after half a minute", async () => {
		const { process, media, replyClient, pass } = setup();
		media.heldForMs = 10 * SECOND_MS;
		await process.submit();
		const progress = (): string => replyClient.reported.at(-1)?.text ?? "";
		await pass(29 * SECOND_MS);
		expect(progress()).toMatch(/^\*\*Being sent\*\*\n-# /);
		await pass(5 * SECOND_MS);
		expect(progress()).toContain("\nThe service is busy. This is sent as soon as there is room.\n");
		media.answer = open;
		media.heldForMs = 0;
		await pass(30 * SECOND_MS);
		expect(progress()).toMatch(/^\*\*Being made\*\*.*\n-# /);
	});

	test("waiting needs no write", async () => {
		const { process, boot, storage, media, pass } = setup();
		media.heldForMs = 2 * SECOND_MS;
		await process.submit();
		await pass(5 * SECOND_MS);
		await process.runner.stop();
		const store = createKeyvStore(storage);
		let writes = 0;
		const counting: typeof store = {
			...store,
			compareAndSet: async (...given) => {
				writes++;
				return await store.compareAndSet(...given);
			},
		};
		await boot(counting).runner.recover();
		await pass(MINUTE_MS);
		expect([writes, media.submits]).toStrictEqual([0, 0]);
	});

	test("an earlier deadline ends the task", async () => {
		const { process, boot, media, replyClient, pass } = setup();
		media.heldForMs = MINUTE_MS;
		await process.submit();
		let running = process;
		for (let restarts = 0; restarts < 5; restarts++) {
			await pass(2 * MINUTE_MS);
			await running.runner.stop();
			running = boot();
			await running.runner.recover();
		}
		await pass(SECOND_MS);
		expect(replyClient.seen.size).toBe(1);
		expect(await running.balance()).toMatchObject({ postedCredits: 10, heldCredits: 0 });
	});
});
