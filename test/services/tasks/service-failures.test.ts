import { describe, expect, test } from "vitest";
import { DownloadFailedError } from "@atelier/common/download";
import {
	MediaHttpError,
	MediaRefusedError,
	MediaTimeoutError,
	MediaUnavailableError,
} from "../../../src/services/generation/media-api.ts";
import { made, open } from "../../fakes/fake-media-api.ts";
import { MINUTE_MS, SECOND_MS, TASK, taskRequest, setup, textOf } from "./task-setup.ts";

/** A task that the service is making, and what goes wrong with it from now on. */
async function setupRunningTask(change: Partial<typeof taskRequest> = {}) {
	const all = setup();
	const { media, downloads, process, pass, clock, replyClient } = all;
	media.answer = open;
	await process.submit(change);
	await pass(SECOND_MS);
	const readsAtMs: number[] = [];
	/** Each read fails; `undefined` ends that. */
	const failReads = (error: Error | undefined): void => {
		if (!error) return void Reflect.deleteProperty(media, "read");
		media.read = () => {
			readsAtMs.push(clock.nowMs());
			return Promise.reject(error);
		};
	};
	const failDownloads = (error: Error | undefined): void => {
		downloads.length = 0;
		if (error) downloads.push(...Array.from({ length: 1_000 }, () => error));
	};
	const progress = (): string => replyClient.reported.at(-1)?.text ?? "";
	const lines = (level: "info" | "warn"): string[] => all.logged(level);
	return { ...all, failReads, failDownloads, readsAtMs, progress, lines };
}

const TROUBLE = "The service has trouble. Your job is kept, and is checked again.";

const FAILED_READS = [
	["404", new MediaRefusedError("HTTP 404", "no such task")],
	["401", new MediaRefusedError("HTTP 401", "")],
	["403", new MediaRefusedError("HTTP 403", "")],
	["403 in words of moderation", new MediaRefusedError("HTTP 403", "forbidden content, against our policy", 403)],
	["code 403 in words of moderation", new MediaRefusedError("403", "this content was flagged", 200)],
	["code -1", new MediaRefusedError("-1", "unknown error")],
	["a rate limit", new MediaUnavailableError("429", { why: "rate_limited", retryAfterMs: 2_000 })],
	["500", new MediaHttpError("broken", 500)],
	["no connection", new MediaUnavailableError("down")],
	["a page in place of an answer", new MediaHttpError("nonsense", 200)],
	["nothing", new MediaTimeoutError("no answer")],
] as const;

const FAILED_DOWNLOADS = [
	["404", new DownloadFailedError("404", { isExpired: true })],
	["503", new DownloadFailedError("503")],
	["a hang-up", new DownloadFailedError("socket hang up")],
] as const;

describe("a submitted task survives minutes", () => {
	test.each(FAILED_READS)("of polls that are answered with %s", async (_what, error) => {
		const { media, replyClient, process, pass, failReads } = await setupRunningTask();
		failReads(error);
		await pass(6 * MINUTE_MS);
		expect(await process.stateOf()).toBe("submitted");
		media.answer = made();
		failReads(undefined);
		await pass(MINUTE_MS);
		expect(textOf(replyClient)).toContain("4 credits · 6 left");
	});

	test.each(FAILED_DOWNLOADS)("of downloads that are answered with %s", async (_what, error) => {
		const { media, replyClient, process, pass, failDownloads } = await setupRunningTask();
		failDownloads(error);
		media.answer = made();
		await pass(6 * MINUTE_MS);
		expect(await process.stateOf()).toBe("submitted");
		failDownloads(undefined);
		await pass(MINUTE_MS);
		expect(textOf(replyClient)).toContain("4 credits · 6 left");
	});

	test("of different failures in turn", async () => {
		const { media, replyClient, pass, failReads, failDownloads } = await setupRunningTask();
		failReads(new MediaUnavailableError("down"));
		await pass(4 * MINUTE_MS);
		failReads(undefined);
		media.answer = made();
		failDownloads(new DownloadFailedError("404", { isExpired: true }));
		await pass(4 * MINUTE_MS);
		failDownloads(undefined);
		await pass(MINUTE_MS);
		expect(textOf(replyClient)).toContain("4 credits · 6 left");
	});
});

describe("the retries of a failing task", () => {
	test("become less frequent, at most half a minute apart", async () => {
		const { pass, failReads, readsAtMs } = await setupRunningTask();
		failReads(new MediaRefusedError("HTTP 404", ""));
		await pass(9 * MINUTE_MS);
		const gapsMs = readsAtMs.slice(1).map((atMs, index) => atMs - (readsAtMs[index] ?? 0));
		expect(gapsMs.length).toBeLessThan(40);
		expect(gapsMs[0]).toBeLessThan(SECOND_MS);
		expect(Math.max(...gapsMs)).toBeLessThanOrEqual(31 * SECOND_MS);
	});

	test("are spread for tasks that began together", async () => {
		const chances = [0, 0.9];
		const readsAtMs: number[][] = [];
		for (const chance of chances) {
			const task = await setupRunningTask();
			task.chance.next = () => chance;
			task.failReads(new MediaRefusedError("HTTP 404", ""));
			await task.pass(MINUTE_MS);
			readsAtMs.push(task.readsAtMs.slice(-1));
		}
		expect(readsAtMs[0]).not.toStrictEqual(readsAtMs[1]);
	});

	test.each([
		[
			"polls",
			(task: Awaited<ReturnType<typeof setupRunningTask>>) => task.failReads(new MediaRefusedError("HTTP 404", "")),
			"makes no sense",
		],
		[
			"downloads",
			(task: Awaited<ReturnType<typeof setupRunningTask>>) => {
				task.media.answer = made();
				task.failDownloads(new DownloadFailedError("404", { isExpired: true }));
			},
			"could not be fetched",
		],
	])("of %s end exactly at the deadline", async (_what, arrange, sentence) => {
		const { downloads, media, openKeys, process, pass, ...task } = await setupRunningTask();
		arrange({ downloads, media, openKeys, process, pass, ...task });
		// It was submitted one second before.
		await pass(10 * MINUTE_MS - 2 * SECOND_MS);
		expect(await process.stateOf()).toBe("submitted");
		await pass(2 * SECOND_MS);
		expect(["delivered", "withdrawn"]).toContain(await process.stateOf());
		expect(textOf(task.replyClient)).toContain(sentence);
		expect(await process.balance()).toMatchObject({ postedCredits: 10, heldCredits: 0 });
		const left = downloads.length;
		await pass(20 * MINUTE_MS);
		expect(downloads.length).toBe(left);
		expect(await openKeys()).toStrictEqual([]);
	});

	test("do not restart with each process: the deadline stays", async () => {
		const { boot, process, pass, failReads } = await setupRunningTask();
		failReads(new MediaRefusedError("HTTP 404", ""));
		let running = process;
		for (let minute = 0; minute < 10; minute++) {
			await pass(MINUTE_MS);
			await running.runner.stop();
			running = boot();
			await running.runner.recover();
		}
		await pass(SECOND_MS);
		expect(await running.stateOf()).toBe("delivered");
		expect(await running.balance()).toMatchObject({ postedCredits: 10, heldCredits: 0 });
	});
});

describe("at its deadline a failing task ends", () => {
	test.each([
		[
			"with what the service said, where it refused every poll",
			new MediaRefusedError("HTTP 404", ""),
			"makes no sense",
		],
		[
			"with who can help, where it refused the key",
			new MediaRefusedError("HTTP 403", ""),
			"Only the people who run this bot",
		],
		["with what it said, where that was no answer", new MediaHttpError("nonsense", 200), "makes no sense"],
		["with where the service was, where it was away", new MediaUnavailableError("down"), "cannot be reached right now"],
	])("%s", async (_what, error, sentence) => {
		const { replyClient, pass, failReads } = await setupRunningTask();
		failReads(error);
		await pass(10 * MINUTE_MS);
		expect(textOf(replyClient)).toContain(sentence);
		expect(textOf(replyClient)).toContain("Nothing was charged.");
	});

	test("with the elapsed time if the failures began recently", async () => {
		const { replyClient, pass, failReads } = await setupRunningTask();
		await pass(10 * MINUTE_MS - 10 * SECOND_MS);
		failReads(new MediaUnavailableError("down"));
		await pass(20 * SECOND_MS);
		expect(textOf(replyClient)).toContain("took too long");
	});
});

describe("the reply of a failing task", () => {
	test("says so after half a minute, until the failures end", async () => {
		const { pass, failReads, progress } = await setupRunningTask({
			reply: { ...taskRequest.reply, tokenExpiresAtMs: Date.UTC(2026, 0, 1) + 15 * MINUTE_MS },
		});
		await pass(10 * SECOND_MS);
		expect(progress()).toContain("**Being made**");
		failReads(new MediaRefusedError("HTTP 404", ""));
		await pass(30 * SECOND_MS);
		expect(progress()).not.toContain(TROUBLE);
		await pass(15 * SECOND_MS);
		expect(progress()).toMatch(new RegExp(`^\\*\\*Being made\\*\\*.*\\n${TROUBLE}\\n`));
		failReads(undefined);
		await pass(45 * SECOND_MS);
		expect(progress()).not.toContain(TROUBLE);
	});

	test("says so in time even if the service requests a longer pause", async () => {
		const { pass, failReads, progress } = await setupRunningTask();
		await pass(10 * SECOND_MS);
		failReads(new MediaUnavailableError("429", { why: "rate_limited", retryAfterMs: MINUTE_MS }));
		await pass(50 * SECOND_MS);
		expect(progress()).toContain(TROUBLE);
	});

	test("says so if the result cannot be downloaded", async () => {
		const { media, pass, failDownloads, progress } = await setupRunningTask();
		failDownloads(new DownloadFailedError("404", { isExpired: true }));
		media.answer = made();
		await pass(50 * SECOND_MS);
		expect(progress()).toContain(TROUBLE);
	});

	test("still says so after a restart", async () => {
		const { boot, process, pass, failReads, replyClient } = await setupRunningTask();
		failReads(new MediaRefusedError("HTTP 404", ""));
		await pass(50 * SECOND_MS);
		await process.runner.stop();
		replyClient.reported.length = 0;
		await boot().runner.recover();
		await pass(5 * SECOND_MS);
		expect(replyClient.reported.at(-1)?.text).toContain(TROUBLE);
	});
});

describe("the log of a failing task", () => {
	test("has one line for the first failed poll, and one for the recovery", async () => {
		const { pass, failReads, lines } = await setupRunningTask();
		failReads(new MediaRefusedError("HTTP 404", ""));
		await pass(5 * MINUTE_MS);
		failReads(undefined);
		await pass(MINUTE_MS);
		expect(lines("warn")).toStrictEqual(["poll failed"]);
		expect(lines("info").filter((line) => line === "service trouble over")).toHaveLength(1);
	});

	test("has one line for the first failed download, and one for the recovery", async () => {
		const { media, pass, failDownloads, lines } = await setupRunningTask();
		failDownloads(new DownloadFailedError("503"));
		media.answer = made();
		await pass(5 * MINUTE_MS);
		failDownloads(undefined);
		await pass(MINUTE_MS);
		expect(lines("warn")).toStrictEqual(["result not fetched"]);
		expect(lines("info").filter((line) => line === "service trouble over")).toHaveLength(1);
	});

	test("has one line for a cancel that is not accepted", async () => {
		const { pass, process, failReads, lines, media, logger } = await setupRunningTask();
		failReads(new MediaUnavailableError("down"));
		media.cancel = () => Promise.reject(new MediaUnavailableError("down"));
		const { guildId, userId } = taskRequest;
		void process.jobs.cancel({ guildId, userId, isModerator: false }, TASK, logger);
		await pass(5 * MINUTE_MS);
		expect(lines("warn").toSorted()).toStrictEqual(["poll failed", "service not asked to cancel"]);
	});
});

/** A task whose result is made, and fits on the disk only after `makeRoom`. */
async function onFullDisk() {
	const all = await setupRunningTask();
	const { results, media } = all;
	const draft = results.draft.bind(results);
	results.draft = () =>
		Promise.reject(Object.assign(new Error("ENOSPC: no space left on device, write"), { code: "ENOSPC" }));
	media.answer = made();
	return { ...all, makeRoom: () => void (results.draft = draft) };
}

describe("a result that does not fit on the disk", () => {
	const FULL = "The disk of this bot is full, and its operator has to make room.";
	const ALERT = "the disk is full: no result can be stored until there is room in DATA_DIR";

	test("is retried, the reply and one alert name the reason, and it is delivered when there is space", async () => {
		const { pass, progress, process, logged, lines, replyClient, makeRoom } = await onFullDisk();
		await pass(6 * MINUTE_MS);
		expect(await process.stateOf()).toBe("submitted");
		expect(progress()).toContain(FULL);
		expect(progress()).not.toContain(TROUBLE);
		expect(logged("error")).toStrictEqual([ALERT]);
		makeRoom();
		await pass(MINUTE_MS);
		expect(textOf(replyClient)).toContain("4 credits · 6 left");
		expect(lines("info")).toContain("disk trouble over");
	});

	test("ends at its deadline and is free", async () => {
		const { pass, process, replyClient } = await onFullDisk();
		await pass(10 * MINUTE_MS);
		expect(textOf(replyClient)).toContain("the disk of this bot is full");
		expect(await process.balance()).toMatchObject({ postedCredits: 10, heldCredits: 0 });
	});

	test("is distinguished from an earlier failure of the service", async () => {
		const { pass, failReads, failDownloads, media, results, progress } = await setupRunningTask();
		failReads(new MediaRefusedError("HTTP 404", ""));
		await pass(MINUTE_MS);
		expect(progress()).toContain(TROUBLE);
		failDownloads(undefined);
		media.answer = made();
		results.draft = () => Promise.reject(Object.assign(new Error("EDQUOT"), { code: "EDQUOT" }));
		failReads(undefined);
		await pass(MINUTE_MS);
		expect(progress()).toContain(FULL);
	});
});
