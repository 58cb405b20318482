import { createCanvas } from "@napi-rs/canvas";
import { pino } from "pino";
import { expect } from "vitest";
import { createLogger } from "@atelier/common/logger";
import type { TextPoster } from "../../../src/services/text-poster.ts";
import { createKeyvStore } from "@atelier/store/keyv-store";
import { createMemoryAdapter } from "@atelier/store/memory-adapter";
import { createCrashingStore } from "@atelier/store/testing/crashing-store";
import type { Store } from "@atelier/store/store";
import type { ResultStore } from "../../../src/services/delivery/result-store.ts";
import { createMemberTasks } from "../../../src/services/tasks/member-tasks.ts";
import { createTaskRemoval, removeOldTasks } from "../../../src/services/tasks/remove-tasks.ts";
import type { Submission } from "../../../src/services/tasks/submission-service.ts";
import type { TaskQueue } from "../../../src/services/tasks/task-queue.ts";
import { createTaskProcess } from "./task-process.ts";
import { FakeMediaApi, runningRemoteTask } from "../../fakes/fake-media-api.ts";
import { FakeReplyClient } from "../../fakes/fake-reply-client.ts";
import { createManualClock } from "@atelier/common/testing/manual-clock";
import { GUILD, submission, TASK } from "../../fakes/submission.ts";
import { passThroughTranscoder } from "../../fakes/pass-through-transcoder.ts";
import { createMemoryResultStore } from "../../fakes/memory-result-store.ts";

type Moderation = Partial<Pick<Parameters<typeof createTaskProcess>[0], "resultReviewer" | "withheldNotices">>;

export { GUILD, submission, TASK };
export const SECOND_MS = 1000;
export const MINUTE_MS = 60 * SECOND_MS;
const png = createCanvas(8, 8).toBuffer("image/png");

/** The member who asked for the task. */
export const OWNER = { guildId: GUILD, userId: submission.userId, isModerator: false };

interface SetupOptions {
	readonly credits?: number;
	readonly moderation?: Moderation;
	readonly results?: ResultStore;
}

/** Creates the state that survives a process, and starts a process on it. */
export function setup({ credits = 10, moderation, results = createMemoryResultStore() }: SetupOptions = {}) {
	const storage = createMemoryAdapter();
	const clock = createManualClock();
	const media = new FakeMediaApi();
	const replyClient = new FakeReplyClient();
	/** Thrown by the next downloads, in turn. */
	const downloadFailures: Error[] = [];
	const downloadedFile = { bytes: png };
	/** A test may replace its methods. */
	const transcoder = { ...passThroughTranscoder };
	/** The posted warnings. */
	const posted: string[] = [];
	/** Posts a warning; a test may replace it. */
	const discord: { post: TextPoster["post"] } = {
		post: async (_channelId, { text }) => String(posted.push(text)),
	};
	const lines: string[] = [];
	const destination = { write: (line: string) => void lines.push(line) };
	const logger = createLogger({ level: "trace", pretty: false, destination });

	/** Starts a process on the given store, with a queue of its own by default. */
	function boot(store: Store = createKeyvStore(storage), queue?: TaskQueue) {
		const { service, ...services } = createTaskProcess({
			store,
			clock,
			random: () => 0.5,
			logger,
			media,
			replyClient,
			results,
			async *download() {
				const failure = downloadFailures.shift();
				if (failure) throw failure;
				yield downloadedFile.bytes;
			},
			transcoder,
			textPoster: { post: (...args) => discord.post(...args), remove: async () => {} },
			monthlyCredits: credits,
			pollsPerSecond: 1000,
			isStoreShared: false,
			queue,
			withheldNotices: { post: async () => "rejected" },
			...moderation,
		});
		const { accounts, ledger, taskStore, galleryStore, runner } = services;
		const resultLinks = {
			find: async (taskId: string) => [{ url: `https://bot.example.com/results/${taskId}`, untilS: 1 }],
		};
		const memberTasks = createMemberTasks({ taskStore, results, replyClient, resultLinks, runner, clock });
		const removeTask = createTaskRemoval({ taskStore, results, galleryStore });
		const submit = (change: Partial<Submission> = {}) => service.submit({ ...submission, ...change }, logger);
		return {
			...services,
			store,
			memberTasks,
			removeOld: (retentionMs: number, stopping = new AbortController().signal) =>
				removeOldTasks({ taskStore, removeTask, clock, logger, retentionMs, stopping }),
			submit,
			/** Submits a task, and lets a time pass. */
			run: async (ms: number, change?: Partial<Submission>) => {
				await submit(change);
				await clock.advance(ms);
			},
			cancel: () => memberTasks.cancel(OWNER, TASK, logger),
			balance: async () => {
				await accounts.grantMonthlyCredits(GUILD);
				return await ledger.balance(`guild:${GUILD}`);
			},
			stateOf: async (id = TASK) => (await taskStore.load(id))?.task.state,
		};
	}
	const process = boot();
	const parsedLines = () => lines.map((line) => JSON.parse(line) as { level: number; msg: string });
	return {
		storage,
		clock,
		media,
		replyClient,
		results,
		downloadFailures,
		downloadedFile,
		transcoder,
		posted,
		discord,
		logger,
		lines,
		/** The log lines with that message. */
		linesOf: (message: string) => parsedLines().filter(({ msg }) => msg === message),
		/** The messages logged at that level or above. */
		logged: (level: "warn" | "error"): string[] =>
			parsedLines()
				.filter((line) => line.level >= (pino.levels.values[level] ?? 0))
				.map(({ msg }) => msg),
		taskNow: async (id = TASK) => (await process.taskStore.load(id))?.task,
		openKeys: async (): Promise<string[]> => {
			const entries = await Array.fromAsync(storage.scan("open:"));
			return entries.map(({ key }) => key);
		},
		/** The text of the last progress update. */
		progress: (): string => replyClient.progressUpdates.at(-1)?.textWithoutPrompt ?? "",
		/** The final reply and the balance after it. */
		replyAndBalance: async () => {
			const { postedCredits, heldCredits } = await process.balance();
			return { text: textOf(replyClient), postedCredits, heldCredits };
		},
		boot,
		/** Starts a process whose store fails for good after the number of writes that the test passes to `store.arm`. */
		bootCrashing: () => {
			const store = createCrashingStore(createKeyvStore(storage));
			return { store, dying: boot(store) };
		},
		/** Stops a process and starts the next one after `downMs`. */
		restart: async ({ running = process, downMs = 0 } = {}) => {
			await running.runner.stop();
			await clock.advance(downMs);
			const next = boot();
			await next.runner.sweepOpenTasks();
			return next;
		},
		advance: (ms: number) => clock.advance(ms),
		process,
	};
}

/** Starts a process, and submits a task that the service has accepted and is running. */
export async function setupSubmitted(change: Partial<Submission> = {}) {
	const fixture = setup();
	fixture.media.answer = runningRemoteTask;
	await fixture.process.run(SECOND_MS, change);
	return fixture;
}

export type Setup = ReturnType<typeof setup>;

/** Returns the visible final reply of a task, or "nothing". */
export const textOf = (replyClient: FakeReplyClient, id = TASK): string =>
	replyClient.visible.get(id)?.text ?? "nothing";

/** The reply and the balance after a task that was delivered and charged. */
export const CHARGED = { text: expect.stringContaining("4 credits · 6 left"), postedCredits: 6, heldCredits: 0 };

/** The reply and the balance after a task that failed with this text. */
export function notCharged(text: string | RegExp = "") {
	const pattern = typeof text === "string" ? RegExp.escape(text) : text.source;
	const reply = new RegExp(`${pattern}.*No credits were charged\\.`, "s");
	return { text: expect.stringMatching(reply), postedCredits: 10, heldCredits: 0 };
}

export function repeat<T>(count: number, value: T): T[] {
	return Array.from({ length: count }, () => value);
}

/** Makes the service accept submits without a response, until the returned function is called. */
export function leaveUnanswered(media: FakeMediaApi): () => void {
	media.honorsIdempotencyKey = false;
	const { promise, resolve } = Promise.withResolvers<void>();
	media.responseReleased = promise;
	return resolve;
}
