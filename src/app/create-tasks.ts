import type { DailyWork } from "@atelier/common/periodic-work";
import { createFirstResponseBarrier } from "../commands/generation/first-response-barrier.ts";
import { bind, joinCommandSets } from "../commands/framework/bind-commands.ts";
import { generationCommands, jobCommands } from "../commands/index.ts";
import { deadlinesOf } from "../config/load-config.ts";
import { withTaskRunMetrics } from "../metrics/task-run-metrics.ts";
import type { GuildDirectory } from "../services/access/guild-directory.ts";
import { createCreditCheck } from "../services/credits/credit-check.ts";
import type { MediaApi } from "../services/generation/media-api.ts";
import type { ModelCatalog } from "../services/generation/model-catalog.ts";
import type { PromptImprover } from "../services/generation/prompt-improver.ts";
import { provenanceMarkOf } from "../services/generation/provenance-mark.ts";
import { createAuthorization } from "../services/access/authorization.ts";
import { createDurationStats } from "../services/tasks/duration-stats.ts";
import { createJobService } from "../services/tasks/job-service.ts";
import { createMemoryTaskQueue } from "../services/tasks/memory-task-queue.ts";
import { startOpenTaskSweeper } from "../services/tasks/open-task-sweeper.ts";
import type { OpenTaskStats } from "../services/tasks/open-task-stats.ts";
import { createPolling } from "../services/tasks/polling.ts";
import { removeOldTasks } from "../services/tasks/remove-old-tasks.ts";
import { createRequestDrafts } from "../services/tasks/request-drafts.ts";
import type { TaskQueue } from "../services/tasks/task-queue.ts";
import { createTaskCredits } from "../services/tasks/task-credits.ts";
import { createTaskRunner } from "../services/tasks/task-runner.ts";
import { createTaskService } from "../services/tasks/task-service.ts";
import type { TaskStore } from "../services/tasks/task-store.ts";
import { startTaskWatchdog, type TaskWatchdog } from "../services/tasks/task-watchdog.ts";
import { FIRST_CLEANING_AFTER_MS, type BotContext } from "./bot-context.ts";
import type { CreditsFeature } from "./create-credits.ts";
import type { DeliveryFeature } from "./create-delivery.ts";
import type { GalleryFeature } from "./create-gallery.ts";
import type { ModerationFeature } from "./create-moderation.ts";
import type { SettingsFeature } from "./create-settings.ts";
import type { DiscordConnection } from "./discord-connection.ts";

const DAY_MS = 24 * 60 * 60 * 1000;
/** Media services object to more frequent polls of one task; the built-in studio does not. */
const POLL_INTERVAL_MS_MIN = 1_000;
const BUILT_IN_POLL_INTERVAL_MS_MIN = 250;

interface TasksDeps {
	readonly taskStore: TaskStore;
	readonly openTaskStats: OpenTaskStats;
	readonly media: MediaApi;
	readonly catalog: ModelCatalog;
	readonly settingsFeature: SettingsFeature;
	readonly creditsFeature: CreditsFeature;
	readonly deliveryFeature: DeliveryFeature;
	readonly galleryFeature: GalleryFeature;
	readonly moderationFeature: ModerationFeature;
	readonly cluster: Pick<DiscordConnection["cluster"], "share">;
	readonly promptImprover: PromptImprover | undefined;
	readonly directory: GuildDirectory;
	/** The name of the bot on Discord. */
	readonly botName: () => string;
}

export type TaskFeature = Awaited<ReturnType<typeof createTasks>>;

/** Takes requests, runs each task from its reservation to its delivery, and shows, cancels and removes tasks. */
export async function createTasks(context: BotContext, deps: TasksDeps) {
	const { config, store, isStoreShared, ledger, clock, logger, metrics, restores, stopping, disposables } = context;
	const { taskStore, openTaskStats, media, catalog, promptImprover, cluster, directory } = deps;
	const { settings, channels, languages } = deps.settingsFeature;
	const { gallery, galleryStore, resultAccess, removeTask } = deps.galleryFeature;
	const { accounts, lowCredits } = deps.creditsFeature;
	const { replyClient, results, resultLinks, download, downloadSemaphore, transcoder } = deps.deliveryFeature;
	const { promptReviewer, resultReviewer, withheldNotices } = deps.moderationFeature;
	const queue = await openTaskQueue(context);
	const polling = createPolling({
		durations: createDurationStats(),
		clock,
		random: Math.random,
		pollsPerSecondMax: config.MEDIA_API_POLLS_PER_SECOND,
		budgetShare: () => cluster.share(),
		intervalMsMin: config.MEDIA_API_URL === undefined ? BUILT_IN_POLL_INTERVAL_MS_MIN : POLL_INTERVAL_MS_MIN,
	});
	const taskCredits = createTaskCredits({ taskStore, ledger, lowCredits });
	const runner = createTaskRunner({
		taskStore,
		taskCredits,
		queue,
		media,
		polling,
		replyClient,
		results,
		resultLinks,
		download,
		downloadSemaphore,
		transcoder,
		resultReviewer,
		withheldNotices,
		galleryStore,
		provenanceMarkOf: (task) => (config.PROVENANCE === "on" ? provenanceMarkOf(task, deps.botName()) : undefined),
		catalog,
		clock,
		random: Math.random,
		logger,
		isStoreShared,
	});
	disposables.defer(() => runner.stop());

	/** Sweeps the open tasks, and starts the watchdog and the sweeper. Deliveries need a connected client. */
	async function resume(): Promise<TaskWatchdog> {
		const sweep = withTaskRunMetrics(
			{ sweep: () => runner.sweepOpenTasks(), oldestOverdueRunMs: () => watchdog.oldestOverdueRunMs() },
			metrics,
		);
		const watchdog = startTaskWatchdog({ queue, countOverdueTasks: () => openTaskStats.count(), clock, logger });
		disposables.defer(() => watchdog.stop());
		logger.info({ openTasks: await sweep() }, "open tasks found");
		disposables.defer(startOpenTaskSweeper({ sweep, clock, logger }));
		return watchdog;
	}

	const authorization = createAuthorization({
		settings,
		channels,
		promptReviewer,
		isPausedAfterRestore: () => restores.isPaused(),
		creditCheck: createCreditCheck({ accounts, ledger, lowCredits }),
		clock,
	});
	const drafts = createRequestDrafts({ store, clock });
	const deadlinesMs = deadlinesOf(config);
	const taskService = createTaskService({ taskCredits, runner, authorization, clock, deadlinesMs });
	const wakeTask = (taskId: string): void => runner.wake(taskId);
	const jobs = createJobService({ taskStore, results, replyClient, resultLinks, runner, clock });
	const commands = joinCommandSets([
		bind(generationCommands, {
			catalog,
			taskService,
			drafts,
			resultAccess,
			channels,
			settings,
			languages,
			firstResponseBarrier: createFirstResponseBarrier({ clock }),
			promptImprover,
			clock,
		}),
		bind(jobCommands, { jobs, gallery, directory, clock }),
	]);
	const retentionMs = config.TASK_RETENTION_DAYS * DAY_MS;
	const firstAfterMs = FIRST_CLEANING_AFTER_MS;
	const dailyWork: readonly DailyWork[] = [
		{
			name: "remove old tasks",
			work: () => removeOldTasks({ taskStore, removeTask, clock, logger, retentionMs, stopping }),
			firstAfterMs,
		},
		{ name: "remove old drafts", work: () => drafts.removeOld(logger), firstAfterMs },
	];

	return { commands, jobs, drafts, wakeTask, resume, dailyWork };
}

/** Opens the queue of `QUEUE_URL`, which processes share; without it, a queue in this process. */
async function openTaskQueue({ config, clock, logger }: BotContext): Promise<TaskQueue> {
	if (config.QUEUE_URL === undefined) return createMemoryTaskQueue({ clock, logger });
	// Loaded only with a shared queue.
	const { openRedisTaskQueue } = await import("../services/tasks/redis-task-queue.ts");
	return await openRedisTaskQueue(config.QUEUE_URL, { clock, logger });
}
