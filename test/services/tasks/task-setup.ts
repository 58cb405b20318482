import { createCanvas } from "@napi-rs/canvas";
import { pino } from "pino";
import { expect } from "vitest";
import { createLogger } from "@atelier/common/logger";
import type { Transcoder } from "@atelier/media-files/transcoder";
import { MediaTimeoutError } from "../../../src/services/generation/media-api.ts";
import type { ChannelPoster } from "../../../src/services/channel-poster.ts";
import { createKeyvStore } from "@atelier/store/keyv-store";
import { createMemoryAdapter } from "@atelier/store/memory-adapter";
import { createCrashingStore } from "@atelier/store/testing/crashing-store";
import type { Store } from "@atelier/store/store";
import { createJobService } from "../../../src/services/tasks/job-service.ts";
import { createTaskRemoval } from "../../../src/services/tasks/remove-task.ts";
import { removeOldTasks } from "../../../src/services/tasks/remove-old-tasks.ts";
import type { Submission } from "../../../src/services/tasks/task-service.ts";
import { createTaskProcess } from "./task-process.ts";
import { FakeMediaApi, runningRemoteTask } from "../../fakes/fake-media-api.ts";
import { FakeReplyClient } from "../../fakes/fake-reply-client.ts";
import { createManualClock } from "@atelier/common/testing/manual-clock";
import { passThroughTranscoder } from "../../fakes/pass-through-transcoder.ts";
import { createMemoryResultStore } from "../../fakes/memory-result-store.ts";

type Moderation = Partial<Pick<Parameters<typeof createTaskProcess>[0], "resultReviewer" | "withheldNotices">>;

export const SECOND_MS = 1000;
export const MINUTE_MS = 60 * SECOND_MS;
export const GUILD = "1000000000000000001";
export const TASK = "1000000000000000009";
const png = createCanvas(8, 8).toBuffer("image/png");

export const submission: Submission = {
	id: TASK,
	guildId: GUILD,
	userId: "1000000000000000002",
	roleIds: ["1000000000000000006"],
	locale: "en-US",
	userLocale: "en-US",
	request: {
		mediaType: "image",
		model: "paint-1",
		modelName: "Paint",
		scene: "text-to-image",
		prompt: "a boat",
		options: {},
		costCredits: 4,
		typicalSeconds: 0.5,
	},
	reply: {
		applicationId: "1000000000000000003",
		token: "secret-token",
		tokenExpiresAtMs: Number.MAX_SAFE_INTEGER,
		channelId: "1000000000000000004",
		messageId: "1000000000000000005",
		isEphemeral: false,
		isBotInGuild: true,
		attachmentBytesMax: 1024 * 1024,
	},
	presentation: {
		isSpoiler: false,
		opensThread: false,
		isPromptInFiles: false,
		isImprovable: false,
		isReportable: false,
	},
	channel: { channelIds: ["1000000000000000004"], isAgeRestricted: false },
};

/** The member who asked for the task. */
export const OWNER = { guildId: GUILD, userId: submission.userId, isModerator: false };

/** Creates the state that survives a process, and starts a process on it. */
export function setup({ credits = 10, moderation }: { credits?: number; moderation?: Moderation } = {}) {
	const storage = createMemoryAdapter();
	const clock = createManualClock();
	const media = new FakeMediaApi();
	const replyClient = new FakeReplyClient();
	const results = createMemoryResultStore();
	/** Thrown by the next downloads, in turn. */
	const downloadFailures: Error[] = [];
	/** The posted warnings. */
	const posted: string[] = [];
	const lines: string[] = [];
	const destination = { write: (line: string) => void lines.push(line) };
	const logger = createLogger({ level: "trace", pretty: false, destination });
	/** Posts a warning; a test may replace it. */
	const discord: { post: ChannelPoster["post"] } = {
		post: async (_channelId, { text }) => String(posted.push(text)),
	};
	/** Delays or failures of downloads and transcodes, before their usual behavior. */
	const delays: { download: () => Promise<void>; transcode: () => Promise<void> } = {
		download: async () => {},
		transcode: async () => {},
	};
	const transcodeQueue = { isFull: false };
	const transcoder: Transcoder = {
		isQueueFull: () => transcodeQueue.isFull,
		async transcode(...args) {
			await delays.transcode();
			return await passThroughTranscoder.transcode(...args);
		},
	};
	const downloadedFile = { bytes: png };
	async function* download(): AsyncGenerator<Uint8Array> {
		const failure = downloadFailures.shift();
		if (failure) throw failure;
		await delays.download();
		yield downloadedFile.bytes;
	}

	/** Starts a process on the given store. */
	function boot(store: Store = createKeyvStore(storage)) {
		const { ledger, settings, accounts, lowCredits, taskStore, galleryStore, runner, service } = createTaskProcess({
			store,
			clock,
			random: () => 0.5,
			logger,
			media,
			replyClient,
			results,
			download,
			transcoder,
			channelPoster: { post: (...args) => discord.post(...args), remove: async () => {} },
			monthlyCredits: credits,
			pollsPerSecondMax: 1000,
			isStoreShared: false,
			withheldNotices: { post: async () => "rejected" },
			...moderation,
		});
		const jobs = createJobService({
			taskStore,
			results,
			replyClient,
			resultLinks: { find: async (taskId) => [{ url: `https://bot.example.com/results/${taskId}`, untilS: 1 }] },
			runner,
			clock,
		});
		const removeOld = (retentionMs: number, stopping = new AbortController().signal) =>
			removeOldTasks({
				taskStore,
				removeTask: createTaskRemoval({ taskStore, results, galleryStore }),
				clock,
				logger,
				retentionMs,
				stopping,
			});
		return {
			jobs,
			removeOld,
			runner,
			lowCredits,
			store,
			accounts,
			ledger,
			taskStore,
			submit: (change: Partial<Submission> = {}) => service.submit({ ...submission, ...change }, logger),
			settings,
			cancel: (member = OWNER) => jobs.cancel(member, TASK, logger),
			balance: async () => {
				await accounts.grantMonthlyCredits(GUILD);
				return await ledger.balance(`guild:${GUILD}`);
			},
			stateOf: async (id = TASK) => (await taskStore.load(id))?.task.state,
		};
	}
	const process = boot();
	/** Starts a process whose store fails for good after the number of writes that the test passes to `store.arm`. */
	const bootCrashing = () => {
		const store = createCrashingStore(createKeyvStore(storage));
		return { store, dying: boot(store) };
	};
	/** Stops a process and starts the next one after `downMs`. */
	const restart = async ({ running = process, downMs = 0 } = {}) => {
		await running.runner.stop();
		await clock.advance(downMs);
		const next = boot();
		await next.runner.sweepOpenTasks();
		return next;
	};
	const taskNow = async (id = TASK) => (await process.taskStore.load(id))?.task;
	const openKeys = async (): Promise<string[]> => {
		const entries = await Array.fromAsync(storage.scan("open:"));
		return entries.map(({ key }) => key);
	};
	/** The messages logged at that level or above. */
	const logged = (level: "info" | "warn" | "error"): string[] =>
		lines
			.map((line) => JSON.parse(line) as { level: number; msg: string })
			.filter((line) => line.level >= (pino.levels.values[level] ?? 0))
			.map(({ msg }) => msg);
	/** The log lines with that message. */
	const linesOf = (message: string): object[] =>
		lines.map((line) => JSON.parse(line) as { msg: string }).filter(({ msg }) => msg === message);
	/** The text of the last progress update. */
	const progress = (): string => replyClient.progressUpdates.at(-1)?.textWithoutPrompt ?? "";
	/** The final reply and the balance after it. */
	const replyAndBalance = async () => {
		const { postedCredits, heldCredits } = await process.balance();
		return { text: textOf(replyClient), postedCredits, heldCredits };
	};
	return {
		storage,
		clock,
		media,
		replyClient,
		posted,
		discord,
		downloadFailures,
		downloadedFile,
		delays,
		transcodeQueue,
		results,
		logged,
		linesOf,
		lines: () => lines,
		taskNow,
		openKeys,
		progress,
		replyAndBalance,
		logger,
		boot,
		bootCrashing,
		restart,
		advance: (ms: number) => clock.advance(ms),
		process,
	};
}

/** Starts a process, and submits a task that the service has accepted and is running. */
export async function setupSubmitted(change: Partial<Submission> = {}) {
	const fixture = setup();
	fixture.media.answer = runningRemoteTask;
	await fixture.process.submit(change);
	await fixture.advance(SECOND_MS);
	return fixture;
}

/** Starts a process, and submits a video that the service is running. The interaction token is valid for 15 minutes. */
export async function setupSubmittedVideo(change: Partial<Submission["reply"]> = {}) {
	const fixture = setup();
	fixture.media.answer = runningRemoteTask;
	const reply = { ...submission.reply, tokenExpiresAtMs: fixture.clock.nowMs() + 15 * MINUTE_MS, ...change };
	await fixture.process.submit({ request: { ...submission.request, mediaType: "video" }, reply });
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

/**
 * Makes the service accept submits without a response, until the returned function is called. A submit whose signal aborts earlier
 * times out.
 */
export function leaveUnanswered(media: FakeMediaApi): () => void {
	media.honorsIdempotencyKey = false;
	const submit = media.submit.bind(media);
	media.submit = (request, key, signal) => {
		const aborted = new Promise<never>((_resolve, reject) => {
			signal.addEventListener("abort", () => reject(new MediaTimeoutError("no answer")), { once: true });
		});
		return Promise.race([submit(request, key, signal), aborted]);
	};
	const responseAllowed = Promise.withResolvers<void>();
	media.responseReleased = responseAllowed.promise;
	return responseAllowed.resolve;
}
