import { createCanvas } from "@napi-rs/canvas";
import { pino } from "pino";
import { createLogger } from "@atelier/common/logger";
import type { Transcoder } from "../../../src/services/delivery/transcode/transcoder.ts";
import { createUploadLimits } from "../../../src/services/delivery/upload-limits.ts";
import { createGuildAccounts } from "../../../src/services/credits/guild-accounts.ts";
import { createGuildLanguages } from "../../../src/services/settings/guild-languages.ts";
import { createGuildSettings } from "../../../src/services/settings/guild-settings.ts";
import { createLowCreditsWarner, type ChannelPoster } from "../../../src/services/credits/low-credits.ts";
import { createCharges } from "@atelier/ledger/charges";
import { createLedger } from "@atelier/ledger/ledger";
import { createKeyvStore } from "@atelier/store/keyv-store";
import { createMemoryStorage } from "@atelier/store/memory-adapter";
import type { Store } from "@atelier/store/store";
import { createMemoryPollQueue } from "../../../src/services/tasks/memory-poll-queue.ts";
import { createPolling } from "../../../src/services/tasks/polling.ts";
import { createDurationStats } from "../../../src/services/tasks/duration-stats.ts";
import { createJobService } from "../../../src/services/tasks/job-service.ts";
import { removeOldTasks } from "../../../src/services/tasks/retention.ts";
import { createTaskRunner } from "../../../src/services/tasks/task-runner.ts";
import { createTaskService, type TaskRequest } from "../../../src/services/tasks/task-service.ts";
import { createTaskStore } from "../../../src/services/tasks/task-store.ts";
import { FakeMediaApi } from "../../fakes/fake-media-api.ts";
import { FakeReplyClient } from "../../fakes/fake-reply-client.ts";
import { createManualClock } from "@atelier/common/testing/manual-clock";
import { passingFitter } from "../../fakes/pass-through-transcoder.ts";
import { createMemoryResultStore } from "../../fakes/memory-result-store.ts";

export const SECOND_MS = 1000;
export const MINUTE_MS = 60 * SECOND_MS;
export const GUILD = "1000000000000000001";
export const TASK = "1000000000000000009";
const png = createCanvas(8, 8).toBuffer("image/png");

export const taskRequest: TaskRequest = {
	id: TASK,
	guildId: GUILD,
	userId: "1000000000000000002",
	roleIds: ["1000000000000000006"],
	locale: "en-US",
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
		ephemeral: false,
		botInGuild: true,
		attachmentBytesMax: 1024 * 1024,
	},
	channel: { channelId: "1000000000000000004", parentId: null, isAgeRestricted: false },
};

/** Everything that outlives a process, and processes that start on it. */
export function setup({ credits = 10, looksPerSecond: pollsPerSecond = 1000 } = {}) {
	const storage = createMemoryStorage();
	const clock = createManualClock();
	const media = new FakeMediaApi();
	const replyClient = new FakeReplyClient();
	const results = createMemoryResultStore();
	const resultLinks = { find: async () => undefined };
	const downloads: Error[] = [];
	const announced: string[] = [];
	const lines: string[] = [];
	const destination = { write: (line: string) => void lines.push(line) };
	const logger = createLogger({ level: "trace", pretty: false, destination });
	/** Overrides the outcome of a warning; the default is success. */
	const discord: { post: ChannelPoster["post"] } = {
		post: async (_channelId, { text }) => announced.push(text) > 0,
	};
	/** Delays or failures of downloads and transcodes, before their usual behavior. */
	const holdUps: { fetching: () => Promise<void>; fitting: () => Promise<void> } = {
		fetching: async () => {},
		fitting: async () => {},
	};
	const transcoder: Transcoder = {
		async transcode(...fitting) {
			await holdUps.fitting();
			return await passingFitter.transcode(...fitting);
		},
	};
	const made = { bytes: png };
	/** From 0 to below 1. */
	const chance = { next: () => 0.5 };
	async function* download(): AsyncGenerator<Uint8Array> {
		const failure = downloads.shift();
		if (failure) throw failure;
		await holdUps.fetching();
		yield made.bytes;
	}

	/** A process; its store may die, and everything it does with it. */
	function boot(store: Store = createKeyvStore(storage)) {
		const ledger = createLedger({ store, clock });
		const tasks = createTaskStore(store);
		const settings = createGuildSettings(store, { clock });
		const charges = createCharges(ledger);
		const accounts = createGuildAccounts({ store, ledger, settings, clock, monthlyCredits: credits });
		const languages = createGuildLanguages();
		const announcer: ChannelPoster = { post: (...said) => discord.post(...said) };
		const lowCredits = createLowCreditsWarner({
			store,
			settings,
			channelPoster: announcer,
			languages,
			clock,
			monthlyCredits: credits,
		});
		const queue = createMemoryPollQueue({ clock, logger });
		const polling = createPolling({
			durations: createDurationStats(),
			clock,
			random: () => chance.next(),
			pollsPerSecondMax: pollsPerSecond,
			budgetShare: () => 1,
			intervalMsMin: 250,
		});
		const runner = createTaskRunner({
			tasks,
			queue,
			ledger,
			charges,
			lowCredits,
			media,
			polling,
			replyClient,
			results,
			resultLinks,
			download,
			uploadLimits: createUploadLimits({ store, clock }),
			transcoder,
			clock,
			random: () => chance.next(),
			logger,
			models: { known: () => [] },
			isStoreShared: false,
		});
		const deadlinesMs = { image: 10 * MINUTE_MS, music: 30 * MINUTE_MS, video: 60 * MINUTE_MS };
		const service = createTaskService({
			tasks,
			runner,
			authorization: { authorize: async () => {} },
			accounts,
			ledger,
			clock,
			deadlinesMs,
		});
		const jobs = createJobService({ tasks, results, replyClient, resultLinks, runner, clock });
		const removeOld = (retentionMs: number, stopping = new AbortController().signal) =>
			removeOldTasks({ tasks, results, clock, logger, retentionMs, stopping });
		return {
			jobs,
			removeOld,
			runner,
			lowCredits,
			store,
			accounts,
			ledger,
			tasks,
			submit: (change: Partial<TaskRequest> = {}) => service.submit({ ...taskRequest, ...change }, logger),
			settings,
			balance: async () => ledger.balance(await accounts.open(GUILD)),
			stateOf: async (id = TASK) => (await tasks.load(id))?.task.state,
		};
	}
	const openKeys = async (): Promise<string[]> => {
		const entries = await Array.fromAsync(storage.scan("open:"));
		return entries.map(({ key }) => key);
	};
	/** Lets time pass in small steps, so that what waits on a promise in between gets its turn. */
	const pass = async (ms: number): Promise<void> => {
		for (let left = ms; left > 0; left -= 250) await clock.advance(Math.min(left, 250));
	};
	/** The messages logged at that level or above. */
	const logged = (level: "info" | "warn" | "error"): string[] =>
		lines
			.map((line) => JSON.parse(line) as { level: number; msg: string })
			.filter((line) => line.level >= (pino.levels.values[level] ?? 0))
			.map(({ msg }) => msg);
	/** The fields of each line with that message. */
	const linesOf = (message: string): object[] =>
		lines.map((line) => JSON.parse(line) as { msg: string }).filter(({ msg }) => msg === message);
	const outlives = { storage, clock, media, replyClient, announced, discord, downloads, made, chance, holdUps, logged };
	return { ...outlives, linesOf, lines: () => lines, results, logger, boot, openKeys, pass, process: boot() };
}

export const textOf = (replyClient: FakeReplyClient, id = TASK): string => replyClient.seen.get(id)?.text ?? "nothing";
