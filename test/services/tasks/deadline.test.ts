import { describe, expect, test } from "vitest";
import { DownloadFailedError } from "@atelier/common/download";
import {
	MediaHttpError,
	MediaRejectedError,
	MediaUnavailableError,
} from "../../../src/services/generation/media-api.ts";
import { ReplyClientUnavailableError } from "../../../src/services/delivery/reply-client.ts";
import { DOWN, finishedRemoteTask, LOST, runningRemoteTask } from "../../fakes/fake-media-api.ts";
import {
	CHARGED,
	notCharged,
	leaveUnanswered,
	MINUTE_MS,
	SECOND_MS,
	setup,
	type Setup,
	setupSubmitted,
	repeat,
} from "./task-setup.ts";

const CANCELED = { state: "failed", code: "canceled", reason: "" } as const;

const failPolls =
	(error: Error, afterMs = 0) =>
	({ media, clock }: Setup): void => {
		const fromMs = clock.nowMs() + afterMs;
		media.onRead = () => {
			if (clock.nowMs() >= fromMs) throw error;
		};
	};

const failDownloads = (error: Error) => (all: Setup) => {
	all.media.answer = finishedRemoteTask();
	all.downloadFailures.push(...repeat(1_000, error));
};

function failThreeDownloads({ media, downloadFailures }: Setup): void {
	media.answer = finishedRemoteTask();
	downloadFailures.push(...repeat(3, new DownloadFailedError("503")));
}

function failWrites({ media, results }: Setup): void {
	media.answer = finishedRemoteTask();
	results.stage = () => Promise.reject(Object.assign(new Error("no space left"), { code: "ENOSPC", syscall: "write" }));
}

function loseResponse({ media }: Setup): void {
	media.honorsIdempotencyKey = false;
	media.failuresAfter.push(LOST);
}

function failLookups(all: Setup): void {
	loseResponse(all);
	all.media.find = () => Promise.reject(new MediaHttpError("502", 502));
}

const expiredLink = new DownloadFailedError("404", { isExpired: true });
const flagged = new MediaRejectedError("403", "this content was flagged", 200);
const limited = new MediaUnavailableError("429", { kind: "rate_limited", retryAfterMs: 2_000 });
const KEY_REJECTED = "isn't working for this bot";
const INVALID = "returned an invalid response";
const UNREACHABLE = "can't be reached right now";
const NEVER_CONFIRMED = "The generation service never confirmed this job.";
const RESULT_LOST = "couldn't be downloaded";
const RUNNING = "**In progress**";
const TROUBLE = "The generation service is having problems. Your job is kept and will be checked again.";
/** The warnings about the steps that failed. */
const POLL_FAILED = ["poll failed"];
const NOT_DOWNLOADED = ["result not downloaded"];

test.each<[string, (all: Setup) => void, string, string, string[]]>([
	["the service still works on it", () => {}, RUNNING, "took too long and was stopped", []],
	["polls answer 404", failPolls(new MediaRejectedError("HTTP 404", "")), TROUBLE, INVALID, POLL_FAILED],
	["polls answer 403", failPolls(new MediaRejectedError("HTTP 403", "")), TROUBLE, KEY_REJECTED, POLL_FAILED],
	["polls answer code 403 about moderation", failPolls(flagged), TROUBLE, INVALID, POLL_FAILED],
	["polls answer an HTML page", failPolls(new MediaHttpError("a page", 200)), TROUBLE, INVALID, POLL_FAILED],
	["polls exceed the rate limit", failPolls(limited), TROUBLE, UNREACHABLE, POLL_FAILED],
	["polls do not connect", failPolls(DOWN), TROUBLE, UNREACHABLE, POLL_FAILED],
	["polls time out", failPolls(LOST), TROUBLE, UNREACHABLE, POLL_FAILED],
	["polls fail from the last 10 seconds", failPolls(LOST, 590 * SECOND_MS), RUNNING, "took too long", POLL_FAILED],
	["the link to the result has expired", failDownloads(expiredLink), TROUBLE, RESULT_LOST, NOT_DOWNLOADED],
	["downloads answer 503", failDownloads(new DownloadFailedError("503")), TROUBLE, RESULT_LOST, NOT_DOWNLOADED],
	[
		"the disk is full",
		failWrites,
		"The bot can't store results right now.",
		"the bot couldn't store it",
		["result not stored"],
	],
	["the response to the submit was lost", loseResponse, "hasn't confirmed this job", NEVER_CONFIRMED, []],
	["a lost submission cannot be looked up", failLookups, "hasn't confirmed this job", NEVER_CONFIRMED, []],
	["the submit has no response yet", ({ media }) => void leaveUnanswered(media), RUNNING, NEVER_CONFIRMED, []],
])(
	"a task ends 10 minutes after its command, to the second, and its credits come back if %s",
	async (_situation, arrange, notice, text, warnings) => {
		const fixture = setup();
		const { process, media, replyClient, openKeys, progress, logged, advance, replyAndBalance } = fixture;
		media.answer = runningRemoteTask;
		arrange(fixture);
		await process.run(10 * MINUTE_MS - SECOND_MS);
		expect(await replyAndBalance()).toMatchObject({ text: "nothing", heldCredits: 4 });
		expect(progress()).toContain(notice);
		const logs = logged("warn").filter((message) => /^(poll failed|result not (downloaded|stored))$/.test(message));
		expect(logs).toStrictEqual(warnings);
		await advance(2 * SECOND_MS);
		expect(await replyAndBalance()).toStrictEqual(notCharged(text));
		const failuresLeft = fixture.downloadFailures.length;
		media.onRead = () => {};
		media.answer = CANCELED;
		await advance(20 * MINUTE_MS);
		expect([media.submits, replyClient.visible.size]).toStrictEqual([1, 1]);
		expect(fixture.downloadFailures).toHaveLength(failuresLeft);
		expect(await openKeys()).toStrictEqual([]);
	},
);

test.each<[string, (all: Setup) => void]>([
	["polls fail", failPolls(DOWN)],
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
	["delivers it after three failed downloads", failThreeDownloads, CHARGED],
	["reports that the fourth download failed", failDownloads(new DownloadFailedError("503")), notCharged(RESULT_LOST)],
	["reports a failed poll", failPolls(DOWN), notCharged(UNREACHABLE)],
])("a process that starts after the deadline %s", async (_what, arrange, expected) => {
	const fixture = await setupSubmitted();
	arrange(fixture);
	await fixture.restart({ downMs: 14 * MINUTE_MS });
	await fixture.advance(10 * SECOND_MS);
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
		media.failuresBefore.push(...repeat(200, DOWN));
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

	test("is canceled after a delivery that Discord has delayed by 20 minutes", async () => {
		const { media, replyClient, advance, taskNow } = await setupAbandoned();
		media.failuresBefore.push(...repeat(200, DOWN));
		replyClient.onDeliver = () => Promise.reject(new ReplyClientUnavailableError("503"));
		await advance(20 * MINUTE_MS);
		expect(await taskNow()).toMatchObject({ state: "settled" });
		media.failuresBefore.length = 0;
		replyClient.onDeliver = async () => {};
		await advance(MINUTE_MS);
		expect(await taskNow()).toMatchObject({ state: "withdrawn", end: "canceled" });
	});

	const report = "abandoned task may still run and be billed: look it up at the service";

	test.each<[string, (all: Setup) => unknown, string, string[]]>([
		["withdrawn if the service answers 409 to the cancel, because the task has ended", rejectCancels, "ended", []],
		["withdrawn if the service cannot cancel, although one poll fails", failOnePoll, "ended", []],
		["reported if the service stays down", failCalls, "unknown", [report]],
		["reported if the service cannot cancel a running task", disableCancels, "unknown", [report]],
	])("is %s", async (_what, arrange, end, reports) => {
		const fixture = await setupAbandoned();
		arrange(fixture);
		await fixture.advance(20 * MINUTE_MS);
		expect(await fixture.taskNow()).toMatchObject({ state: "withdrawn", end });
		expect(fixture.logged("error")).toStrictEqual(reports);
		expect(await fixture.openKeys()).toStrictEqual([]);
	});
});

function failCalls({ media }: Setup): void {
	media.failuresBefore.push(...repeat(1_000, DOWN));
}

function rejectCancels({ media }: Setup): void {
	const failure = new MediaHttpError("failed with code 409", 409);
	media.cancel = async (remoteId) => {
		media.cancels.push(remoteId);
		// The first cancel is that of the deadline.
		if (media.cancels.length > 2) media.answer = finishedRemoteTask();
		throw failure;
	};
}

function disableCancels({ media }: Setup): void {
	media.cancelAnswer = "not_supported";
}

function failOnePoll({ media }: Setup): void {
	media.cancelAnswer = "not_supported";
	media.onRead = () => {
		if (media.cancels.length === 2) throw new MediaHttpError("503", 503);
		if (media.cancels.length > 2) media.answer = finishedRemoteTask();
	};
}
