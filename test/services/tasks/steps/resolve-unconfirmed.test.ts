/** Tests submits whose response was lost, so that the bot does not know whether the service accepted them. */
import { describe, expect, test } from "vitest";
import { ARRIVES_WITHIN_MS } from "../../../../src/services/tasks/steps/withdraw.ts";
import { MediaHttpError, MediaRejectedError } from "../../../../src/services/generation/media-api.ts";
import { DOWN, finishedRemoteTask, LOST, runningRemoteTask } from "../../../fakes/fake-media-api.ts";
import { CHARGED, notCharged, MINUTE_MS, SECOND_MS, setup, repeat } from "../task-setup.ts";

const ABSENT = { kind: "absent" } as const;
const FOUND = { kind: "found", remoteId: "remote-1" } as const;
const PENDING = { text: "nothing", postedCredits: 10, heldCredits: 4 };

/** Submits a task to a service without idempotency keys, which has the task, but whose response is lost. */
async function setupLostResponse() {
	const fixture = setup();
	const { media, process } = fixture;
	media.honorsIdempotencyKey = false;
	media.failuresAfter.push(LOST);
	await process.run(SECOND_MS);
	return fixture;
}

describe("a submission whose response was lost", () => {
	test("is delivered and charged once when the next process finds it at the service", async () => {
		const { restart, media, advance, replyAndBalance } = await setupLostResponse();
		media.finding = FOUND;
		await restart();
		await advance(10 * SECOND_MS);
		expect(media.submits).toBe(1);
		expect(await replyAndBalance()).toStrictEqual(CHARGED);
	});

	test.each([
		["is canceled if the service has it", FOUND, 0, "canceled", ["remote-1"]],
		["is given up after a quarter of an hour of failed cancels", FOUND, 1_000, "unknown", ["remote-1"]],
		["ends if the service does not have it", ABSENT, 0, "notAccepted", []],
	])("%s after the deadline, and is neither shown nor charged", async (_what, finding, failures, end, canceled) => {
		const { media, advance, taskNow, replyAndBalance } = await setupLostResponse();
		await advance(11 * MINUTE_MS);
		media.find = async () => finding;
		media.failuresBefore.push(...repeat(failures, DOWN));
		await advance(15 * MINUTE_MS);
		expect([...new Set(media.cancels)]).toStrictEqual(canceled);
		expect(await taskNow()).toMatchObject({ state: "withdrawn", end });
		expect(await replyAndBalance()).toStrictEqual(notCharged());
	});

	test("is shown in the reply after ten seconds, logged once after two minutes, and looked up less and less often", async () => {
		const { media, advance, logged, progress, restart } = await setupLostResponse();
		await advance(8 * SECOND_MS);
		expect(progress()).not.toContain("The generation service hasn't confirmed this job");
		await advance(4 * SECOND_MS);
		// The time is the deadline, ten minutes after the command.
		expect(progress()).toMatch(
			/^\*\*Unconfirmed\*\*\n.* If it doesn't, the job ends <t:1767226200:R>, and 4 credits are returned\./,
		);
		expect(logged("error")).toStrictEqual([]);
		await advance(3 * MINUTE_MS);
		await restart();
		await advance(5 * MINUTE_MS);
		expect(logged("error")).toStrictEqual(["submit unconfirmed: look the task up at the service"]);
		expect(media.finds).toBeLessThan(45);
	});
});

test("a lookup that keeps failing is logged once until the task is abandoned, and once after that", async () => {
	const { media, process, advance, logged } = setup();
	media.honorsIdempotencyKey = false;
	media.failuresAfter.push(LOST);
	media.find = () => Promise.reject(LOST);
	const lookupsLogged = () => logged("warn").filter((message) => message === "submission lookup failed").length;
	await process.run(9 * MINUTE_MS);
	expect(lookupsLogged()).toBe(1);
	await advance(15 * MINUTE_MS);
	expect(lookupsLogged()).toBe(2);
});

const rejected = (status: number) => new MediaRejectedError(`HTTP ${status}`, "", status);

/** Submits a task that the service runs, but whose response is lost. The repeated submits fail. */
async function setupFailedRepeats(error: Error) {
	const fixture = setup();
	const { media, process } = fixture;
	media.answer = runningRemoteTask;
	media.failuresAfter.push(LOST);
	media.onSubmit = () => {
		if (media.submits > 1) throw error;
	};
	await process.run(20 * SECOND_MS);
	return fixture;
}

describe("a submission to a service that honors idempotency keys", () => {
	test("is repeated with the same key until a response arrives", async () => {
		const { process, media, logged, replyAndBalance } = setup();
		media.failuresAfter.push(...repeat(4, LOST));
		await process.run(2 * MINUTE_MS);
		expect([media.submits, media.accepted.size]).toStrictEqual([5, 1]);
		expect(logged("error")).toStrictEqual([]);
		expect(await replyAndBalance()).toStrictEqual(CHARGED);
	});

	test.each([
		["is lost", LOST],
		["is an error of the service", new MediaHttpError("", 500)],
	])(
		"is repeated with growing pauses while each response %s, then fails, and is canceled if it arrives later",
		async (_what, error) => {
			const { media, process, openKeys, advance, taskNow, replyAndBalance } = setup();
			media.finding = ABSENT;
			media.onSubmit = () => {
				throw error;
			};
			await process.run(2 * MINUTE_MS - SECOND_MS);
			expect(await replyAndBalance()).toStrictEqual(PENDING);
			expect(media.submits).toBeGreaterThan(5);
			expect(media.submits).toBeLessThan(20);
			await advance(ARRIVES_WITHIN_MS + SECOND_MS);
			media.finding = { kind: "found", remoteId: "remote-late" };
			await advance(2 * MINUTE_MS);
			expect(media.cancels).toStrictEqual(["remote-late"]);
			expect(await taskNow()).toMatchObject({ state: "withdrawn", end: "canceled" });
			expect(await replyAndBalance()).toStrictEqual(notCharged("can't be reached"));
			expect(await openKeys()).toStrictEqual([]);
		},
	);

	test("has two minutes from its first lost response, however long a rate limit delayed it", async () => {
		const { media, process, advance, replyAndBalance } = setup();
		media.delayMs = MINUTE_MS;
		await process.run(3 * MINUTE_MS);
		media.delayMs = 0;
		media.finding = ABSENT;
		media.failuresBefore.push(LOST, LOST);
		await advance(2 * MINUTE_MS);
		expect([media.submits, media.accepted.size]).toStrictEqual([2, 1]);
		expect(await replyAndBalance()).toStrictEqual(CHARGED);
	});

	test("is not repeated after its deadline", async () => {
		const { process, media, advance, replyAndBalance } = setup();
		media.failuresAfter.push(...repeat(1_000, LOST));
		await process.run(10 * MINUTE_MS);
		const { submits } = media;
		await advance(MINUTE_MS);
		expect(media.submits).toBe(submits);
		expect(await replyAndBalance()).toStrictEqual(notCharged("never confirmed"));
	});

	test.each([
		["do not connect", DOWN],
		["are answered by a proxy with 401", rejected(401)],
		["are answered by a proxy with 403", rejected(403)],
		["are answered by a proxy with 404", rejected(404)],
	])("waits while the repeats %s", async (_what, error) => {
		const { media, advance, replyAndBalance } = await setupFailedRepeats(error);
		expect(await replyAndBalance()).toStrictEqual(PENDING);
		media.finding = FOUND;
		media.answer = finishedRemoteTask();
		await advance(MINUTE_MS);
		expect(await replyAndBalance()).toStrictEqual(CHARGED);
	});

	test("ends when its repeat is rejected for its content, and is canceled when it is found at the service", async () => {
		const { media, advance, replyAndBalance } = await setupFailedRepeats(rejected(422));
		expect(await replyAndBalance()).toStrictEqual(notCharged("rejected"));
		media.finding = FOUND;
		await advance(MINUTE_MS);
		expect(media.cancels).toStrictEqual(["remote-1"]);
	});
});
