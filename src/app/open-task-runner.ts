import { withTaskRunMetrics } from "../metrics/task-run-metrics.ts";
import type { OpenTaskStats } from "../metrics/open-task-stats.ts";
import { provenanceMarkOf } from "../services/generation/provenance-mark.ts";
import type { MediaApi } from "../services/generation/media-api.ts";
import type { ModelCatalog } from "../services/generation/model-catalog.ts";
import { createDurationStats } from "../services/tasks/duration-stats.ts";
import { createMemoryTaskQueue } from "../services/tasks/memory-task-queue.ts";
import { startOpenTaskSweeper } from "../services/tasks/open-task-sweeper.ts";
import { createPolling } from "../services/tasks/polling.ts";
import type { TaskQueue } from "../services/tasks/task-queue.ts";
import { createTaskRunner } from "../services/tasks/task-runner.ts";
import type { TaskStore } from "../services/tasks/task-store.ts";
import { startTaskWatchdog, type TaskWatchdog } from "../services/tasks/task-watchdog.ts";
import type { BotContext } from "./bot-context.ts";
import type { DiscordConnection } from "./discord-connection.ts";
import type { CreditsFeature } from "./create-credits.ts";
import type { DeliveryFeature } from "./create-delivery.ts";
import type { GalleryFeature } from "./create-gallery.ts";
import type { ModerationFeature } from "./create-moderation.ts";

/** Media services object to more frequent polls of one task; the built-in studio does not. */
const POLL_INTERVAL_MS_MIN = 1_000;
const BUILT_IN_POLL_INTERVAL_MS_MIN = 250;

export interface TaskRunnerDeps {
	readonly taskStore: TaskStore;
	readonly openTaskStats: OpenTaskStats;
	readonly media: MediaApi;
	readonly catalog: ModelCatalog;
	readonly credits: CreditsFeature;
	readonly delivery: DeliveryFeature;
	readonly gallery: Pick<GalleryFeature, "galleryStore">;
	readonly moderation: ModerationFeature;
	readonly cluster: Pick<DiscordConnection["cluster"], "share">;
	/** The name of the bot on Discord. */
	readonly botName: () => string;
}

/** Opens the queue of tasks, and builds the runner that takes each task from its reservation to its delivery. */
export async function openTaskRunner(context: BotContext, deps: TaskRunnerDeps) {
	const { config, clock, logger, metrics, disposables } = context;
	const { openTaskStats, media, credits, delivery, moderation } = deps;
	const queue = await openTaskQueue(context);
	const polling = createPolling({
		durations: createDurationStats(),
		clock,
		random: Math.random,
		pollsPerSecondMax: config.MEDIA_API_POLLS_PER_SECOND,
		budgetShare: () => deps.cluster.share(),
		intervalMsMin: config.MEDIA_API_URL === undefined ? BUILT_IN_POLL_INTERVAL_MS_MIN : POLL_INTERVAL_MS_MIN,
	});
	const runner = createTaskRunner({
		...context,
		...credits,
		...delivery,
		...moderation,
		taskStore: deps.taskStore,
		queue,
		media,
		polling,
		galleryStore: deps.gallery.galleryStore,
		markOf: (request) => (config.PROVENANCE === "on" ? provenanceMarkOf(request, deps.botName()) : undefined),
		random: Math.random,
		models: deps.catalog,
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
		disposables.defer(startOpenTaskSweeper({ sweep, queue, clock, logger }));
		return watchdog;
	}

	return { runner, resume };
}

/** Opens the queue of `QUEUE_URL`, which processes share; without it, a queue in this process. */
async function openTaskQueue({ config, clock, logger }: BotContext): Promise<TaskQueue> {
	if (config.QUEUE_URL === undefined) return createMemoryTaskQueue({ clock, logger });
	// Loaded only with a shared queue.
	const { openRedisTaskQueue } = await import("../services/tasks/redis-task-queue.ts");
	return await openRedisTaskQueue(config.QUEUE_URL, { clock, logger });
}
