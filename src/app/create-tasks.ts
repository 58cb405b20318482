import type { DailyWork } from "@atelier/common/intervals";
import type { Config } from "../config/load-config.ts";
import { deadlinesOf } from "../config/load-config.ts";
import { measureLooks } from "../metrics/measure-looks.ts";
import type { TaskCensus } from "../metrics/task-census.ts";
import type { Catalogue } from "../services/generation/catalogue.ts";
import type { MediaApi } from "../services/generation/media-api.ts";
import { createAdmission, type Channels } from "../services/guilds/admission.ts";
import { createModeration, type Moderation } from "../services/guilds/moderation.ts";
import { createCreditCheck } from "../services/tasks/credit-check.ts";
import { createDurationStats } from "../services/tasks/duration-stats.ts";
import { createJobDesk } from "../services/tasks/job-desk.ts";
import { openPollQueue } from "../services/tasks/open-poll-queue.ts";
import { createPolling } from "../services/tasks/polling.ts";
import { createProposals } from "../services/tasks/proposals.ts";
import { removeOldTasks } from "../services/tasks/retention.ts";
import { startSweeper } from "../services/tasks/sweeper.ts";
import { createTaskRunner } from "../services/tasks/task-runner.ts";
import { createTaskService } from "../services/tasks/task-service.ts";
import type { TaskStore } from "../services/tasks/task-store.ts";
import { startWatchdog, type Watchdog } from "../services/tasks/watchdog.ts";
import { FIRST_CLEANING_AFTER_MS, type BotContext } from "./bot-context.ts";
import type { DiscordConnection } from "./connect-discord.ts";
import type { CreditsFeature } from "./create-credits.ts";
import type { DeliveryFeature } from "./create-delivery.ts";
import type { SettingsFeature } from "./create-settings.ts";

/** Media services object to more frequent polls of one task; the built-in studio does not. */
const POLL_INTERVAL_MS_MIN = 1_000;
const BUILT_IN_POLL_INTERVAL_MS_MIN = 250;
const DAY_MS = 24 * 60 * 60 * 1000;

interface TasksDeps extends Pick<SettingsFeature, "settings"> {
	readonly tasks: TaskStore;
	readonly census: TaskCensus;
	readonly media: MediaApi;
	readonly catalogue: Catalogue;
	readonly channels: Channels;
	readonly credits: CreditsFeature;
	readonly delivery: DeliveryFeature;
	readonly cluster: Pick<DiscordConnection["cluster"], "share">;
}

/** Takes requests, runs each task from its reservation to its delivery, and shows, cancels and removes tasks. */
export async function createTasks(context: BotContext, deps: TasksDeps) {
	const { config, store, ledger, clock, logger, metrics, epoch, stopping, isStoreShared, disposables } = context;
	const { tasks, census, media, catalogue, channels, settings, credits, delivery, cluster } = deps;
	const { accounts, charges, lowCredits, topUp } = credits;
	const { messenger, results, resultLinks, download, uploadLimits, fitter } = delivery;
	const queue = await openPollQueue(config.QUEUE_URL, { clock, logger });
	const polling = createPolling({
		durations: createDurationStats(),
		clock,
		random: Math.random,
		pollsPerSecondMax: config.MEDIA_API_LOOKS_PER_SECOND,
		budgetShare: () => cluster.share(),
		intervalMsMin: config.MEDIA_API_URL === undefined ? BUILT_IN_POLL_INTERVAL_MS_MIN : POLL_INTERVAL_MS_MIN,
	});
	const runner = createTaskRunner({
		tasks,
		queue,
		ledger,
		charges,
		lowCredits,
		media,
		polling,
		messenger,
		results,
		resultLinks,
		download,
		uploadLimits,
		fitter,
		clock,
		random: Math.random,
		logger,
		models: catalogue,
		topUp,
		isStoreShared,
	});
	disposables.defer(() => runner.stop());
	const admission = createAdmission({
		settings,
		channels,
		moderation: moderationOf(config),
		isPaused: () => epoch.isPaused(),
		credits: createCreditCheck({ accounts, ledger, lowCredits }),
		clock,
	});
	const deadlinesMs = deadlinesOf(config);
	const proposals = createProposals({ store, clock });
	const retentionMs = config.TASK_RETENTION_DAYS * DAY_MS;
	const firstAfterMs = FIRST_CLEANING_AFTER_MS;
	const dailyWork: readonly DailyWork[] = [
		{
			name: "remove old tasks",
			work: () => removeOldTasks({ tasks, results, clock, logger, retentionMs, stopping }),
			firstAfterMs,
		},
		{ name: "remove old proposals", work: () => proposals.removeOld(logger), firstAfterMs },
	];

	/** Resumes the open tasks and starts the sweeper. Deliveries need a connected client. */
	async function resume(): Promise<Watchdog> {
		const sweep = measureLooks(
			{ recover: () => runner.recover(), oldestOverdueMs: () => watchdog.oldestOverdueMs() },
			metrics,
		);
		const watchdog = startWatchdog({ queue, overdueTasks: () => census.count(), clock, logger });
		disposables.defer(() => watchdog.stop());
		logger.info({ openTasks: await sweep() }, "open tasks found");
		disposables.defer(startSweeper({ sweep, queue, clock, logger }));
		return watchdog;
	}

	return {
		service: createTaskService({ tasks, runner, admission, accounts, ledger, clock, deadlinesMs }),
		jobs: createJobDesk({ tasks, results, messenger, resultLinks, runner, clock }),
		proposals,
		wake: (taskId: string) => runner.wake(taskId),
		resume,
		dailyWork,
	};
}

function moderationOf({ MODERATION_URL, MODERATION_API_KEY, MODERATION_FAILURE }: Config): Moderation | undefined {
	if (MODERATION_URL === undefined) return undefined;
	return createModeration({ url: MODERATION_URL, apiKey: MODERATION_API_KEY, failure: MODERATION_FAILURE });
}
