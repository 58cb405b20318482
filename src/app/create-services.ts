/**
 * Creates the services of the bot, in the order of their dependencies. A service has the same name here and in the deps of all of its
 * users: `base`, `stored` and `delivery` pass those that many need. A service that has to be stopped registers this in `disposables`;
 * shutdown runs in reverse.
 */
import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { createDownload } from "@atelier/common/download";
import { createFrameExtractor } from "@atelier/media-files/frame-extractor";
import { createTempDir } from "@atelier/media-files/temp-dir";
import { createTranscoder } from "@atelier/media-files/transcoder";
import { createTranscodeWorkerPool } from "@atelier/media-files/worker-pool";
import { deadlinesOf, type Config } from "../config/load-config.ts";
import { readModelCatalogFile } from "../config/model-catalog-file.ts";
import { createChannelDirectory } from "../discord/channel-directory.ts";
import { createCommandMentions, type Named } from "../discord/command-mentions.ts";
import { createCommandOverrides } from "../discord/command-overrides.ts";
import { createDiscordTextPoster } from "../discord/discord-text-poster.ts";
import { createDiscordChannelVisibility } from "../discord/discord-channel-visibility.ts";
import { createDiscordGuildDirectory } from "../discord/discord-guild-directory.ts";
import { createDiscordModeratorsChannel } from "../discord/discord-moderators-channel.ts";
import { createDiscordReplyClient } from "../discord/discord-reply-client.ts";
import { createDiscordResultMessages } from "../discord/discord-result-messages.ts";
import { createEntitlementClient } from "../discord/entitlements.ts";
import { createDiscordFilePoster } from "../discord/discord-file-poster.ts";
import { createGuildReader } from "../discord/guild-reader.ts";
import { createWithheldPoster } from "../discord/withheld-buttons.ts";
import { withMediaApiMetrics } from "../metrics/media-api-metrics.ts";
import { withReplyClientMetrics } from "../metrics/reply-client-metrics.ts";
import { createTaskMetrics } from "../metrics/task-metrics.ts";
import { createApiKeys } from "../services/settings/api-keys.ts";
import { createAuthorization } from "../services/tasks/authorization.ts";
import { createResultAccess } from "../services/gallery/result-access.ts";
import { createCreditService } from "../services/credits/credit-service.ts";
import { createGuildAccounts } from "../services/credits/guild-accounts.ts";
import { createLowCreditsWarner } from "../services/credits/low-credits.ts";
import { createRefundTask } from "../services/tasks/refund-task.ts";
import { createFairSemaphore } from "../services/delivery/fair-semaphore.ts";
import { createResultLinks, openLinkSecret } from "../services/delivery/result-links.ts";
import { createResultStore } from "../services/delivery/result-store.ts";
import { createTopUpNotifier, createTopUpService } from "../services/entitlements/top-up-service.ts";
import { createGalleryService } from "../services/gallery/gallery-service.ts";
import { createGalleryStore } from "../services/gallery/gallery-store.ts";
import { createResultDeletion } from "../services/gallery/result-deletion.ts";
import { createShowcase } from "../services/gallery/showcase.ts";
import type { MediaApi } from "../services/generation/media-api.ts";
import { createModelCatalog } from "../services/generation/model-catalog.ts";
import { createPromptImprover } from "../services/generation/prompt-improver.ts";
import { buildProvenanceMark } from "../services/tasks/provenance-mark.ts";
import type { ModerationClient } from "../services/moderation/moderation-client.ts";
import { createModerationHook } from "../services/moderation/moderation-hook.ts";
import { createOpenAiModeration } from "../services/moderation/openai-moderation.ts";
import { createPromptReviewer } from "../services/moderation/prompt-reviewer.ts";
import { createReportActions } from "../services/moderation/report-actions.ts";
import { createReportService } from "../services/moderation/report-service.ts";
import { createReportStore } from "../services/moderation/report-store.ts";
import { createResultReviewer } from "../services/moderation/result-reviewer.ts";
import { createWithheldDecisions } from "../services/moderation/withheld-decisions.ts";
import { createWithheldNotices } from "../services/moderation/withheld-notices.ts";
import { createPrivacyService } from "../services/privacy/privacy-service.ts";
import { createGuildLanguages } from "../services/settings/guild-languages.ts";
import { createSettingsStore } from "../services/settings/settings-store.ts";
import { createSettingsLog } from "../services/settings/settings-log.ts";
import { createSettingsService } from "../services/settings/settings-service.ts";
import { createDurationStats } from "../services/tasks/duration-stats.ts";
import { createMemberTasks } from "../services/tasks/member-tasks.ts";
import { createMemoryTaskQueue } from "../services/tasks/memory-task-queue.ts";
import { createOpenTaskStats } from "../services/tasks/open-task-stats.ts";
import { createPolling } from "../services/tasks/polling.ts";
import { createTaskRemoval } from "../services/tasks/remove-tasks.ts";
import { createRequestDrafts } from "../services/tasks/request-drafts.ts";
import type { Task } from "../services/tasks/task.ts";
import { createTaskCredits } from "../services/tasks/task-credits.ts";
import type { TaskQueue } from "../services/tasks/task-queue.ts";
import { createTaskRunner } from "../services/tasks/task-runner.ts";
import { createSubmissionService } from "../services/tasks/submission-service.ts";
import { createTaskStore } from "../services/tasks/task-store.ts";
import { serverPageUrl, type ServerPage } from "../http/dashboard/dashboard-paths.ts";
import type { BotContext } from "./app-context.ts";
import type { DiscordConnection } from "./discord-connection.ts";
import { resultOrigins } from "./open-media-service.ts";

/** The most bytes of results that are uploaded at the same time: eight files of 10 MiB, the limit of servers without boosts. */
export const UPLOAD_BYTES_MAX = 80 * 1024 * 1024;
/** More downloads at once would share the connection, and delay also the single result of a small server. */
const DOWNLOADS_AT_ONCE_MAX = 32;
/** Media services object to more frequent polls of one task; the built-in studio does not. */
const POLL_INTERVAL_MS_MIN = 1_000;
const BUILT_IN_POLL_INTERVAL_MS_MIN = 250;

/** The services that commands, the dashboard and the app itself use. */
export type Services = Awaited<ReturnType<typeof createServices>>;

interface ServicesDeps {
	readonly discord: DiscordConnection;
	readonly mediaApi: MediaApi;
	readonly commandDefinitions: readonly Named[];
	/** The public origin of the dashboard; `undefined` without one. */
	readonly dashboardOrigin: string | undefined;
}

export async function createServices(
	context: BotContext,
	{ discord, mediaApi, commandDefinitions, dashboardOrigin }: ServicesDeps,
) {
	const { config, store, ledger, clock, logger, metrics, restores, disposables } = context;
	const { client, cluster, deliveryRest } = discord;
	const { rest } = client;
	const monthlyCredits = config.GUILD_CREDITS;
	const mayManagersGrant = config.CREDITS_GRANTED_BY === "managers";
	const deadlinesMs = deadlinesOf(config);
	const base = { ...context, rest, random: Math.random, monthlyCredits, mayManagersGrant, deadlinesMs };

	// The media service and its models
	const pollsPerSecond = (): number => config.MEDIA_API_POLLS_PER_SECOND * cluster.share();
	const media = withMediaApiMetrics(mediaApi, { ...base, pollsPerSecond });
	const configuredModels = await readModelCatalogFile(config.MEDIA_CATALOG);
	const catalog = createModelCatalog({ ...base, media, configuredModels, creditPrice: config.CREDIT_PRICE });
	const promptImprover = promptImproverOf(config);

	// Servers, channels and messages on Discord
	const botUser = () => {
		assert(client.user, "the bot's user is read before the login");
		return client.user;
	};
	const botUserId = (): string => botUser().id;
	const readGuild = createGuildReader(base);
	const directory = createDiscordGuildDirectory({ ...base, readGuild, botUserId });
	const channels = createChannelDirectory({ ...base, readGuild });
	const channelVisibility = createDiscordChannelVisibility({ ...base, readGuild });
	const textPoster = createDiscordTextPoster(base);
	const resultMessages = createDiscordResultMessages(base);
	const commandMentions = createCommandMentions(commandDefinitions);
	const dashboardUrl = (guildId: string, page: ServerPage): string | undefined =>
		dashboardOrigin && serverPageUrl(dashboardOrigin, guildId, page);
	const commandOverrides = createCommandOverrides({ ...base, commandMentions });

	// Settings of each server, and the announcement of their changes in its log channel
	const languages = createGuildLanguages({
		readLocale: async (guildId) => (await readGuild(guildId))?.guild.preferred_locale,
	});
	const settingsLog = createSettingsLog({ ...base, textPoster, languages });
	disposables.defer(() => settingsLog.stop());
	const settings = createSettingsStore(store, { clock, onChange: (...changed) => settingsLog.changed(...changed) });
	const provided = { improver: promptImprover !== undefined, moderation: config.MODERATION_URL !== undefined };
	const settingsService = createSettingsService({ settings, channels, textPoster, languages, provided });
	const apiKeys = createApiKeys({ ...base, settings, directory, randomBytes });

	// Stored tasks
	const openTaskStats = createOpenTaskStats(base);
	const taskStore = createTaskStore(store, createTaskMetrics(metrics, openTaskStats));
	const galleryStore = createGalleryStore(store);
	const reportStore = createReportStore(store);
	const drafts = createRequestDrafts(base);
	const stored = { ...base, settings, languages, channels, textPoster, taskStore, galleryStore, reportStore };

	// Credits: the accounts of servers, warnings when credits run low, and purchases on Discord
	const lowCredits = createLowCreditsWarner(stored);
	disposables.defer(() => lowCredits.stop());
	const topUp = createTopUpService({
		...base,
		items: config.TOP_UP_ITEMS,
		entitlements: createEntitlementClient({ client }),
		notify: createTopUpNotifier(stored),
	});
	disposables.defer(() => topUp.stop());
	const accounts = createGuildAccounts(stored);
	const creditService = createCreditService(base);
	const refundTask = createRefundTask({ ...stored, accounts, creditService });
	const taskCredits = createTaskCredits({ ...stored, lowCredits });

	// Delivery: results are downloaded, kept, transcoded to Discord's limits, and sent
	const results = createResultStore({
		folder: join(config.DATA_DIR, "results"),
		bytesMax: config.RESULTS_MAX_MB * 1024 * 1024,
		openTaskIds: () => taskStore.openIds(),
		clock,
	});
	const secret = await openLinkSecret(store);
	const resultLinks = createResultLinks({ publicUrl: config.PUBLIC_URL, secret, results, clock });
	const uploadSemaphore = createFairSemaphore(UPLOAD_BYTES_MAX);
	const downloadSemaphore = createFairSemaphore(DOWNLOADS_AT_ONCE_MAX);
	const { replyClient, deliveryCounts } = withReplyClientMetrics(
		createDiscordReplyClient({ ...base, rest: deliveryRest, uploadSemaphore, botUserId }),
		metrics,
	);
	const filePoster = createDiscordFilePoster({ rest, uploadSemaphore });
	const download = createDownload({ clock, trustedOrigins: resultOrigins(context, config) });
	const tempDir = createTempDir({ parentDir: join(config.DATA_DIR, "transcoding"), clock });
	const threads = availableParallelism();
	const workerPool = createTranscodeWorkerPool({ workersMax: threads });
	disposables.defer(() => workerPool.close());
	const transcoder = createTranscoder({ workerPool, tempDir, threads });
	const frames = createFrameExtractor({ workerPool, tempDir, threads });
	// Before the first write: removes what killed processes left behind, and measures the stored results for their limit.
	await Promise.all([results.prune(), tempDir.prune()]);
	const delivery = { ...stored, results, resultLinks, replyClient, channelVisibility, resultMessages, filePoster };

	// The gallery of each server, and its showcase
	const resultAccess = createResultAccess(delivery);
	const showcase = createShowcase(delivery);
	const resultDeletion = createResultDeletion({ ...delivery, resultAccess });
	const gallery = createGalleryService({ ...delivery, resultAccess, resultDeletion, showcase });
	disposables.defer(() => gallery.stop());
	const removeTask = createTaskRemoval(delivery);

	// The judgment of prompts and results by the operator's moderation service; `undefined` without one
	const moderationClient = moderationClientOf(config);
	const moderation = moderationClient && { moderationClient, failure: config.MODERATION_FAILURE };
	const promptReviewer = moderation && createPromptReviewer(moderation);
	const resultReviewer = moderation && createResultReviewer({ ...delivery, ...moderation, frames });
	const withheldPoster = createWithheldPoster(filePoster);
	const withheldNotices = createWithheldNotices({ ...delivery, withheldPoster });

	// Tasks, from their reservation to their delivery
	const queue = await openTaskQueue(context);
	const polling = createPolling({
		...base,
		durations: createDurationStats(),
		pollsPerSecond,
		intervalMsMin: config.MEDIA_API_URL === undefined ? BUILT_IN_POLL_INTERVAL_MS_MIN : POLL_INTERVAL_MS_MIN,
	});
	const runner = createTaskRunner({
		...delivery,
		catalog,
		media,
		taskCredits,
		queue,
		polling,
		download,
		downloadSemaphore,
		transcoder,
		resultReviewer,
		withheldNotices,
		// Tasks run only after the login.
		provenanceMarkOf: (task: Task) =>
			config.PROVENANCE === "on" ? buildProvenanceMark(task, botUser().username) : undefined,
	});
	disposables.defer(() => runner.stop());
	const isPausedAfterRestore = (): boolean => restores.isPaused();
	const authorize = createAuthorization({ ...stored, promptReviewer, isPausedAfterRestore, accounts, lowCredits });
	const submissions = createSubmissionService({ ...base, taskCredits, runner, authorize });
	const memberTasks = createMemberTasks({ ...delivery, runner });

	// Reports of results to the moderators of a server, and their decisions about withheld results
	const moderatorsChannel = createDiscordModeratorsChannel(delivery);
	const reportService = createReportService({ ...delivery, moderatorsChannel });
	const reportActions = createReportActions({
		...delivery,
		settingsService,
		refundTask,
		moderatorsChannel,
		resultDeletion,
	});
	const withheldDecisions = createWithheldDecisions({ ...delivery, runner });

	const privacyService = createPrivacyService({
		...stored,
		removeTask,
		drafts,
		retentionDays: config.TASK_RETENTION_DAYS,
		onCorrupt: (error) => logger.error({ err: error }, "task missing in an export of personal data"),
	});

	return {
		accounts,
		apiKeys,
		botUserId,
		catalog,
		channels,
		clock,
		commandMentions,
		commandOverrides,
		creditService,
		dashboardUrl,
		deadlineMsMax: Math.max(...Object.values(deadlinesMs)),
		deliveryCounts,
		directory,
		drafts,
		gallery,
		languages,
		ledger,
		mayManagersGrant,
		media,
		memberTasks,
		openTaskStats,
		privacyService,
		promptImprover,
		queue,
		refundTask,
		removeTask,
		reportActions,
		reportService,
		reportStore,
		resultAccess,
		resultDeletion,
		resultLinks,
		results,
		runner,
		settings,
		settingsService,
		submissions,
		taskStore,
		tempDir,
		topUp,
		withheldDecisions,
	};
}

function promptImproverOf({ PROMPT_MODEL_URL: url, PROMPT_MODEL_KEY: apiKey, PROMPT_MODEL: model }: Config) {
	if (url === undefined || model === undefined) return undefined;
	return createPromptImprover({ url, apiKey, model });
}

function moderationClientOf(config: Config): ModerationClient | undefined {
	const { MODERATION_URL: url, MODERATION_API_KEY: apiKey, MODERATION_KIND, MODERATION_MODEL: model } = config;
	if (url === undefined) return undefined;
	return MODERATION_KIND === "openai"
		? createOpenAiModeration({ url, apiKey, model })
		: createModerationHook({ url, apiKey });
}

/** Opens the queue of `QUEUE_URL`, which processes share; without it, a queue in this process. */
async function openTaskQueue({ config, clock, logger }: BotContext): Promise<TaskQueue> {
	if (config.QUEUE_URL === undefined) return createMemoryTaskQueue({ clock, logger });
	// Loaded only with a shared queue.
	const { openRedisTaskQueue } = await import("../services/tasks/redis-task-queue.ts");
	return await openRedisTaskQueue(config.QUEUE_URL, { clock, logger });
}
