/** The bot: its rooms, wired; logged in; its commands registered; its open tasks taken up again. */
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { Events, type Interaction } from "discord.js";
import { systemClock } from "@atelier/common/clock";
import { createAnswersFirst } from "../commands/answers-first.ts";
import { createDispatch } from "../commands/dispatch.ts";
import { commands, controls, messageCommands } from "../commands/index.ts";
import { deadlinesOf, type Config } from "../config/load-config.ts";
import { shareOfShards, multiProcessReason } from "../config/processes.ts";
import { startDaily } from "@atelier/common/intervals";
import { createDiscordAnnouncer } from "../discord/announcer.ts";
import { createChannels } from "../discord/channels.ts";
import { createDiscord, type Discord } from "../discord/client.ts";
import { openFleet } from "../discord/fleet/open-fleet.ts";
import { createCommandOverrides } from "../discord/command-overrides.ts";
import { inviteLink } from "../discord/invite-link.ts";
import { watchGateway, type GatewayWatch } from "../discord/gateway-watch.ts";
import { logIn } from "../discord/log-in.ts";
import { createDeliveryRest } from "../discord/delivery-rest.ts";
import { createDiscordMessenger } from "../discord/messenger.ts";
import { createModeratorsChannel } from "../discord/moderators-channel.ts";
import { registerCommands } from "../discord/register-commands.ts";
import { watchClock } from "../discord/watch-clock.ts";
import { createDiscordShop } from "../discord/shop.ts";
import { listenForPurchases } from "../discord/listen-for-purchases.ts";
import { createDownload } from "@atelier/common/download";
import { createInFlight } from "@atelier/common/pending-work";
import { measureAudit } from "../metrics/measure-audit.ts";
import { measureDiscord } from "../metrics/measure-discord.ts";
import { measureMediaApi } from "../metrics/measured-media-api.ts";
import { measureMessenger } from "../metrics/measured-messenger.ts";
import { measureTaskStore } from "../metrics/measured-task-store.ts";
import { measureInteractions } from "../metrics/measure-interactions.ts";
import { measureLooks } from "../metrics/measure-looks.ts";
import { createTaskCensus } from "../metrics/task-census.ts";
import { readModelFile } from "../config/model-catalog-file.ts";
import { createByteBudget } from "../services/delivery/byte-budget.ts";
import { createFitProcesses } from "../services/delivery/fit/fit-processes.ts";
import { createFitter } from "../services/delivery/fit/fitter.ts";
import { createResultLinks, openLinkSecret, type ResultLinks } from "../services/delivery/result-links.ts";
import { createResultStore } from "../services/delivery/result-store.ts";
import { createScratch, LEFT_BEHIND_MS } from "../services/delivery/scratch.ts";
import { createUploadLimits } from "../services/delivery/upload-limits.ts";
import { createCatalogue } from "../services/generation/catalogue.ts";
import type { MediaApi } from "../services/generation/media-api.ts";
import { createAdmission } from "../services/guilds/admission.ts";
import { createCreditDesk } from "../services/guilds/credit-desk.ts";
import { createGuildAccounts } from "../services/guilds/guild-accounts.ts";
import { createGuildLanguages } from "../services/guilds/guild-languages.ts";
import { createGuildSettings } from "../services/guilds/guild-settings.ts";
import { createLowCreditsWarner } from "../services/guilds/low-credits.ts";
import { createModeration, type Moderation } from "../services/guilds/moderation.ts";
import { createReportDesk } from "../services/moderation/report-service.ts";
import { createReportedResults } from "../services/moderation/reported-results.ts";
import { createSetupProgress } from "../services/guilds/setup-steps.ts";
import { createSettingsLog } from "../services/guilds/settings-log.ts";
import { createAuditor } from "@atelier/ledger/auditor";
import { createCharges } from "@atelier/ledger/charges";
import { createPrivacyDesk } from "../services/privacy/privacy-desk.ts";
import { auditOnceADay } from "../services/credits/daily-audit.ts";
import { createTopUpAnnouncement } from "../services/top-up/announce-top-up.ts";
import { createTopUpDesk } from "../services/top-up/top-up-desk.ts";
import { openPollQueue } from "../services/tasks/open-poll-queue.ts";
import { createPolling } from "../services/tasks/polling.ts";
import { createDurationStats } from "../services/tasks/duration-stats.ts";
import { startSweeper } from "../services/tasks/sweeper.ts";
import { createJobDesk } from "../services/tasks/job-desk.ts";
import { removeOldTasks } from "../services/tasks/retention.ts";
import { createCreditCheck } from "../services/tasks/credit-check.ts";
import { createProposals } from "../services/tasks/proposals.ts";
import { createTaskRunner } from "../services/tasks/task-runner.ts";
import { createTaskService } from "../services/tasks/task-service.ts";
import { createTaskStore } from "../services/tasks/task-store.ts";
import { startWatchdog, type Watchdog } from "../services/tasks/watchdog.ts";
import type { DiscordAccess } from "./discord-endpoint.ts";
import type { Ground } from "./context.ts";
import { resultOriginsOf } from "./media-backend.ts";
import { createHoldPurpose } from "../services/tasks/hold-purpose.ts";

/** For commands that were taken before the stop; what they have started is waited for after that. */
const COMMANDS_DRAIN_MS = 5_000;
/** Media services do not like to be asked about one task more often; the studio in the house does not mind. */
const LOOK_FLOOR_MS = 1_000;
const LOOK_FLOOR_IN_HOUSE_MS = 250;
/** When what is started has nothing better to do. */
const FIRST_CLEANING_AFTER_MS = 5 * 60_000;
const FIRST_AUDIT_AFTER_MS = 15 * 60_000;
const DAY_MS = 24 * 60 * 60 * 1000;
/** Of all results on their way to Discord: eight of ordinary size. */
const UPLOADED_AT_ONCE_BYTES = 80 * 1024 * 1024;

export function resultsFolder({ DATA_DIR }: Config): string {
	return join(DATA_DIR, "results");
}

/** What a running bot tells of itself. */
export interface Bot {
	readonly resultLinks: ResultLinks;
	readonly discord: Pick<Discord, "isUp">;
	readonly gateway: Pick<GatewayWatch, "isStuck">;
	readonly watchdog: Watchdog;
}

export async function startBot(ground: Ground, access: { discord: DiscordAccess; media: MediaApi }): Promise<Bot> {
	const { config, clock, store, ledger, metrics, releases, lost } = ground;
	const isStoreShared = multiProcessReason(config) !== undefined;
	const logger = ground.logger.child({ house: "bot" });

	const fleet = await openFleet(config.QUEUE_URL, {
		// Discord and the other processes keep real time, whatever clock a test holds.
		clock: systemClock,
		logger,
		random: Math.random,
		requestsPerSecond: config.DISCORD_REQUESTS_PER_SECOND,
		shareOfShards: shareOfShards(config),
	});
	releases.push(() => fleet.close());
	const media = measureMediaApi(access.media, {
		metrics,
		clock,
		looksPerSecond: () => config.MEDIA_API_LOOKS_PER_SECOND * fleet.share(),
	});
	const discord = createDiscord({
		apiUrl: access.discord.apiUrl,
		shards: config.SHARDS,
		shardCount: config.SHARD_COUNT,
		fleet,
		// Discord keeps real time, whatever clock a test holds.
		clock: systemClock,
		logger,
		onLost: lost.resolve,
	});
	const { client } = discord;
	// Acquired before the runner, so let go after it: what is being delivered still needs the client.
	releases.push(() => discord.close());
	const catalogue = createCatalogue({ media, clock, logger, configured: await readModelFile(config.MEDIA_CATALOGUE) });
	const announcer = createDiscordAnnouncer({ rest: client.rest });
	const languages = createGuildLanguages();
	const settingsLog = createSettingsLog({ announcer, languages, clock, logger });
	releases.push(() => settingsLog.stop());
	const settings = createGuildSettings(store, {
		clock,
		onChange: (...changed) => settingsLog.changed(...changed),
	});
	const accounts = createGuildAccounts({ store, ledger, settings, clock, monthlyCredits: config.GUILD_CREDITS });
	const charges = createCharges(ledger);
	const census = createTaskCensus({ clock, isStoreShared });
	const tasks = measureTaskStore(createTaskStore(store), metrics, census);
	const results = createResultStore({
		folder: resultsFolder(config),
		bytesMax: config.RESULTS_MAX_MB * 1024 * 1024,
		openTaskIds: () => tasks.openIds(),
		clock,
		isAlone: !isStoreShared,
	});
	const resultLinks = createResultLinks({
		publicUrl: config.PUBLIC_URL,
		secret: await openLinkSecret(store),
		results,
		clock,
	});
	const lowCredits = createLowCreditsWarner({
		store,
		settings,
		announcer,
		languages,
		clock,
		monthlyCredits: config.GUILD_CREDITS,
	});
	releases.push(() => lowCredits.stop());
	const topUp = createTopUpDesk({
		items: config.TOP_UP_ITEMS,
		shop: createDiscordShop({ client }),
		store,
		ledger,
		announce: createTopUpAnnouncement({ settings, announcer, languages }),
		clock,
		logger,
	});
	releases.push(() => topUp.stop());
	const queue = await openPollQueue(config.QUEUE_URL, { clock, logger });
	const deliveryRest = createDeliveryRest({
		apiUrl: access.discord.apiUrl,
		token: access.discord.token,
		requests: fleet.requests,
		logger,
		onLost: lost.resolve,
	});
	const uploads = createByteBudget(UPLOADED_AT_ONCE_BYTES);
	const messenger = measureMessenger(createDiscordMessenger({ rest: deliveryRest, uploads, clock, logger }), metrics);
	const clockAheadMs = watchClock({ rest: client.rest, clock: systemClock, logger });
	measureDiscord({ client, deliveryRest, clockAheadMs }, metrics);
	const scratch = createScratch({ place: join(config.DATA_DIR, "fitting"), clock });
	const processes = createFitProcesses({ places: availableParallelism() });
	releases.push(() => processes.close());
	const fitter = createFitter({ processes, scratch, threads: availableParallelism() });
	const download = createDownload({ clock, trustedOrigins: resultOriginsOf(ground) });
	const polling = createPolling({
		durations: createDurationStats(),
		clock,
		random: Math.random,
		pollsPerSecondMax: config.MEDIA_API_LOOKS_PER_SECOND,
		budgetShare: () => fleet.share(),
		intervalMsMin: config.MEDIA_API_URL === undefined ? LOOK_FLOOR_IN_HOUSE_MS : LOOK_FLOOR_MS,
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
		uploadLimits: createUploadLimits({ store, clock }),
		fitter,
		clock,
		random: Math.random,
		logger,
		models: catalogue,
		topUp,
		isStoreShared,
	});
	releases.push(() => runner.stop());
	ground.doorbell.ring = (taskId) => runner.wake(taskId);
	const deadlinesMs = deadlinesOf(config);
	const channels = createChannels({ rest: client.rest });
	const admission = createAdmission({
		settings,
		channels,
		moderation: moderationOf(config),
		isPaused: () => ground.epoch.isPaused(),
		credits: createCreditCheck({ accounts, ledger, lowCredits }),
		clock,
	});
	const taskService = createTaskService({ tasks, runner, admission, accounts, ledger, clock, deadlinesMs });
	const jobs = createJobDesk({ tasks, results, messenger, resultLinks, runner, clock });
	const desk = createCreditDesk(ledger);
	const reports = createReportDesk({
		tasks,
		results,
		reported: createReportedResults(store),
		settings,
		accounts,
		desk,
		channel: createModeratorsChannel({ rest: client.rest }),
		languages,
		clock,
	});
	const proposals = createProposals({ store, clock });
	const privacy = createPrivacyDesk({
		store,
		tasks,
		proposals,
		results,
		ledger,
		settings,
		clock,
		retentionDays: config.TASK_RETENTION_DAYS,
	});
	const overrides = createCommandOverrides({ rest: client.rest, clock });
	const answersFirst = createAnswersFirst({ clock });
	const services = {
		proposals,
		catalogue,
		tasks: taskService,
		accounts,
		settings,
		languages,
		jobs,
		desk,
		mayManagersGrant: config.CREDITS_GRANTED_BY === "managers",
		ledger,
		topUp,
		reports,
		privacy,
		setupProgress: createSetupProgress(store),
		overrides,
		channels,
		announcer,
		answersFirst,
		clock,
	};
	const claim = (interactionId: string): Promise<boolean> => fleet.claims.take(interactionId);
	const dispatch = createDispatch({ commands, messageCommands, controls, services, claim, logger });

	const retentionMs = config.TASK_RETENTION_DAYS * DAY_MS;
	const stopping = ground.stopping.signal;
	const removeOld = () => removeOldTasks({ tasks, results, clock, logger, retentionMs, stopping });
	await Promise.all([catalogue.refresh(), results.prune(), scratch.prune()]);
	const firstAfterMs = FIRST_CLEANING_AFTER_MS;
	releases.push(startDaily({ name: "remove old tasks", work: removeOld, firstAfterMs, clock, logger }));
	const removeProposals = () => proposals.removeOld(logger);
	releases.push(startDaily({ name: "remove old proposals", work: removeProposals, firstAfterMs, clock, logger }));
	const audit = {
		auditor: createAuditor({ store, holdPurpose: createHoldPurpose(tasks) }),
		store,
		clock,
		logger,
		stopping,
		...measureAudit(metrics),
	};
	releases.push(
		startDaily({
			name: "audit the ledger",
			work: () => auditOnceADay(audit),
			firstAfterMs: FIRST_AUDIT_AFTER_MS,
			clock,
			logger,
		}),
	);
	releases.push(startDaily({ name: "prune results", work: () => results.prune(), clock, logger }));
	releases.push(
		startDaily({ name: "prune scratch", work: () => scratch.prune(), firstAfterMs: LEFT_BEHIND_MS, clock, logger }),
	);
	const commandsUnderWay = createInFlight({ clock });
	const measured = measureInteractions({ commands: [...commands, ...messageCommands], clock }, metrics);
	const answer = (interaction: Interaction): void => {
		// Nothing awaits a listener: its rejection would end the process.
		const answered = measured(interaction, () => dispatch(interaction)).catch((error: unknown) => {
			logger.error({ err: error }, "interaction failed");
		});
		commandsUnderWay.add(answered);
	};
	client.on(Events.InteractionCreate, answer);
	// Before the runner: a command that was taken still becomes a task, or its answer.
	releases.push(async () => {
		client.off(Events.InteractionCreate, answer);
		const cutOff = await commandsUnderWay.drain(COMMANDS_DRAIN_MS);
		if (cutOff > 0) logger.warn({ commands: cutOff }, "commands cut off");
	});
	releases.push(listenForPurchases(client, topUp));
	const application = await logIn({
		client,
		token: access.discord.token,
		identifies: fleet.identifies,
		clock,
		lost: lost.promise,
	});
	const gateway = watchGateway({ client, identifies: fleet.identifies, clock, logger });
	releases.push(() => gateway.stop());
	await registerCommands(
		client.rest,
		application.id,
		[...commands, ...messageCommands].map(({ definition }) => definition),
		logger,
	);
	// What was bought while nobody listened.
	await topUp.reconcile();
	topUp.start();
	// Only now: what recovery delivers goes through the client.
	const sweep = measureLooks(
		{ recover: () => runner.recover(), oldestOverdueMs: () => watchdog.oldestOverdueMs() },
		metrics,
	);
	const watchdog = startWatchdog({ queue, overdueTasks: () => census.count(), clock, logger });
	releases.push(() => watchdog.stop());
	logger.info({ openTasks: await sweep() }, "open tasks found");
	releases.push(startSweeper({ sweep, queue, clock, logger }));
	if (!access.discord.isPlayground) logger.info({ invite: inviteLink(application.id) }, "add the bot to a server");
	return { discord, gateway, watchdog, resultLinks };
}

function moderationOf({ MODERATION_URL, MODERATION_API_KEY, MODERATION_FAILURE }: Config): Moderation | undefined {
	if (MODERATION_URL === undefined) return undefined;
	return createModeration({ url: MODERATION_URL, apiKey: MODERATION_API_KEY, failure: MODERATION_FAILURE });
}
