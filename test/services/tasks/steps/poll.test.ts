import { describe, expect, test } from "vitest";
import { DownloadFailedError, DownloadRejectedError } from "@atelier/common/download";
import {
	MediaHttpError,
	MediaRejectedError,
	MediaUnavailableError,
} from "../../../../src/services/generation/media-api.ts";
import { DOWN, finishedRemoteTask, runningRemoteTask } from "../../../fakes/fake-media-api.ts";
import { CHARGED, notCharged, MINUTE_MS, SECOND_MS, setupSubmitted, TASK, submission, repeat } from "../task-setup.ts";

const TROUBLE = "The generation service is having problems. Your job is kept and will be checked again.";
const notFound = new MediaRejectedError("HTTP 404", "no such task");
const expiredLink = new DownloadFailedError("404", { isExpired: true });

type Submitted = Awaited<ReturnType<typeof setupSubmitted>>;

function failPolls({ media }: Submitted, error: Error): void {
	media.onRead = () => {
		throw error;
	};
}

test("a wake of a task, for example by a callback, polls the task immediately, every time", async () => {
	const request = { ...submission.request, typicalSeconds: 60 };
	const { process, media, advance, replyAndBalance } = await setupSubmitted({ request });
	const reads: number[] = [];
	for (let n = 0; n < 3; n++) {
		process.runner.wake(TASK);
		await advance(250);
		reads.push(media.reads);
	}
	expect(reads).toStrictEqual([1, 2, 3]);
	await advance(30 * SECOND_MS);
	media.answer = finishedRemoteTask();
	process.runner.wake(TASK);
	await advance(250);
	expect(await replyAndBalance()).toStrictEqual(CHARGED);
});

test("a wake in another process than the one that submitted the task polls it immediately too", async () => {
	const request = { ...submission.request, typicalSeconds: 60 };
	const { boot, media, advance, replyAndBalance } = await setupSubmitted({ request });
	media.answer = finishedRemoteTask();
	boot().runner.wake(TASK);
	await advance(250);
	expect(await replyAndBalance()).toStrictEqual(CHARGED);
});

test("an unknown state and states that go backwards keep a task open until the service reports its end", async () => {
	const { process, media, replyClient, advance, replyAndBalance } = await setupSubmitted();
	for (const phase of ["running", "queued", "unknown"] as const) {
		media.answer = { ...runningRemoteTask, phase };
		await advance(2 * MINUTE_MS);
		expect([await process.stateOf(), replyClient.calls]).toStrictEqual(["submitted", 0]);
	}
	media.answer = finishedRemoteTask();
	await advance(MINUTE_MS);
	expect(await replyAndBalance()).toStrictEqual(CHARGED);
});

const outputsOf = (length: number) =>
	Array.from({ length }, (_, n) => ({ url: `http://media.test/${n}.png`, seed: null }));

test("a result says if it has more files than a message can hold, or unusable ones", async () => {
	const { media, downloadFailures, advance, replyAndBalance } = await setupSubmitted();
	downloadFailures.push(new DownloadRejectedError("not on the public internet"));
	media.answer = finishedRemoteTask({ outputs: outputsOf(12) });
	await advance(MINUTE_MS);
	const { text } = await replyAndBalance();
	expect(text).toMatch(/Generated 12, but a message holds only 10\..*\n-# 1 file couldn't be used\./);
});

test.each([
	["less than a minute", 8, 4],
	["a minute", 9, 3],
])("a file whose link fails for %s: %i attempts fail, %i files are delivered", async (_time, failures, delivered) => {
	const { media, downloadFailures, replyClient, advance } = await setupSubmitted({
		request: { ...submission.request, options: { n: 4 } },
	});
	downloadFailures.push(...repeat(failures, expiredLink));
	media.answer = finishedRemoteTask({ outputs: outputsOf(4) });
	await advance(2 * MINUTE_MS);
	const { text, files } = replyClient.visible.get(TASK) ?? {};
	expect(files).toHaveLength(delivered);
	expect(text?.includes("1 file couldn't be used.")).toBe(delivered < 4);
	expect(text).not.toContain("Generated");
});

test("a success without a file is polled once more and then fails the task", async () => {
	const { media, openKeys, advance, replyAndBalance } = await setupSubmitted();
	media.answer = finishedRemoteTask({ outputs: [] });
	const before = media.reads;
	await advance(MINUTE_MS);
	expect(media.reads - before).toBe(2);
	expect(await replyAndBalance()).toStrictEqual(notCharged("didn't return a file"));
	expect(await openKeys()).toStrictEqual([]);
});

test.each<[string, (all: Submitted) => void]>([
	["no file yet", ({ media }) => (media.answer = finishedRemoteTask({ outputs: [] }))],
	["an HTML page", ({ media }) => media.failuresBefore.push(new MediaHttpError("a page", 404))],
	["a file that cannot be downloaded", ({ downloadFailures }) => downloadFailures.push(new DownloadFailedError("503"))],
	["an expired link", ({ downloadFailures }) => downloadFailures.push(expiredLink)],
])("one response with %s directly after a long outage does not fail the task", async (_what, arrange) => {
	const fixture = await setupSubmitted();
	const { media, advance, replyAndBalance } = fixture;
	const reads = media.reads + 9;
	media.failuresBefore.push(...repeat(8, DOWN));
	media.answer = finishedRemoteTask();
	arrange(fixture);
	while (media.reads < reads) await advance(250);
	media.answer = finishedRemoteTask();
	await advance(MINUTE_MS);
	expect(await replyAndBalance()).toStrictEqual(CHARGED);
});

describe("the reply of a task whose polls fail", () => {
	test("shows a notice after half a minute, and removes it when they succeed again", async () => {
		const fixture = await setupSubmitted();
		const { media, advance, progress } = fixture;
		await advance(10 * SECOND_MS);
		expect(progress()).toContain("**In progress**");
		failPolls(fixture, notFound);
		await advance(30 * SECOND_MS);
		expect(progress()).not.toContain(TROUBLE);
		await advance(15 * SECOND_MS);
		expect(progress()).toMatch(new RegExp(`^\\*\\*In progress\\*\\*.*\\n${TROUBLE}\\n`));
		media.onRead = () => {};
		await advance(45 * SECOND_MS);
		expect(progress()).not.toContain(TROUBLE);
	});

	test("shows the notice in time if the service asks for a longer wait", async () => {
		const fixture = await setupSubmitted();
		await fixture.advance(10 * SECOND_MS);
		failPolls(fixture, new MediaUnavailableError("429", { kind: "rate_limited", retryAfterMs: MINUTE_MS }));
		await fixture.advance(50 * SECOND_MS);
		expect(fixture.progress()).toContain(TROUBLE);
	});
});

test("while the client of the service holds requests back because of a known outage, no poll, submit, lookup or cancel logs a warning", async () => {
	const { process, media, logged, advance } = await setupSubmitted();
	const down = new MediaUnavailableError("not sent", { kind: "known_down", retryAfterMs: 2_000, isSuppressed: true });
	media.failuresBefore.push(...repeat(1_000, down));
	await process.submit({ id: `${TASK}1` });
	await advance(15 * MINUTE_MS);
	expect(media.cancels.length).toBeGreaterThan(5);
	expect(logged("warn")).toStrictEqual([]);
});

const DISK_FULL = "the disk is full: no result can be stored until there is space in DATA_DIR";
const MACHINE = "this machine cannot store or convert results: check DATA_DIR and the limits of the process";

test.each([
	["ENOSPC", "write", DISK_FULL],
	["EDQUOT", "write", DISK_FULL],
	["EIO", "fsync", MACHINE],
	["EAGAIN", "spawn node", MACHINE],
])(
	"an error of the machine delays a result: %s of %s is shown in the reply instead of earlier failures, and alerted once",
	async (code, syscall, alert) => {
		const fixture = await setupSubmitted();
		const { process, media, logged, advance, progress, results, replyAndBalance } = fixture;
		failPolls(fixture, notFound);
		await advance(MINUTE_MS);
		expect(progress()).toContain(TROUBLE);
		const stage = results.stage.bind(results);
		results.stage = () => Promise.reject(Object.assign(new Error("no result"), { code, syscall }));
		media.onRead = () => {};
		media.answer = finishedRemoteTask();
		await advance(6 * MINUTE_MS);
		expect(await process.stateOf()).toBe("submitted");
		expect(progress()).toContain("The bot can't store results right now.");
		expect(progress()).not.toContain(TROUBLE);
		expect(logged("error")).toStrictEqual([alert]);
		results.stage = stage;
		await advance(MINUTE_MS);
		expect(await replyAndBalance()).toStrictEqual(CHARGED);
	},
);

test("an error of the machine that no time mends fails the task with an incident id", async () => {
	const { media, advance, results, replyAndBalance } = await setupSubmitted();
	results.stage = () => Promise.reject(Object.assign(new Error("gone"), { code: "ENOENT", syscall: "open" }));
	media.answer = finishedRemoteTask();
	await advance(MINUTE_MS);
	expect(await replyAndBalance()).toStrictEqual(notCharged(/incident \w+/));
});
