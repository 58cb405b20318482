import type { DailyWork } from "@atelier/common/periodic-work";
import { createFirstResponseBarrier } from "../commands/framework/first-response-barrier.ts";
import { bind } from "../commands/framework/bind-commands.ts";
import { taskCommands } from "../commands/index.ts";
import type { Config } from "../config/load-config.ts";
import { deadlinesOf } from "../config/load-config.ts";
import { createWithheldPoster } from "../discord/withheld-buttons.ts";
import { withTaskRunMetrics } from "../metrics/task-run-metrics.ts";
import type { OpenTaskStats } from "../metrics/open-task-stats.ts";
import type { CommandMentions } from "../discord/command-mentions.ts";
import type { GuildDirectory } from "../services/access/guild-directory.ts";
import { provenanceMarkOf } from "../services/generation/provenance-mark.ts";
import type { ModelCatalog } from "../services/generation/model-catalog.ts";
import type { PromptImprover } from "../services/generation/prompt-improver.ts";
import type { MediaApi } from "../services/generation/media-api.ts";
import { createAuthorization } from "../services/moderation/authorization.ts";
import { createModeration } from "../services/moderation/moderation.ts";
import type { ModerationClient } from "../services/moderation/moderation-client.ts";
import { createModerationHook } from "../services/moderation/moderation-hook.ts";
import { createOpenAiModeration } from "../services/moderation/openai-moderation.ts";
import { createResultReviewer } from "../services/moderation/result-review.ts";
import { createWithheldNotices, createWithheldResults } from "../services/moderation/withheld-results.ts";
import { createCreditCheck } from "../services/credits/credit-check.ts";
import { createDurationStats } from "../services/tasks/duration-stats.ts";
import { createJobService } from "../services/tasks/job-service.ts";
import { openTaskQueue } from "../services/tasks/open-task-queue.ts";
import { createPolling } from "../services/tasks/polling.ts";
import { createRequestDrafts } from "../services/tasks/request-drafts.ts";
import { removeOldTasks } from "../services/tasks/remove-old-tasks.ts";
import { startOpenTaskSweeper } from "../services/tasks/open-task-sweeper.ts";
import { createTaskRunner } from "../services/tasks/task-runner.ts";
import { createTaskService } from "../services/tasks/task-service.ts";
import type { TaskStore } from "../services/tasks/task-store.ts";
import { startTaskWatchdog, type TaskWatchdog } from "../services/tasks/task-watchdog.ts";
import { FIRST_CLEANING_AFTER_MS, type BotContext } from "./bot-context.ts";
import type { DiscordConnection } from "./connect-discord.ts";
import type { CreditsFeature } from "./create-credits.ts";
import type { DeliveryFeature } from "./create-delivery.ts";
import type { GalleryFeature } from "./create-gallery.ts";
import type { SettingsFeature } from "./create-settings.ts";

/** Media services object to more frequent polls of one task; the built-in studio does not. */
const POLL_INTERVAL_MS_MIN = 1_000;
const BUILT_IN_POLL_INTERVAL_MS_MIN = 250;
const DAY_MS = 24 * 60 * 60 * 1000;

interface TasksDeps {
	readonly taskStore: TaskStore;
	readonly openTaskStats: OpenTaskStats;
	readonly media: MediaApi;
	readonly catalog: ModelCatalog;
	readonly settings: SettingsFeature;
	readonly credits: CreditsFeature;
	readonly delivery: DeliveryFeature;
	readonly gallery: GalleryFeature;
	readonly cluster: Pick<DiscordConnection["cluster"], "share">;
	readonly commandMentions: CommandMentions;
	readonly directory: GuildDirectory;
	readonly promptImprover: PromptImprover | undefined;
	/** The name of the bot on Discord. */
	readonly botName: () => string;
}

/** Takes requests, runs each task from its reservation to its delivery, and shows, cancels and removes tasks. */
export async function createTasks(context: BotContext, deps: TasksDeps) {
	const { config, store, ledger, clock, logger, metrics, restores, stopping, isStoreShared, disposables } = context;
	const { taskStore, openTaskStats, media, catalog, credits, delivery, cluster, commandMentions } = deps;
	const { settings, channels, languages } = deps.settings;
	const { gallery, galleryStore, removeTask, filePoster } = deps.gallery;
	const { accounts, charges, lowCredits, topUp, mayManagersGrant } = credits;
	const { replyClient, results, resultLinks, download, downloadSemaphore, transcoder, frames } = delivery;
	const moderationClient = moderationClientOf(config);
	const moderation =
		moderationClient && createModeration({ client: moderationClient, failure: config.MODERATION_FAILURE });
	const queue = await openTaskQueue(config.QUEUE_URL, { clock, logger });
	const polling = createPolling({
		durations: createDurationStats(),
		clock,
		random: Math.random,
		pollsPerSecondMax: config.MEDIA_API_POLLS_PER_SECOND,
		budgetShare: () => cluster.share(),
		intervalMsMin: config.MEDIA_API_URL === undefined ? BUILT_IN_POLL_INTERVAL_MS_MIN : POLL_INTERVAL_MS_MIN,
	});
	const runner = createTaskRunner({
		taskStore,
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
		downloadSemaphore,
		gallery: galleryStore,
		reviewer: moderation && createResultReviewer({ moderation, frames, results, settings, channels }),
		withheldNotices: createWithheldNotices({
			results,
			settings,
			languages,
			poster: createWithheldPoster(filePoster),
		}),
		markOf: (request) => (config.PROVENANCE === "on" ? provenanceMarkOf(request, deps.botName()) : undefined),
		transcoder,
		clock,
		random: Math.random,
		logger,
		models: catalog,
		topUp,
		isStoreShared,
	});
	disposables.defer(() => runner.stop());
	const authorization = createAuthorization({
		settings,
		channels,
		moderation,
		isPausedAfterRestore: () => restores.isPaused(),
		creditCheck: createCreditCheck({ accounts, ledger, lowCredits }),
		clock,
	});
	const deadlinesMs = deadlinesOf(config);
	const drafts = createRequestDrafts({ store, clock });
	const taskService = createTaskService({ taskStore, runner, authorization, ledger, clock, deadlinesMs });
	const wakeTask = (taskId: string): void => runner.wake(taskId);
	const withheld = createWithheldResults({ taskStore, results, wakeTask, clock });
	const jobs = createJobService({ taskStore, results, replyClient, resultLinks, runner, clock });
	const firstResponseBarrier = createFirstResponseBarrier({ clock });
	const commands = bind(taskCommands, {
		catalog,
		taskService,
		drafts,
		jobs,
		gallery,
		channels,
		directory: deps.directory,
		withheld,
		accounts,
		mayManagersGrant,
		settings,
		languages,
		firstResponseBarrier,
		promptImprover: deps.promptImprover,
		commandMentions,
		clock,
	});
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

	return {
		commands,
		jobs,
		drafts,
		wakeTask,
		resume,
		dailyWork,
	};
}

function moderationClientOf(config: Config): ModerationClient | undefined {
	const { MODERATION_URL: url, MODERATION_API_KEY: apiKey, MODERATION_KIND, MODERATION_MODEL: model } = config;
	if (url === undefined) return undefined;
	return MODERATION_KIND === "openai"
		? createOpenAiModeration({ url, apiKey, model })
		: createModerationHook({ url, apiKey });
}
