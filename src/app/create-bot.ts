/** Builds the bot's features in dependency order, connects it to Discord, and resumes its open tasks. */
import { startDaily } from "@atelier/common/intervals";
import { createAckBarrier } from "../commands/ack-barrier.ts";
import { commands, messageCommands } from "../commands/index.ts";
import type { Config } from "../config/load-config.ts";
import { readModelFile } from "../config/model-catalog-file.ts";
import { multiProcessReason } from "../config/processes.ts";
import { createChannels } from "../discord/channels.ts";
import { createCommandPermissions } from "../discord/command-permissions.ts";
import { watchGateway } from "../discord/gateway-watch.ts";
import { inviteLink } from "../discord/invite-link.ts";
import { listenForEntitlements } from "../discord/entitlement-events.ts";
import { connectGateway } from "../discord/connect.ts";
import { createModeratorsChannel } from "../discord/moderators-channel.ts";
import { registerCommands } from "../discord/register-commands.ts";
import { withMediaApiMetrics } from "../metrics/media-api-metrics.ts";
import { withTaskStoreMetrics } from "../metrics/task-store-metrics.ts";
import { createOpenTaskStats } from "../metrics/open-task-stats.ts";
import type { ResultLinks } from "../services/delivery/result-links.ts";
import { createModelCatalog } from "../services/generation/model-catalog.ts";
import type { MediaApi } from "../services/generation/media-api.ts";
import { createReportedResults } from "../services/moderation/reported-results.ts";
import { createReportService } from "../services/moderation/report-service.ts";
import { createPrivacyService } from "../services/privacy/privacy-service.ts";
import { createHoldPurpose } from "../services/tasks/hold-purpose.ts";
import { createTaskStore } from "../services/tasks/task-store.ts";
import type { BotContext } from "./bot-context.ts";
import { connectDiscord } from "./connect-discord.ts";
import type { AppContext } from "./context.ts";
import { auditWork, createCredits } from "./create-credits.ts";
import { createDelivery } from "./create-delivery.ts";
import { createSettings } from "./create-settings.ts";
import { createTasks } from "./create-tasks.ts";
import type { DiscordEndpoint } from "./discord-endpoint.ts";
import { handleInteractions } from "./handle-interactions.ts";

/** What a running bot offers to HTTP routes. */
export interface Bot {
	readonly resultLinks: ResultLinks;
	/** Polls a task now, because the media service reported its end. */
	wakeTask(taskId: string): void;
	isGatewayUp(): boolean;
	/** Whether the gateway has been down so long that only a restart can help. */
	isGatewayStuck(): boolean;
	/** Details for `/readyz`. */
	details(): Readonly<Record<string, unknown>>;
}

interface BotDeps {
	readonly discord: DiscordEndpoint;
	readonly media: MediaApi;
}

export async function createBot(app: AppContext, config: Config, { discord: endpoint, media }: BotDeps): Promise<Bot> {
	const isStoreShared = multiProcessReason(config) !== undefined;
	const context: BotContext = { ...app, config, isStoreShared, logger: app.logger.child({ part: "bot" }) };
	const { store, ledger, clock, logger, metrics, fatal, disposables } = context;

	const discord = await connectDiscord(context, endpoint);
	const { client, cluster } = discord;
	const looksPerSecond = (): number => config.MEDIA_API_POLLS_PER_SECOND * cluster.share();
	const measuredMedia = withMediaApiMetrics(media, { metrics, clock, pollsPerSecond: looksPerSecond });
	const configured = await readModelFile(config.MEDIA_CATALOGUE);
	const catalogue = createModelCatalog({ media: measuredMedia, clock, logger, configured });

	const { settings, announcer, languages, setupProgress } = createSettings(context, discord);
	const credits = createCredits(context, { client, settings, announcer, languages });
	const census = createOpenTaskStats({ clock, isStoreShared });
	const taskStore = withTaskStoreMetrics(createTaskStore(store), metrics, census);
	const delivery = await createDelivery(context, { discord, openTaskIds: () => taskStore.openIds() });
	const channels = createChannels({ rest: client.rest });
	const tasks = await createTasks(context, {
		tasks: taskStore,
		census,
		media: measuredMedia,
		catalogue,
		channels,
		settings,
		credits,
		delivery,
		cluster,
	});
	const { accounts, creditService, topUp } = credits;
	const { results } = delivery;
	const { confirmations } = tasks;
	const reports = createReportService({
		tasks: taskStore,
		results,
		reported: createReportedResults(store),
		settings,
		accounts,
		creditService,
		channel: createModeratorsChannel({ rest: client.rest }),
		languages,
		clock,
	});
	const retentionDays = config.TASK_RETENTION_DAYS;
	const privacy = createPrivacyService({
		store,
		tasks: taskStore,
		confirmations,
		results,
		ledger,
		settings,
		clock,
		retentionDays,
	});
	await catalogue.refresh();

	const audit = auditWork(context, createHoldPurpose(taskStore));
	for (const each of [...tasks.dailyWork, audit, ...delivery.dailyWork]) {
		disposables.defer(startDaily({ ...each, clock, logger }));
	}
	const services = {
		confirmations,
		catalogue,
		tasks: tasks.service,
		accounts,
		settings,
		languages,
		jobs: tasks.jobs,
		creditService,
		mayManagersGrant: config.CREDITS_GRANTED_BY === "managers",
		ledger,
		topUp,
		reports,
		privacy,
		setupProgress,
		overrides: createCommandPermissions({ rest: client.rest, clock }),
		channels,
		announcer,
		answersFirst: createAckBarrier({ clock }),
		clock,
	};
	handleInteractions(context, { client, cluster, services });
	disposables.defer(listenForEntitlements(client, topUp));

	const { identifies } = cluster;
	const application = await connectGateway({ client, token: endpoint.token, identifies, clock, lost: fatal.promise });
	const gateway = watchGateway({ client, identifies, clock, logger });
	disposables.defer(() => gateway.stop());
	const definitions = [...commands, ...messageCommands].map(({ definition }) => definition);
	await registerCommands(client.rest, application.id, definitions, logger);
	// Purchases made while no process listened.
	await topUp.reconcile();
	topUp.start();
	const watchdog = await tasks.resume();
	if (!endpoint.isPlayground) logger.info({ invite: inviteLink(application.id) }, "add the bot to a server");
	return {
		resultLinks: delivery.resultLinks,
		wakeTask: tasks.wake,
		isGatewayUp: () => discord.isUp(),
		isGatewayStuck: () => gateway.isStuck(),
		details: () => ({ media: media.health().state === "up", oldestOverdueLookMs: watchdog.oldestOverdueMs() ?? null }),
	};
}
