import { describe, expect, test } from "vitest";
import { DownloadFailedError } from "@atelier/common/download";
import {
	MediaHttpError,
	MediaRejectedError,
	MediaTimeoutError,
	MediaUnavailableError,
} from "../../../src/services/generation/media-api.ts";
import { finishedRemoteTask, runningRemoteTask } from "../../fakes/fake-media-api.ts";
import {
	CHARGED,
	notCharged,
	leaveUnanswered,
	MINUTE_MS,
	SECOND_MS,
	setup,
	type Setup,
	setupSubmitted,
	submission,
	repeat,
} from "./task-setup.ts";

const CANCELED = { state: "failed", code: "canceled", reason: "" } as const;

const UNKNOWN_END_LOG = "abandoned task may still run and be billed: look it up at the service";

const failPolls =
	(error: Error, afterMs = 0) =>
	({ media, clock }: Setup): void => {
		const fromMs = clock.nowMs() + afterMs;
		media.read = async () => {
			if (clock.nowMs() < fromMs) return runningRemoteTask;
			throw error;
		};
	};

const failDownloads = ({ media, downloadFailures }: Setup): void => {
	media.answer = finishedRemoteTask();
	downloadFailures.push(...repeat(1_000, new DownloadFailedError("404", { isExpired: true })));
};

const failWrites = ({ media, results }: Setup): void => {
	media.answer = finishedRemoteTask();
	results.stage = () => Promise.reject(Object.assign(new Error("no space left"), { code: "ENOSPC" }));
};

const loseResponse = ({ media }: Setup): void => {
	media.honorsIdempotencyKey = false;
	media.failuresAfter.push(new MediaTimeoutError("lost"));
};

const failLookups = (all: Setup): void => {
	loseResponse(all);
	all.media.find = () => Promise.reject(new MediaHttpError("502", 502));
};

test.each<[string, (all: Setup) => void, string]>([
	["the service still works on it", () => {}, "took too long and was stopped"],
	["polls answer 404", failPolls(new MediaRejectedError("HTTP 404", "")), "returned an invalid response"],
	[
		"polls answer 403",
		failPolls(new MediaRejectedError("HTTP 403", "")),
		"The generation service isn't working for this bot",
	],
	["polls answer an HTML page", failPolls(new MediaHttpError("a page", 200)), "returned an invalid response"],
	["polls do not connect", failPolls(new MediaUnavailableError("down")), "can't be reached right now"],
	["polls fail from the last 10 seconds", failPolls(new MediaTimeoutError(""), 590 * SECOND_MS), "took too long"],
	["the link to the result has expired", failDownloads, "couldn't be downloaded"],
	["the disk is full", failWrites, "the bot's disk is full"],
	["the response to the submit was lost", loseResponse, "The generation service never confirmed this job."],
	["a lost submission cannot be looked up", failLookups, "The generation service never confirmed this job."],
	[
		"the submit has no response yet",
		({ media }) => leaveUnanswered(media),
		"The generation service never confirmed this job.",
	],
])(
	"a task ends 10 minutes after its command, to the second, and its credits come back %s",
	async (_situation, arrange, text) => {
		const fixture = setup();
		const { process, media, replyClient, openKeys, advance, replyAndBalance } = fixture;
		media.answer = runningRemoteTask;
		arrange(fixture);
		await process.submit();
		await advance(10 * MINUTE_MS - SECOND_MS);
		expect(replyClient.visible.size).toBe(0);
		expect(await process.balance()).toMatchObject({ heldCredits: 4 });
		await advance(2 * SECOND_MS);
		expect(await replyAndBalance()).toStrictEqual(notCharged(text));
		const failuresLeft = fixture.downloadFailures.length;
		Reflect.deleteProperty(media, "read");
		media.answer = CANCELED;
		await advance(20 * MINUTE_MS);
		expect([media.submits, replyClient.visible.size, fixture.downloadFailures.length]).toStrictEqual([
			1,
			1,
			failuresLeft,
		]);
		expect(await openKeys()).toStrictEqual([]);
	},
);

test.each([
	["music", 30],
	["video", 60],
] as const)("the deadline of %s is after %d minutes", async (mediaType, minutes) => {
	const { replyClient, advance, replyAndBalance } = await setupSubmitted({
		request: { ...submission.request, mediaType },
	});
	await advance((minutes - 1) * MINUTE_MS);
	expect(replyClient.calls).toBe(0);
	await advance(MINUTE_MS);
	expect(await replyAndBalance()).toStrictEqual(notCharged("took too long"));
});

test.each<[string, (all: Setup) => void]>([
	["polls fail", failPolls(new MediaRejectedError("HTTP 404", ""))],
	["the service accepts no tasks", ({ media }) => void (media.delayMs = MINUTE_MS)],
])("restarts do not postpone the deadline while %s", async (_situation, arrange) => {
	const fixture = setup();
	const { process, restart, advance, replyClient, replyAndBalance } = fixture;
	arrange(fixture);
	await process.submit();
	let running = process;
	for (let minute = 0; minute < 10; minute++) {
		await advance(MINUTE_MS);
		running = await restart({ running });
	}
	await advance(SECOND_MS);
	expect(replyClient.visible.size).toBe(1);
	expect(await replyAndBalance()).toStrictEqual(notCharged());
});

test.each<[string, (all: Setup) => void, object]>([
	["delivers a result that was ready before it", ({ media }) => (media.answer = finishedRemoteTask()), CHARGED],
	["reports a failed poll", failPolls(new MediaUnavailableError("down")), notCharged("can't be reached right now")],
])("a process that starts after the deadline %s", async (_what, arrange, expected) => {
	const fixture = await setupSubmitted();
	arrange(fixture);
	await fixture.restart({ downMs: 14 * MINUTE_MS });
	await fixture.advance(SECOND_MS);
	expect(await fixture.replyAndBalance()).toStrictEqual(expected);
});

/** Submits a task that ends at its deadline while the service still works on it. */
async function setupAbandoned() {
	const fixture = await setupSubmitted();
	await fixture.advance(10 * MINUTE_MS - SECOND_MS);
	return fixture;
}

describe("a task that is abandoned at its deadline", () => {
	test("is canceled as soon as the service is back, and a late result is neither shown nor charged", async () => {
		const { media, replyClient, openKeys, advance, taskNow, replyAndBalance } = await setupAbandoned();
		media.failuresBefore.push(...repeat(200, new MediaUnavailableError("down")));
		await advance(4 * MINUTE_MS);
		expect(await replyAndBalance()).toStrictEqual(notCharged());
		media.failuresBefore.length = 0;
		media.answer = finishedRemoteTask();
		const before = media.cancels.length;
		await advance(MINUTE_MS);
		expect(media.cancels.slice(before)).toStrictEqual(["remote-1"]);
		expect(await taskNow()).toMatchObject({ state: "withdrawn", end: "canceled" });
		expect([replyClient.calls, await replyAndBalance(), await openKeys()]).toStrictEqual([1, notCharged(), []]);
	});

	test("is withdrawn without a report if the service answers 409 to the cancel, because the task has ended", async () => {
		const { media, openKeys, advance, taskNow, logged } = await setupAbandoned();
		media.cancel = async (remoteId) => {
			media.cancels.push(remoteId);
			throw new MediaHttpError("failed with code 409", 409);
		};
		await advance(2 * SECOND_MS);
		expect(await taskNow()).toMatchObject({ state: "delivered" });
		media.answer = finishedRemoteTask();
		await advance(MINUTE_MS);
		expect(await taskNow()).toMatchObject({ state: "withdrawn", end: "ended" });
		expect(media.cancels.length).toBeLessThan(8);
		expect([logged("error"), await openKeys()]).toStrictEqual([[], []]);
	});

	test("is withdrawn without a report if the service rejects the cancel, and only one poll fails", async () => {
		const { media, advance, taskNow, logged } = await setupAbandoned();
		media.cancelAnswer = "not_supported";
		media.read = async () => {
			// The first cancel is that of the deadline.
			if (media.cancels.length < 2) return runningRemoteTask;
			if (media.cancels.length === 2) throw new MediaHttpError("503", 503);
			return finishedRemoteTask();
		};
		await advance(MINUTE_MS);
		expect(await taskNow()).toMatchObject({ state: "withdrawn", end: "ended" });
		expect([media.cancels.length, logged("error")]).toStrictEqual([3, []]);
	});

	test.each<[string, (all: Setup) => unknown]>([
		["stays down", ({ media }) => media.failuresBefore.push(...repeat(1_000, new MediaUnavailableError("down")))],
		["cannot cancel", ({ media }) => (media.cancelAnswer = "not_supported")],
	])("is reported to the operator when the service %s", async (_what, arrange) => {
		const fixture = await setupAbandoned();
		arrange(fixture);
		await fixture.advance(20 * MINUTE_MS);
		expect(await fixture.taskNow()).toMatchObject({ state: "withdrawn", end: "unknown" });
		expect(fixture.logged("error")).toStrictEqual([UNKNOWN_END_LOG]);
		expect(await fixture.openKeys()).toStrictEqual([]);
	});
});
