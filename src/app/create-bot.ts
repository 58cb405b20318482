/** Builds the bot's features in the order of their dependencies, connects it to Discord, and resumes its open tasks. */
import assert from "node:assert/strict";
import type { Studio } from "@atelier/studio/studio";
import { startDaily } from "@atelier/common/periodic-work";
import { joinCommandSets } from "../commands/framework/bind-commands.ts";
import type { Config } from "../config/load-config.ts";
import { readModelCatalogFile } from "../config/model-catalog-file.ts";
import { multiProcessReason } from "../config/multi-process.ts";
import { connectGateway } from "../discord/connect-gateway.ts";
import { listenForEntitlements } from "../discord/entitlements.ts";
import { watchGateway } from "../discord/gateway-watch.ts";
import { createDiscordGuildDirectory } from "../discord/discord-guild-directory.ts";
import { createGuildReader } from "../discord/guild-reader.ts";
import { inviteLink } from "../discord/invite-link.ts";
import { definitionsFor } from "../commands/index.ts";
import { createCommandMentions } from "../discord/command-mentions.ts";
import { registerCommands } from "../discord/register-commands.ts";
import { withMediaApiMetrics } from "../metrics/media-api-metrics.ts";
import { createTaskMetrics } from "../metrics/task-metrics.ts";
import type { DashboardServices } from "../http/dashboard/dashboard-services.ts";
import type { ResultLinks } from "../services/delivery/result-links.ts";
import type { MediaApi } from "../services/generation/media-api.ts";
import { createPromptImprover } from "../services/generation/prompt-improver.ts";
import { createModelCatalog } from "../services/generation/model-catalog.ts";
import type { TaskWatchdog } from "../services/tasks/task-watchdog.ts";
import { createOpenTaskStats } from "../services/tasks/open-task-stats.ts";
import { createHoldTaskLookup, createTaskStore } from "../services/tasks/task-store.ts";
import type { BotContext, Feature } from "./bot-context.ts";
import { createDiscordConnection } from "./discord-connection.ts";
import type { AppContext } from "./app-context.ts";
import { createAudit, createCredits } from "./create-credits.ts";
import { createDashboardServices } from "./create-dashboard-services.ts";
import { createDelivery } from "./create-delivery.ts";
import { createGallery } from "./create-gallery.ts";
import { createHelp } from "./create-help.ts";
import { createModerationFeature } from "./create-moderation.ts";
import { createOperatorServices } from "./create-operator-services.ts";
import { createPrivacy } from "./create-privacy.ts";
import { createReports } from "./create-reports.ts";
import { createSettings } from "./create-settings.ts";
import { createTasks } from "./create-tasks.ts";
import type { DiscordEndpoint } from "./discord-endpoint.ts";
import { handleInteractions } from "./handle-interactions.ts";

/** The part of the running bot that HTTP routes use. */
export interface Bot {
	readonly applicationId: string;
	readonly dashboard: DashboardServices;
	readonly resultLinks: ResultLinks;
	/** Runs a task now, because the media service reported its end. */
	wakeTask(taskId: string): void;
	isGatewayUp(): boolean;
	/** True if the gateway has been down so long that only a restart can help. */
	isGatewayStuck(): boolean;
	/** Details for `/readyz`. */
	details(): Readonly<Record<string, unknown>>;
}

interface BotDeps {
	readonly discord: DiscordEndpoint;
	readonly media: MediaApi;
	/** `undefined` if another media service is configured. */
	readonly studio: Studio | undefined;
}

export async function createBot(
	app: AppContext,
	config: Config,
	{ discord: endpoint, media, studio }: BotDeps,
): Promise<Bot> {
	const isStoreShared = multiProcessReason(config) !== undefined;
	const context: BotContext = { ...app, config, isStoreShared, logger: app.logger.child({ part: "bot" }) };
	const { store, clock, logger, metrics, fatal, disposables } = context;

	const discord = await createDiscordConnection(context, endpoint);
	const { client, cluster } = discord;
	const pollsPerSecond = (): number => config.MEDIA_API_POLLS_PER_SECOND * cluster.share();
	const measuredMedia = withMediaApiMetrics(media, { metrics, clock, pollsPerSecond });
	const configuredModels = await readModelCatalogFile(config.MEDIA_CATALOG);
	const catalog = createModelCatalog({
		media: measuredMedia,
		clock,
		logger,
		configuredModels,
		creditPrice: config.CREDIT_PRICE,
	});
	const openTaskStats = createOpenTaskStats({ clock, isStoreShared });
	const taskStore = createTaskStore(store, createTaskMetrics(metrics, openTaskStats));

	const promptImprover = promptImproverOf(config);
	const readGuild = createGuildReader({ rest: client.rest, clock });
	const botUserId = (): string => {
		assert(client.user, "members are read once the client is logged in");
		return client.user.id;
	};
	const directory = createDiscordGuildDirectory({ rest: client.rest, readGuild, clock, botUserId });
	const definitions = definitionsFor({ hasImprover: promptImprover !== undefined });
	const commandMentions = createCommandMentions(definitions);
	const settingsFeature = createSettings(context, {
		client,
		readGuild,
		directory,
		catalog,
		promptImprover,
		commandMentions,
	});
	const creditsFeature = createCredits(context, { client, catalog, settingsFeature, taskStore });
	const deliveryFeature = await createDelivery(context, { discord, openTaskIds: () => taskStore.openIds() });
	const galleryFeature = createGallery(context, {
		client,
		readGuild,
		directory,
		taskStore,
		settingsFeature,
		deliveryFeature,
	});
	const moderationFeature = createModerationFeature(context, { settingsFeature, deliveryFeature, galleryFeature });
	const taskFeature = await createTasks(context, {
		taskStore,
		openTaskStats,
		media: measuredMedia,
		catalog,
		settingsFeature,
		creditsFeature,
		deliveryFeature,
		galleryFeature,
		moderationFeature,
		cluster,
		promptImprover,
		directory,
		// The name is known after the login, which precedes the first delivery.
		botName: () => client.user?.username ?? "Atelier",
	});
	const privacyFeature = createPrivacy(context, { galleryFeature, settingsFeature, taskFeature, taskStore });
	const reportsFeature = createReports(context, {
		client,
		directory,
		taskStore,
		settingsFeature,
		creditsFeature,
		deliveryFeature,
		galleryFeature,
		taskFeature,
	});
	let watchdog: TaskWatchdog | undefined;
	const operator = createOperatorServices(context, {
		client,
		media: measuredMedia,
		studio,
		playgroundOperatorId: endpoint.operatorId,
		openTaskStats,
		deliveryCounts: deliveryFeature.deliveryCounts,
		oldestOverdueRunMs: () => watchdog?.oldestOverdueRunMs(),
		isGatewayUp: () => discord.isUp(),
	});
	const dashboard = createDashboardServices(context, {
		botUserId,
		catalog,
		directory,
		media: measuredMedia,
		operator,
		taskStore,
		settingsFeature,
		creditsFeature,
		galleryFeature,
		taskFeature,
		privacyFeature,
		reportsFeature,
	});
	const features: readonly Feature[] = [
		taskFeature,
		creditsFeature,
		settingsFeature,
		galleryFeature,
		privacyFeature,
		reportsFeature,
		createHelp(context, { catalog, commandMentions, settingsFeature, creditsFeature }),
		createAudit(context, createHoldTaskLookup(taskStore)),
		deliveryFeature,
	];
	// Read during the login, which a service that hangs must not delay.
	const modelsRead = catalog.refresh();

	for (const work of features.flatMap(({ dailyWork = [] }) => dailyWork)) {
		disposables.defer(startDaily({ ...work, clock, logger }));
	}
	const commands = joinCommandSets(features.flatMap((feature) => feature.commands ?? []));
	const { languages, settings } = settingsFeature;
	const { topUp } = creditsFeature;
	handleInteractions(context, { client, cluster, commands, languages, settings, topUp });
	disposables.defer(listenForEntitlements(client, topUp));

	const { identifyThrottler } = cluster;
	const application = await connectGateway({
		client,
		token: endpoint.token,
		identifyThrottler,
		clock,
		rejection: fatal.promise,
	});
	const gateway = watchGateway({ client, identifyThrottler, clock, logger });
	disposables.defer(() => gateway.stop());
	await Promise.all([
		// Members may already use the bot.
		registerCommands(client.rest, application.id, definitions, logger).then((registered) =>
			commandMentions.learn(registered),
		),
		// Purchases made while no process listened.
		topUp.reconcile(),
		modelsRead,
	]);
	topUp.start();
	watchdog = await taskFeature.resume();
	if (!endpoint.isPlayground) logger.info({ invite: inviteLink(application.id) }, "add the bot to a server");
	return {
		applicationId: application.id,
		dashboard,
		resultLinks: deliveryFeature.resultLinks,
		wakeTask: taskFeature.wakeTask,
		isGatewayUp: () => discord.isUp(),
		isGatewayStuck: () => gateway.isStuck(),
		details: () => ({
			media: media.health().state === "up",
			oldestOverdueRunMs: watchdog?.oldestOverdueRunMs() ?? null,
		}),
	};
}

function promptImproverOf({ PROMPT_MODEL_URL: url, PROMPT_MODEL_KEY: apiKey, PROMPT_MODEL: model }: Config) {
	if (url === undefined || model === undefined) return undefined;
	return createPromptImprover({ url, apiKey, model });
}
