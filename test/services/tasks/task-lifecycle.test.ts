import { describe, expect, test } from "vitest";
import { DownloadFailedError } from "@atelier/common/download";
import { TranscodeQueueFullError } from "../../../src/services/delivery/transcode/worker-pool.ts";
import { ReplyClientUnavailableError } from "../../../src/services/delivery/reply-client.ts";
import {
	MediaHttpError,
	MediaRefusedError,
	MediaUnavailableError,
} from "../../../src/services/generation/media-api.ts";
import { createKeyvStore } from "@atelier/store/keyv-store";
import { createCrashingStore } from "@atelier/store/testing/crashing-store";
import { made, open, type FakeMediaApi } from "../../fakes/fake-media-api.ts";
import { MINUTE_MS, SECOND_MS, TASK, setup, textOf } from "./task-setup.ts";

const MIB = 1024 * 1024;

describe("a successful task", () => {
	test("is submitted, charged and delivered with its file once, and then closed", async () => {
		const { process, media, replyClient, openKeys, pass } = setup();
		await process.submit();
		await pass(SECOND_MS);
		expect(await process.stateOf()).toBe("delivered");
		expect(media.taken).toStrictEqual(new Map([[TASK, "remote-1"]]));
		expect(await process.balance()).toMatchObject({ postedCredits: 6, heldCredits: 0 });
		expect(replyClient.seen.get(TASK)?.files).toMatchObject([{ name: "atelier-000009.png", contentType: "image/png" }]);
		expect(textOf(replyClient)).toBe("> \u2068a boat\u2069\n-# Paint · seed 7 · 4 credits · 6 left");
		expect(await openKeys()).toStrictEqual([]);
	});

	test("starts once, even if its command is received twice", async () => {
		const { process, media, replyClient, pass } = setup();
		await Promise.all([process.submit(), process.submit()]);
		await pass(SECOND_MS);
		await process.submit();
		await pass(SECOND_MS);
		expect(media.submits).toBe(1);
		expect(replyClient.calls).toBe(1);
		expect(await process.balance()).toMatchObject({ postedCredits: 6 });
	});
});

describe("a task that cannot be submitted", () => {
	const failures = [
		[
			"refused by the service",
			(m: FakeMediaApi) => m.failuresBefore.push(new MediaRefusedError("40005", "no *such* ratio")),
			String.raw`refused this: ⁨no \*such\* ratio⁩`,
		],
		[
			"failed by the engine",
			(m: FakeMediaApi) => (m.answer = { state: "failed", code: "upstream_error", reason: "cuda" }),
			"tried, and failed",
		],
	] as const;

	test.each(failures)("because it is %s is free, with a one-sentence reason", async (_what, arrange, sentence) => {
		const { process, media, replyClient, openKeys, pass } = setup();
		arrange(media);
		await process.submit();
		await pass(30 * MINUTE_MS);
		expect(textOf(replyClient)).toContain(sentence);
		expect(textOf(replyClient)).toContain("Nothing was charged.");
		expect(await process.balance()).toMatchObject({ postedCredits: 10, heldCredits: 0 });
		expect(replyClient.calls).toBe(1);
		expect(await openKeys()).toStrictEqual([]);
	});
});

describe("a failing service", () => {
	test("that is unreachable is retried for a while, then the credits are returned", async () => {
		const { process, media, replyClient, pass } = setup();
		media.failuresBefore.push(...Array.from({ length: 100 }, () => new MediaUnavailableError("down")));
		await process.submit();
		await pass(30 * SECOND_MS);
		expect(media.submits).toBeGreaterThan(3);
		expect(textOf(replyClient)).toContain("cannot be reached right now");
		expect(await process.balance()).toMatchObject({ availableCredits: 10 });
	});

	test("that is known to be down is retried no longer than an unreachable one", async () => {
		const { process, media, replyClient, pass } = setup();
		const down = new MediaUnavailableError("not sent", { why: "known_down", retryAfterMs: 2_000 });
		media.failuresBefore.push(...Array.from({ length: 100 }, () => down));
		await process.submit();
		await pass(30 * SECOND_MS);
		expect(textOf(replyClient)).toContain("cannot be reached right now");
		expect(await process.balance()).toMatchObject({ availableCredits: 10 });
	});

	const firstTroubles = [
		["shows no file yet", (all: ReturnType<typeof setup>) => (all.media.answer = made({ outputs: [] }))],
		[
			"answers nonsense",
			(all: ReturnType<typeof setup>) => all.media.failuresBefore.push(new MediaHttpError("a page", 404)),
		],
		[
			"has a file that cannot be fetched",
			(all: ReturnType<typeof setup>) => all.downloads.push(new DownloadFailedError("503")),
		],
		[
			"has a link that is over",
			(all: ReturnType<typeof setup>) => all.downloads.push(new DownloadFailedError("403", { isExpired: true })),
		],
	] as const;

	test.each(firstTroubles)("that was unreachable for minutes, and then once %s, is retried", async (_what, arrange) => {
		const all = setup();
		const { process, media, replyClient, pass } = all;
		media.answer = open;
		await process.submit();
		await pass(SECOND_MS);
		const reads = media.reads + 9;
		media.failuresBefore.push(...Array.from({ length: 8 }, () => new MediaUnavailableError("down")));
		media.answer = made();
		arrange(all);
		while (media.reads < reads) await pass(250);
		media.answer = made();
		await pass(MINUTE_MS);
		expect(textOf(replyClient)).toContain("4 credits · 6 left");
	});

	test("that is known to be down is not logged for each poll, submit, lookup and cancel", async () => {
		const { process, media, logged, pass } = setup();
		const down = new MediaUnavailableError("not sent", { why: "known_down", retryAfterMs: 2_000, isKnown: true });
		media.answer = open;
		await process.submit();
		await pass(SECOND_MS);
		media.failuresBefore.push(...Array.from({ length: 1_000 }, () => down));
		await process.submit({ id: `${TASK}1` });
		await pass(15 * MINUTE_MS);
		expect(media.cancels.length).toBeGreaterThan(5);
		expect(logged("warn")).toStrictEqual([]);
	});

	test("that sends Retry-After gets the pause, up to a minute each and five in all", async () => {
		const { process, media, replyClient, pass } = setup();
		const patience = new MediaUnavailableError("429", { retryAfterMs: 10_000 * 24 * 3600 * 1000 });
		media.failuresBefore.push(...Array.from({ length: 50 }, () => patience));
		await process.submit();
		await pass(4 * MINUTE_MS);
		expect([media.submits, replyClient.calls]).toStrictEqual([4, 0]);
		await pass(3 * MINUTE_MS);
		expect(textOf(replyClient)).toContain("cannot be reached right now");
	});
});

describe("an unexpected error", () => {
	test("before a result ends the task with an incident id, and the credits are returned", async () => {
		const { process, downloads, replyClient, openKeys, pass } = setup();
		downloads.push(...Array.from({ length: 100 }, () => new TypeError("a bug")));
		await process.submit();
		await pass(2 * MINUTE_MS);
		expect(textOf(replyClient)).toMatch(/went wrong on our side.*incident [\da-f]{8}\. Nothing was charged\./);
		expect(await process.balance()).toMatchObject({ postedCredits: 10, heldCredits: 0 });
		expect(await openKeys()).toStrictEqual([]);
	});

	test("that recovers soon is not reported", async () => {
		const { process, downloads, replyClient, pass } = setup();
		downloads.push(new TypeError("a bug"), new TypeError("a bug"));
		await process.submit();
		await pass(MINUTE_MS);
		expect(textOf(replyClient)).toContain("4 credits");
	});

	test("during a delivery is retried without limit", async () => {
		const { process, replyClient, pass } = setup();
		replyClient.failuresBefore.push(...Array.from({ length: 30 }, () => new TypeError("a bug")));
		await process.submit();
		await pass(20 * MINUTE_MS);
		expect(textOf(replyClient)).toContain("4 credits");
	});
});

test("a stop waits for a running submission, so that its outcome is known", async () => {
	const { process, media, boot, replyClient, pass } = setup();
	media.honoursIdempotencyKey = false;
	const sent = Promise.withResolvers<void>();
	media.beforeAnswer = sent.promise;
	await process.submit();
	await pass(SECOND_MS);
	const stopped = process.runner.stop();
	await pass(SECOND_MS);
	sent.resolve();
	await stopped;
	await boot().runner.recover();
	await pass(5 * SECOND_MS);
	expect(media.submits).toBe(1);
	expect(textOf(replyClient)).toContain("4 credits");
});

test("an unavailable Discord delays the reply, which is sent once", async () => {
	const { process, replyClient, pass } = setup();
	replyClient.failuresBefore.push(new ReplyClientUnavailableError("503"), new ReplyClientUnavailableError("429"));
	replyClient.failuresAfter.push(new ReplyClientUnavailableError("answer lost"));
	await process.submit();
	await pass(MINUTE_MS);
	expect(replyClient.seen.size).toBe(1);
	expect(await process.stateOf()).toBe("delivered");
	expect(await process.balance()).toMatchObject({ postedCredits: 6 });
});

test("a result without a remaining delivery route is kept, and the task ends", async () => {
	const { process, replyClient, openKeys, pass } = setup();
	replyClient.isClosed = true;
	await process.submit();
	await pass(SECOND_MS);
	expect((await process.tasks.load(TASK))?.task).toMatchObject({ state: "delivered", shown: { kind: "undelivered" } });
	expect(await openKeys()).toStrictEqual([]);
});

describe("a process that is killed", () => {
	const deaths = Array.from({ length: 24 }, (_, n) => [Math.floor(n / 2), n % 2 === 1] as const);

	test.each(deaths)(
		"at write %d (executed: %s) leaves a task that the next one completes: submitted, charged and delivered once",
		async (writes, lastIsWritten) => {
			const { storage, boot, media, replyClient, openKeys, pass, process } = setup();
			const store = createCrashingStore(createKeyvStore(storage));
			store.arm(writes, { lastIsWritten });
			const killed = boot(store);
			const accepted = await killed.submit().then(
				() => true,
				() => false,
			);
			await pass(5 * SECOND_MS);
			await killed.runner.stop();

			await process.runner.recover();
			await pass(2 * MINUTE_MS);
			const isKnown = (await process.stateOf()) !== undefined;
			expect(isKnown || !accepted).toBe(true);
			expect(media.taken.size).toBe(isKnown ? 1 : 0);
			expect(replyClient.seen.size).toBe(isKnown ? 1 : 0);
			expect(await process.balance()).toMatchObject({ postedCredits: isKnown ? 6 : 10, heldCredits: 0 });
			await boot().runner.recover();
			await pass(SECOND_MS);
			expect(await openKeys()).toStrictEqual([]);
		},
	);

	test("during a submit to a service without idempotency keys does not submit again", async () => {
		const { storage, boot, media, replyClient, pass, process } = setup();
		media.honoursIdempotencyKey = false;
		// grant, month, open, the member's, task, hold, reserved, submitting: then the service has it, and `submitted` is never written.
		const store = createCrashingStore(createKeyvStore(storage));
		store.arm(8);
		const killed = boot(store);
		await killed.submit();
		await pass(SECOND_MS);
		await killed.runner.stop();
		expect(media.submits).toBe(1);
		await process.runner.recover();
		await pass(12 * MINUTE_MS);
		expect(media.submits).toBe(1);
		expect(textOf(replyClient)).toContain("not certain that the service took this");
	});
});

test("of 30 concurrent commands with credits for two exactly two run and are charged", async () => {
	const { process, media, replyClient, pass } = setup({ credits: 9 });
	const ids = Array.from({ length: 30 }, (_, n) => `10000000000000001${String(n).padStart(2, "0")}`);
	await Promise.all(ids.map((id) => process.submit({ id })));
	await pass(5 * SECOND_MS);
	expect(media.taken.size).toBe(2);
	expect(replyClient.seen.size).toBe(30);
	expect(await process.balance()).toMatchObject({ postedCredits: 1, heldCredits: 0 });
});

test("a file that is lost before its delivery is reported to the member", async () => {
	const { process, replyClient, results, logged, pass } = setup();
	const show = replyClient.deliver.bind(replyClient);
	replyClient.deliver = async (target, answer) => {
		await results.remove(TASK);
		for (const { content } of answer.files) await content.readInto(new Uint8Array(content.sizeBytes));
		return await show(target, answer);
	};
	await process.submit();
	await pass(10 * SECOND_MS);
	expect(replyClient.seen.get(TASK)?.files).toStrictEqual([]);
	expect(await process.stateOf()).toBe("delivered");
	expect(logged("error")).toStrictEqual(["task step failed"]);
});

describe("a full transcode queue", () => {
	test("delays a task without limit, keeps its credits on hold, and it is downloaded, transcoded and charged once", async () => {
		const { process, media, replyClient, holdUps, logged, pass } = setup();
		const usual = holdUps.fitting;
		let fetchings = 0;
		holdUps.fetching = async () => void fetchings++;
		holdUps.fitting = async () => {
			throw new TranscodeQueueFullError("100 files wait for a transcode");
		};
		await process.submit();
		// Past its deadline, too: what is made is made.
		await pass(15 * MINUTE_MS);
		expect(await process.stateOf()).toBe("submitted");
		expect(await process.balance()).toMatchObject({ postedCredits: 10, heldCredits: 4 });
		expect(replyClient.calls).toBe(0);
		expect(media.reads).toBeLessThan(95);
		expect(logged("error")).toStrictEqual([]);
		holdUps.fitting = usual;
		await pass(MINUTE_MS);
		expect(fetchings).toBe(1);
		expect(replyClient.seen.get(TASK)?.files).toHaveLength(1);
		expect(await process.balance()).toMatchObject({ postedCredits: 6, heldCredits: 0 });
	});

	test("delays the transcode of files that Discord rejected, and they are delivered later", async () => {
		const { process, replyClient, made: file, holdUps, pass } = setup();
		file.bytes = Buffer.alloc(2 * MIB);
		const show = replyClient.deliver.bind(replyClient);
		let isTooLarge = true;
		replyClient.deliver = async (...shown) => {
			if (!isTooLarge) return await show(...shown);
			return { kind: "filesRefused", route: "tokenEdit", isForSize: true, isPerFile: true, largestBytes: 2 * MIB };
		};
		let fittings = 0;
		holdUps.fitting = async () => {
			if (++fittings === 2) throw new TranscodeQueueFullError("100 files wait for a transcode");
			if (fittings === 3) isTooLarge = false;
		};
		await process.submit();
		await pass(5 * SECOND_MS);
		expect(await process.stateOf()).toBe("settled");
		await pass(MINUTE_MS);
		expect(replyClient.seen.get(TASK)?.files).toHaveLength(1);
		expect(await process.balance()).toMatchObject({ postedCredits: 6, heldCredits: 0 });
	});
});
