import { describe, expect, test } from "vitest";
import { ReplyClientUnavailableError } from "../../../src/services/delivery/reply-client.ts";
import {
	MediaHttpError,
	MediaTimeoutError,
	MediaUnavailableError,
} from "../../../src/services/generation/media-api.ts";
import { createKeyvStore } from "@atelier/store/keyv-store";
import { createCrashingStore } from "@atelier/store/testing/crashing-store";
import { open } from "../../fakes/fake-media-api.ts";
import { MINUTE_MS, SECOND_MS, TASK, setup, textOf } from "./task-setup.ts";

/** A service that does not honour the key takes an order, and its answer is lost. */
async function lost({ taken = true } = {}) {
	const all = setup();
	all.media.honoursIdempotencyKey = false;
	if (taken) all.media.failuresAfter.push(new MediaTimeoutError("lost"));
	else all.media.failuresBefore.push(new MediaTimeoutError("lost"));
	await all.process.submit();
	await all.pass(SECOND_MS);
	const taskNow = async () => (await all.process.tasks.load(TASK))?.task;
	return { ...all, taskNow };
}

const CANNOT_TELL = { kind: "cannot_tell" } as const;
const ABSENT = { kind: "absent" } as const;
const FOUND = { kind: "found", remoteId: "remote-1" } as const;

describe("a submit whose response was lost", () => {
	test("is found by a lookup, completed, and charged once", async () => {
		const { process, media, replyClient, pass } = await lost();
		media.finding = FOUND;
		await pass(10 * SECOND_MS);
		expect(media.submits).toBe(1);
		expect(textOf(replyClient)).toContain("4 credits · 6 left");
		expect(await process.balance()).toMatchObject({ postedCredits: 6, heldCredits: 0 });
	});

	test("is repeated if the service is certain that it has no such task", async () => {
		const { process, media, replyClient, pass } = await lost({ taken: false });
		media.finding = ABSENT;
		await pass(MINUTE_MS);
		expect([media.submits, media.taken.size]).toStrictEqual([2, 1]);
		expect(textOf(replyClient)).toContain("4 credits · 6 left");
		expect(await process.balance()).toMatchObject({ postedCredits: 6, heldCredits: 0 });
	});

	test("is not repeated if the task is missing a moment later, because it may still arrive", async () => {
		const { media, replyClient, pass } = await lost();
		media.finding = ABSENT;
		await pass(20 * SECOND_MS);
		expect(media.submits).toBe(1);
		media.finding = FOUND;
		await pass(MINUTE_MS);
		expect(media.submits).toBe(1);
		expect(textOf(replyClient)).toContain("4 credits");
	});

	test("ends after two minutes if every submit gets lost", async () => {
		const { process, media, replyClient, pass } = await lost({ taken: false });
		media.finding = ABSENT;
		// Every other failure meets a look-up, which can tell no more than before.
		media.failuresBefore.push(...Array.from({ length: 40 }, () => new MediaTimeoutError("lost")));
		await pass(9 * MINUTE_MS);
		media.failuresBefore.length = 0;
		expect(media.taken.size).toBeLessThan(2);
		await pass(2 * MINUTE_MS);
		expect((await process.balance()).heldCredits).toBe(0);
		expect(replyClient.seen.size).toBe(1);
	});

	test("and that arrives after the service was given up is canceled at the service", async () => {
		const { process, media, replyClient, openKeys, pass, taskNow } = await lost({ taken: false });
		media.finding = ABSENT;
		media.submit = () => Promise.reject(new MediaTimeoutError("lost"));
		for (let passes = 0; passes < 300 && !textOf(replyClient).includes("cannot be reached"); passes++)
			await pass(SECOND_MS);
		media.finding = { kind: "found", remoteId: "remote-late" };
		await pass(2 * MINUTE_MS);
		expect(media.cancels).toStrictEqual(["remote-late"]);
		expect(await taskNow()).toMatchObject({ state: "withdrawn", end: "madeTooLate" });
		expect(await process.balance()).toMatchObject({ postedCredits: 10, heldCredits: 0 });
		expect(await openKeys()).toStrictEqual([]);
	});

	test("is never repeated while the outcome is unknown: the hold stays until the deadline, and is voided then", async () => {
		const { process, media, replyClient, openKeys, pass } = await lost();
		await pass(9 * MINUTE_MS);
		expect(await process.stateOf()).toBe("submitting");
		expect(await process.balance()).toMatchObject({ postedCredits: 10, heldCredits: 4 });
		await pass(2 * MINUTE_MS);
		expect(textOf(replyClient)).toMatch(/not certain that the service took this.*Nothing was charged\.$/);
		expect(await process.balance()).toMatchObject({ postedCredits: 10, heldCredits: 0 });
		await pass(20 * MINUTE_MS);
		expect(media.submits).toBe(1);
		expect(await openKeys()).toStrictEqual([]);
	});

	test("is reported to its member once, with the state of the credits", async () => {
		const { replyClient, pass } = await lost();
		await pass(8 * SECOND_MS);
		expect(replyClient.calls).toBe(0);
		await pass(2 * SECOND_MS);
		expect(replyClient.calls).toBe(1);
		await pass(4 * MINUTE_MS);
		expect(replyClient.notices).toStrictEqual([
			"The service did not say whether it took this; that is being looked up, and 4 credits come back if it is still not known <t:1767226200:R>.",
		]);
	});

	test("is reported without the promise of a lookup if the service supports none", async () => {
		const { replyClient, media, pass } = await lost();
		media.canLookUp = false;
		await pass(MINUTE_MS);
		expect(replyClient.notices).toStrictEqual([
			"The service did not say whether it took this, so 4 credits come back <t:1767226200:R>.",
		]);
	});

	test("ends exactly at its deadline", async () => {
		const { process, pass } = await lost();
		await pass(10 * MINUTE_MS - 2 * SECOND_MS);
		expect(await process.stateOf()).toBe("submitting");
		await pass(2 * SECOND_MS);
		expect(await process.stateOf()).toBe("delivered");
	});

	test("is reported as soon as Discord is back", async () => {
		const { replyClient, pass } = await lost();
		replyClient.failuresBefore.push(new ReplyClientUnavailableError("503"));
		await pass(4 * MINUTE_MS);
		expect(replyClient.calls).toBe(2);
		expect(replyClient.notices).toStrictEqual([expect.stringContaining("did not say whether")]);
	});

	test("is reported to the operator once, with the key to look up, which stays in the task", async () => {
		const { logged, pass, taskNow } = await lost();
		await pass(MINUTE_MS);
		expect(logged("error")).toStrictEqual([]);
		await pass(6 * MINUTE_MS);
		expect(logged("error")).toStrictEqual(["submit outcome unknown: look the task up at the service"]);
		expect(await taskNow()).toMatchObject({ state: "submitting", unknown: { isNotified: true, isReported: true } });
	});

	test("is looked up less and less often", async () => {
		const { media, pass } = await lost();
		const before = media.finds;
		await pass(9 * MINUTE_MS);
		expect(media.finds - before).toBeLessThan(40);
	});

	test("that is found after the task was given up is canceled at the service: neither delivered nor charged", async () => {
		const { process, media, replyClient, logged, openKeys, pass, taskNow } = await lost();
		await pass(11 * MINUTE_MS);
		media.finding = FOUND;
		await pass(2 * MINUTE_MS);
		expect(media.cancels).toStrictEqual(["remote-1"]);
		expect(await taskNow()).toMatchObject({ state: "withdrawn", end: "madeTooLate" });
		expect(logged("warn")).toContain("result of abandoned task dropped, not charged");
		expect(textOf(replyClient)).toContain("Nothing was charged.");
		expect(await process.balance()).toMatchObject({ postedCredits: 10, heldCredits: 0 });
		expect(await openKeys()).toStrictEqual([]);
	});

	test("is repeated with the same key until the service responds, if the service honors keys", async () => {
		const { process, media, replyClient, pass } = setup();
		media.failuresAfter.push(...Array.from({ length: 4 }, () => new MediaTimeoutError("lost")));
		await process.submit();
		await pass(2 * MINUTE_MS);
		expect(media.taken.size).toBe(1);
		expect(textOf(replyClient)).toContain("4 credits · 6 left");
	});
});

describe("bugs of other clients that this one does not have:", () => {
	test("a refused connection after a lost response leaves the outcome unknown", async () => {
		const { process, media, replyClient, pass } = setup();
		const sent = Promise.withResolvers<void>();
		media.beforeAnswer = sent.promise;
		media.failuresAfter.push(new MediaTimeoutError("lost"));
		await process.submit();
		await pass(100);
		media.answer = open;
		// The look-up fails, and the order sent again does not arrive: the first one did.
		media.failuresBefore.push(...Array.from({ length: 200 }, () => new MediaUnavailableError("ECONNREFUSED")));
		sent.resolve();
		await pass(MINUTE_MS);
		expect(textOf(replyClient)).not.toContain("cannot be reached");
		expect((await process.balance()).heldCredits).toBe(4);
	});

	test("one command is one submit, however often the response is lost (ComfyUI#16204: 4 submitted, 4 billed)", async () => {
		const { media, pass } = await lost();
		media.failuresBefore.push(
			new MediaHttpError("502", 502),
			new MediaTimeoutError("lost"),
			new MediaUnavailableError("429"),
		);
		await pass(30 * MINUTE_MS);
		expect([media.submits, media.taken.size]).toStrictEqual([1, 1]);
	});

	test("a task without a remote id is looked up, not failed in bulk (new-api: failed without refund)", async () => {
		const { process, boot, media, replyClient, pass } = await lost();
		await process.runner.stop();
		media.finding = FOUND;
		await boot().runner.recover();
		await pass(MINUTE_MS);
		expect(textOf(replyClient)).toContain("4 credits · 6 left");
	});
});

test("a response that arrives after its process was assumed dead is used", async () => {
	const { process, media, boot, replyClient, pass } = setup();
	media.honoursIdempotencyKey = false;
	media.finding = CANNOT_TELL;
	const sent = Promise.withResolvers<void>();
	media.beforeAnswer = sent.promise;
	await process.submit();
	await pass(SECOND_MS);
	await boot().runner.recover();
	// Longer than any answer takes: the second process holds the outcome for unknown, and writes so.
	await pass(100 * SECOND_MS);
	expect((await process.tasks.load(TASK))?.task).toHaveProperty("unknown");
	sent.resolve();
	await pass(10 * SECOND_MS);
	expect(media.submits).toBe(1);
	expect(textOf(replyClient)).toContain("4 credits · 6 left");
});

describe("downtime of the bot does not count against the service", () => {
	test("a submit during which its process died is repeated by the next one if it never arrived", async () => {
		const { storage, boot, media, replyClient, pass } = setup();
		const store = createCrashingStore(createKeyvStore(storage));
		const killed = boot(store);
		media.submit = () => {
			store.arm(0);
			return Promise.reject(new MediaUnavailableError("it is over"));
		};
		await killed.submit();
		await pass(SECOND_MS);
		await killed.runner.stop();
		expect(await boot().stateOf()).toBe("submitting");
		await pass(5 * MINUTE_MS);
		Reflect.deleteProperty(media, "submit");
		media.finding = ABSENT;
		await boot().runner.recover();
		await pass(10 * SECOND_MS);
		expect(textOf(replyClient)).toContain("4 credits · 6 left");
	});

	test("a service that starts together with the bot has the usual time to become reachable", async () => {
		const { process, boot, media, replyClient, pass } = setup();
		media.failuresBefore.push(new MediaUnavailableError("ECONNREFUSED"));
		await process.submit();
		await pass(250);
		await process.runner.stop();
		await pass(5 * MINUTE_MS);
		media.failuresBefore.push(new MediaUnavailableError("ECONNREFUSED"));
		await boot().runner.recover();
		await pass(10 * SECOND_MS);
		expect(textOf(replyClient)).toContain("4 credits · 6 left");
	});
});

describe("a process that is killed while an outcome is unknown", () => {
	const deaths = Array.from({ length: 28 }, (_, n) => [Math.floor(n / 2), n % 2 === 1] as const);

	test.each(deaths)(
		"at write %d (executed: %s) submits nothing twice, and refunds once",
		async (writes, lastIsWritten) => {
			const { storage, boot, media, replyClient, openKeys, pass, process } = setup();
			media.honoursIdempotencyKey = false;
			media.failuresAfter.push(new MediaTimeoutError("lost"));
			const store = createCrashingStore(createKeyvStore(storage));
			store.arm(writes, { lastIsWritten });
			const killed = boot(store);
			const accepted = await killed.submit().then(
				() => true,
				() => false,
			);
			await pass(12 * MINUTE_MS);
			await killed.runner.stop();

			media.failuresAfter.length = 0;
			media.finding = media.taken.size > 0 ? FOUND : ABSENT;
			await process.runner.recover();
			await pass(20 * MINUTE_MS);
			expect(media.taken.size).toBeLessThan(2);
			const isKnown = (await process.stateOf()) !== undefined;
			expect(isKnown || !accepted).toBe(true);
			expect(replyClient.seen.size).toBe(isKnown ? 1 : 0);
			const isMade = textOf(replyClient).includes("4 credits · 6 left");
			expect(await process.balance()).toMatchObject({ postedCredits: isMade ? 6 : 10, heldCredits: 0 });
			await boot().runner.recover();
			await pass(SECOND_MS);
			expect(await openKeys()).toStrictEqual([]);
		},
	);
});
