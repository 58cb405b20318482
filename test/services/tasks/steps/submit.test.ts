import { setImmediate as settle } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { MediaRejectedError, MediaUnavailableError } from "../../../../src/services/generation/media-api.ts";
import { createKeyvStore } from "@atelier/store/keyv-store";
import { StoreRejectedError, StoreUnavailableError } from "@atelier/store/store-errors";
import type { ResultReviewer } from "../../../../src/services/moderation/result-reviewer.ts";
import { requestCancel } from "../../../../src/services/tasks/change-task.ts";
import { DOWN, finishedRemoteTask, runningRemoteTask } from "../../../fakes/fake-media-api.ts";
import {
	CHARGED,
	notCharged,
	leaveUnanswered,
	MINUTE_MS,
	SECOND_MS,
	setup,
	type Setup,
	submission,
	TASK,
	textOf,
	repeat,
} from "../task-setup.ts";

const OTHER_TASK = "1000000000000000010";

test("a task that is submitted repeatedly is sent once, charged once and posted once with its file", async () => {
	const { process, media, replyClient, openKeys, advance, replyAndBalance } = setup();
	await Promise.all([process.submit(), process.submit()]);
	await advance(SECOND_MS);
	await process.run(SECOND_MS);
	expect(await process.stateOf()).toBe("delivered");
	expect([media.submits, replyClient.calls]).toStrictEqual([1, 1]);
	expect(media.accepted).toStrictEqual(new Map([[TASK, "remote-1"]]));
	expect(replyClient.visible.get(TASK)?.files).toMatchObject([
		{ name: "atelier-1000000000000000009.png", contentType: "image/png" },
	]);
	expect(textOf(replyClient)).toBe(
		"> \u2068a boat\u2069\n-# by <@1000000000000000002> · Paint · seed 7 · 4 credits · 6 left",
	);
	expect(await replyAndBalance()).toStrictEqual(CHARGED);
	expect(await openKeys()).toStrictEqual([]);
});

test("a free task that is submitted repeatedly is sent once", async () => {
	const { process, media, advance } = setup();
	const request = { ...submission.request, costCredits: 0 };
	expect(await Promise.all([process.submit({ request }), process.submit({ request })])).toStrictEqual([true, false]);
	await advance(SECOND_MS);
	expect([media.submits, await process.stateOf()]).toStrictEqual([1, "delivered"]);
});

const failSubmits = (error: Error) => (all: Setup) => all.media.failuresBefore.push(...repeat(1_000, error));
const rejection = new MediaRejectedError("40005", "no *such* ratio");
const knownDown = new MediaUnavailableError("not sent", { kind: "known_down", retryAfterMs: 2_000 });
const longWait = new MediaUnavailableError("429", { retryAfterMs: 10_000 * 24 * 60 * MINUTE_MS });
const busy = new MediaUnavailableError("429", { kind: "rate_limited" });
const DOWN_TEXT = "can't be reached right now";
const BUSY_TEXT = "is busy. Try again in a few minutes.";

test.each<[string, (all: Setup) => unknown, number, [min: number, max: number], string]>([
	["rejects the request", failSubmits(rejection), 0, [1, 1], "⁨no \\*such\\* ratio⁩"],
	["does not connect", failSubmits(DOWN), 15, [4, 99], DOWN_TEXT],
	["is known to be down", failSubmits(knownDown), 15, [4, 9], DOWN_TEXT],
	["asks for a long wait", failSubmits(longWait), 5 * 60, [5, 6], DOWN_TEXT],
	["answers each submit with 429", failSubmits(busy), 5 * 60, [4, 999], BUSY_TEXT],
	["accepts no tasks", ({ media }) => (media.delayMs = 10_000), 5 * 60, [0, 0], BUSY_TEXT],
])(
	"a task for a service that %s fails after its retry time and costs nothing",
	async (_what, arrange, retryS, [submitsMin, submitsMax], text) => {
		const fixture = setup();
		const { process, media, replyClient, openKeys, advance, replyAndBalance } = fixture;
		// The retry time begins with the command, not with the start of the bot.
		await process.runner.sweepOpenTasks();
		await advance(10 * MINUTE_MS);
		arrange(fixture);
		await process.submit();
		if (retryS > 0) await advance(retryS * SECOND_MS);
		// The regular sweep does not prolong the retry time.
		await process.runner.sweepOpenTasks();
		expect(replyClient.calls).toBe(0);
		await advance(MINUTE_MS);
		expect(media.submits).toBeGreaterThanOrEqual(submitsMin);
		expect(media.submits).toBeLessThanOrEqual(submitsMax);
		expect(await replyAndBalance()).toStrictEqual(notCharged(text));
		expect(replyClient.calls).toBe(1);
		expect(await openKeys()).toStrictEqual([]);
	},
);

test("while the service accepts no tasks the reply shows a notice after half a minute, and the task is sent when the service accepts tasks again", async () => {
	const { process, media, advance, progress, replyAndBalance } = setup();
	media.delayMs = 10 * SECOND_MS;
	await process.run(29 * SECOND_MS);
	expect(progress()).toMatch(/^\*\*Waiting\*\*\n-# /);
	await advance(5 * SECOND_MS);
	expect(progress()).toContain("\nThe generation service is busy. Your job will start as soon as there's room.\n");
	await advance(3 * MINUTE_MS);
	expect([media.submits, await process.stateOf()]).toStrictEqual([0, "reserved"]);
	media.answer = runningRemoteTask;
	media.delayMs = 0;
	await advance(30 * SECOND_MS);
	expect(progress()).toMatch(/^\*\*In progress\*\*.*\n-# /);
	media.answer = finishedRemoteTask();
	await advance(MINUTE_MS);
	expect(await replyAndBalance()).toStrictEqual(CHARGED);
});

describe("the retry time for failed connections begins again", () => {
	const wait = new MediaUnavailableError("503", { retryAfterMs: 30 * SECOND_MS });

	test.each<[string, (media: Setup["media"]) => unknown, number]>([
		["after a rate limit", (media) => (media.delayMs = 10 * SECOND_MS), 3],
		["after a wait that the service asked for", (media) => media.failuresBefore.push(wait), 4],
	])("%s", async (_what, delay, submits) => {
		const { process, media, advance, replyAndBalance } = setup();
		media.failuresBefore.push(DOWN);
		await process.submit();
		delay(media);
		await advance(20 * SECOND_MS);
		media.delayMs = 0;
		media.failuresBefore.push(DOWN);
		await advance(MINUTE_MS);
		expect(media.submits).toBe(submits);
		expect(await replyAndBalance()).toStrictEqual(CHARGED);
	});

	test("in the next process, although the bot was down for long", async () => {
		const { process, restart, media, advance, replyAndBalance } = setup();
		media.failuresBefore.push(DOWN);
		await process.run(250);
		media.failuresBefore.push(DOWN);
		await restart({ downMs: 5 * MINUTE_MS });
		await advance(10 * SECOND_MS);
		expect(await replyAndBalance()).toStrictEqual(CHARGED);
	});

	test("in the next process, if the last one crashed before it stored that nothing was sent", async () => {
		const { bootCrashing, boot, media, advance, replyAndBalance } = setup();
		const { store, dying } = bootCrashing();
		media.onSubmit = () => store.arm(0);
		media.failuresBefore.push(DOWN);
		await dying.run(SECOND_MS);
		await dying.runner.stop();
		expect(await boot().stateOf()).toBe("submitting");
		await advance(5 * MINUTE_MS);
		media.finding = { kind: "absent" };
		await boot().runner.sweepOpenTasks();
		await advance(10 * SECOND_MS);
		expect(await replyAndBalance()).toStrictEqual(CHARGED);
	});
});

/** Submits a task that the service accepts but does not answer, and that must not be sent again. */
async function setupUnanswered() {
	const fixture = setup();
	const answer = leaveUnanswered(fixture.media);
	await fixture.process.run(SECOND_MS);
	return { ...fixture, answer };
}

/** Returns whether a stop has ended. Awaiting one that never ends would take until the timeout of the test. */
async function stateOfStop(stopped: Promise<void>): Promise<string> {
	return await Promise.race([stopped.then(() => "stopped"), settle("waits")]);
}

describe("a submit whose response takes long", () => {
	test.each([
		["waits for the response for a minute and a half", 85, "submitting"],
		["is unconfirmed after that, until the response arrives", 100, "unconfirmed"],
	])("in a process that starts meanwhile, %s", async (_what, seconds, state) => {
		const { boot, media, progress, advance, answer, taskNow, replyAndBalance } = await setupUnanswered();
		await advance(4 * SECOND_MS);
		expect(progress()).toContain("**In progress**");
		await boot().runner.sweepOpenTasks();
		await advance((seconds - 4) * SECOND_MS);
		expect(await taskNow()).toMatchObject({ state });
		answer();
		await advance(10 * SECOND_MS);
		expect(media.submits).toBe(1);
		expect(await replyAndBalance()).toStrictEqual(CHARGED);
	});

	test("delays a stop until the response arrives", async () => {
		const { process, media, boot, advance, answer, replyAndBalance } = await setupUnanswered();
		const stopped = process.runner.stop();
		await advance(SECOND_MS);
		answer();
		expect(await stateOfStop(stopped)).toBe("stopped");
		await boot().runner.sweepOpenTasks();
		await advance(5 * SECOND_MS);
		expect(media.submits).toBe(1);
		expect(await replyAndBalance()).toStrictEqual(CHARGED);
	});

	test("delays a stop for at most 15 seconds, and is then unconfirmed", async () => {
		const { media, advance, process, taskNow } = await setupUnanswered();
		const stopped = process.runner.stop();
		await advance(14 * SECOND_MS);
		expect(await stateOfStop(stopped)).toBe("waits");
		await advance(2 * SECOND_MS);
		expect(await stateOfStop(stopped)).toBe("stopped");
		expect(await taskNow()).toMatchObject({ state: "unconfirmed" });
		expect(media.submits).toBe(1);
	});
});

/** Starts a process on a store whose next `outage.failingWrites` writes fail with `outage.error`. Results are reviewed. */
function setupOutage({ credits = 10 } = {}) {
	const reviews: string[] = [];
	const resultReviewer: ResultReviewer = {
		async review({ id }) {
			reviews.push(id);
			return { kind: "show", isSpoiler: false };
		},
	};
	const fixture = setup({ credits, moderation: { resultReviewer } });
	const inner = createKeyvStore(fixture.storage);
	const outage = {
		failingWrites: 0,
		error: new StoreUnavailableError("away") as Error,
		/** True if a failing write takes effect. */
		isWritten: false,
		beforeWrite: async () => {},
	};
	const write = async <T>(work: () => Promise<T>): Promise<T> => {
		await outage.beforeWrite();
		if (outage.failingWrites-- <= 0) return await work();
		if (outage.isWritten) await work();
		throw outage.error;
	};
	const process = fixture.boot({
		...inner,
		compareAndSet: (...args) => write(() => inner.compareAndSet(...args)),
		compareAndSetAll: (...args) => write(() => inner.compareAndSetAll(...args)),
	});
	const failWrites = (): void => void (outage.failingWrites = Infinity);
	const loseNextResponse = (): void => void Object.assign(outage, { failingWrites: 1, isWritten: true });
	return { ...fixture, outage, failWrites, loseNextResponse, reviews, process };
}

type Outage = ReturnType<typeof setupOutage>;

/** Makes every write fail from the submit on. A service without idempotency keys must not receive it again. */
function failWritesAtSubmit({ media, failWrites }: Outage): void {
	media.honorsIdempotencyKey = false;
	media.onSubmit = failWrites;
}

const failWritesAtPoll = ({ media, failWrites }: Outage): void => void (media.onRead = failWrites);
const failWritesAtDelivery = ({ replyClient, failWrites }: Outage): void =>
	void (replyClient.onDeliver = async () => failWrites());

describe("while the store fails every write", () => {
	test.each<[string, (all: Outage) => void, Error?]>([
		["a submit that only this process knows", failWritesAtSubmit],
		["a result, which may be reviewed", failWritesAtPoll],
		["a delivery", failWritesAtDelivery],
		["a delivery, while Redis loads its file,", failWritesAtDelivery, new StoreRejectedError("LOADING")],
	])("%s is neither lost nor repeated", async (_what, arrange, error) => {
		const fixture = setupOutage();
		const { process, outage, media, reviews, replyClient, advance, replyAndBalance } = fixture;
		if (error) outage.error = error;
		arrange(fixture);
		await process.run(5 * MINUTE_MS);
		outage.failingWrites = 0;
		media.onSubmit = media.onRead = () => {};
		replyClient.onDeliver = async () => {};
		await advance(MINUTE_MS);
		expect([media.submits, media.reads, reviews.length, replyClient.calls]).toStrictEqual([1, 1, 1, 1]);
		expect(await replyAndBalance()).toStrictEqual(CHARGED);
	});

	test("a rejected submit of a service without idempotency keys is not repeated", async () => {
		const fixture = setupOutage();
		failWritesAtSubmit(fixture);
		fixture.media.failuresBefore.push(rejection);
		await fixture.process.run(5 * MINUTE_MS);
		expect(fixture.media.submits).toBe(1);
	});

	test.each([
		["cancel", { by: "member", atMs: 1 }],
		["ping", "requested"],
	] as const)("a %s requested before the outcome of the submit is stored is kept", async (field, request) => {
		const fixture = setupOutage();
		const { process, boot, outage, media, advance, taskNow } = fixture;
		media.answer = runningRemoteTask;
		failWritesAtSubmit(fixture);
		await process.run(SECOND_MS);
		const { taskStore } = boot();
		const loaded = await taskStore.load(TASK);
		if (!loaded) throw new Error("task not stored");
		await taskStore.move(loaded, { ...loaded.task, [field]: request });
		outage.failingWrites = 0;
		await advance(MINUTE_MS);
		expect(await taskNow()).toMatchObject({ state: "submitted", [field]: request });
	});

	test("a submit that is stored after another process has given the task up is reported to the operator", async () => {
		const fixture = setupOutage();
		const { process, boot, outage, advance, linesOf } = fixture;
		failWritesAtSubmit(fixture);
		await process.run(SECOND_MS);
		await boot().runner.sweepOpenTasks();
		await advance(11 * MINUTE_MS);
		outage.failingWrites = 0;
		await advance(MINUTE_MS);
		const report = { remoteId: "remote-1", state: "delivered" };
		expect(linesOf("abandoned task accepted by the service")).toMatchObject([report]);
	});

	test("at most 64 deliveries keep their place in the queue, and others are repeated every minute or two", async () => {
		const { process, clock, failWrites, replyClient, advance } = setupOutage({ credits: 1_000 });
		replyClient.onDeliver = async () => {
			await clock.sleep(5 * SECOND_MS);
			failWrites();
		};
		for (let index = 0; index < 65; index++) await process.submit({ id: String(1_000_000 + index) });
		await advance(5 * MINUTE_MS);
		expect(replyClient.calls - 65).toBeGreaterThanOrEqual(2);
		expect(replyClient.calls - 65).toBeLessThanOrEqual(5);
	});

	test("a task that is not submitted yet waits longer after each failed write", async () => {
		const { process, outage, media, advance, replyAndBalance } = setupOutage();
		media.delayMs = SECOND_MS;
		await process.submit();
		media.delayMs = 0;
		let writes = 0;
		Object.assign(outage, { failingWrites: Infinity, beforeWrite: async () => void writes++ });
		await advance(5 * MINUTE_MS);
		expect(writes).toBeGreaterThan(5);
		expect(writes).toBeLessThan(30);
		outage.failingWrites = 0;
		await advance(MINUTE_MS);
		expect(await replyAndBalance()).toStrictEqual(CHARGED);
	});
});

describe("a task that is about to be submitted", () => {
	test("is submitted at once if only the response to its write was lost", async () => {
		const { process, loseNextResponse, media, advance, replyAndBalance } = setupOutage();
		media.honorsIdempotencyKey = false;
		media.delayMs = SECOND_MS;
		await process.submit();
		loseNextResponse();
		media.delayMs = 0;
		await advance(10 * SECOND_MS);
		expect(media.submits).toBe(1);
		expect(await replyAndBalance()).toStrictEqual(CHARGED);
	});

	test("is not submitted if the store fails until its deadline", async () => {
		const { process, boot, outage, media, advance, replyAndBalance } = setupOutage();
		media.delayMs = MINUTE_MS;
		const first = boot();
		await first.submit();
		await first.runner.stop();
		await advance(10 * MINUTE_MS - 5 * SECOND_MS);
		media.delayMs = 0;
		outage.failingWrites = Infinity;
		await process.runner.sweepOpenTasks();
		await advance(10 * SECOND_MS);
		outage.failingWrites = 0;
		await advance(MINUTE_MS);
		expect(media.submits).toBe(0);
		expect(await replyAndBalance()).toStrictEqual(notCharged());
	});

	test("is not submitted if another process stores a cancel meanwhile", async () => {
		const { process, boot, outage, media, advance, replyAndBalance } = setupOutage();
		media.delayMs = SECOND_MS;
		await process.submit();
		outage.beforeWrite = async () => {
			outage.beforeWrite = async () => {};
			await requestCancel(boot().taskStore, TASK, { by: "member", atMs: 1 });
		};
		media.delayMs = 0;
		await advance(10 * SECOND_MS);
		expect(media.submits).toBe(0);
		expect(await replyAndBalance()).toStrictEqual(notCharged("was canceled"));
	});
});

test.each(["onSubmit", "onRead"] as const)(
	"a write whose response is lost (%s) is not taken for that of an abandoned task, also if another process continues the task",
	async (when) => {
		const { process, boot, loseNextResponse, media, logged, advance, replyAndBalance } = setupOutage();
		media[when] = loseNextResponse;
		await process.run(0, { request: { ...submission.request, typicalSeconds: 0 } });
		await boot().runner.sweepOpenTasks();
		await advance(10 * SECOND_MS);
		expect(await replyAndBalance()).toStrictEqual(CHARGED);
		expect(logged("error")).toStrictEqual([]);
	},
);

test.each([
	["an open task", runningRemoteTask],
	["a finished task, also after a restart,", finishedRemoteTask()],
])("a service that gives a task the id of %s fails the second task without a charge", async (_what, answer) => {
	const { process, media, replyClient, logged, advance, restart, replyAndBalance } = setup();
	media.submit = async () => ({ remoteId: "always-the-same" });
	media.answer = answer;
	await process.run(SECOND_MS);
	const later = await restart();
	await later.run(SECOND_MS, { id: OTHER_TASK });
	expect(textOf(replyClient, OTHER_TASK)).toMatch(/an invalid response.*No credits were charged\./s);
	expect(logged("error")).toStrictEqual(["the service gave this task the id of another"]);
	expect(media.cancels).toStrictEqual([]);
	media.answer = finishedRemoteTask();
	await advance(MINUTE_MS);
	expect(replyClient.visible.get(TASK)?.files).toHaveLength(1);
	expect(replyClient.visible.get(OTHER_TASK)?.files).toHaveLength(0);
	expect(await replyAndBalance()).toStrictEqual(CHARGED);
});
