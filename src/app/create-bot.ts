/** Builds the bot's features in dependency order, connects it to Discord, and resumes its open tasks. */
import { startDaily } from "@atelier/common/intervals";
import { createAnswersFirst } from "../commands/answers-first.ts";
import { commands, messageCommands } from "../commands/index.ts";
import type { Config } from "../config/load-config.ts";
import { readModelFile } from "../config/model-catalog-file.ts";
import { multiProcessReason } from "../config/processes.ts";
import { createChannels } from "../discord/channels.ts";
import { createCommandOverrides } from "../discord/command-overrides.ts";
import { watchGateway } from "../discord/gateway-watch.ts";
import { inviteLink } from "../discord/invite-link.ts";
import { listenForPurchases } from "../discord/listen-for-purchases.ts";
import { logIn } from "../discord/log-in.ts";
import { createModeratorsChannel } from "../discord/moderators-channel.ts";
import { registerCommands } from "../discord/register-commands.ts";
import { measureMediaApi } from "../metrics/measured-media-api.ts";
import { measureTaskStore } from "../metrics/measured-task-store.ts";
import { createTaskCensus } from "../metrics/task-census.ts";
import type { ResultLinks } from "../services/delivery/result-links.ts";
import { createCatalogue } from "../services/generation/catalogue.ts";
import type { MediaApi } from "../services/generation/media-api.ts";
import { createReportedResults } from "../services/moderation/reported-results.ts";
import { createReportDesk } from "../services/moderation/report-service.ts";
import { createPrivacyDesk } from "../services/privacy/privacy-desk.ts";
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
	const looksPerSecond = (): number => config.MEDIA_API_LOOKS_PER_SECOND * cluster.share();
	const measuredMedia = measureMediaApi(media, { metrics, clock, looksPerSecond });
	const configured = await readModelFile(config.MEDIA_CATALOGUE);
	const catalogue = createCatalogue({ media: measuredMedia, clock, logger, configured });

	const { settings, announcer, languages, setupProgress } = createSettings(context, discord);
	const credits = createCredits(context, { client, settings, announcer, languages });
	const census = createTaskCensus({ clock, isStoreShared });
	const taskStore = measureTaskStore(createTaskStore(store), metrics, census);
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
	const { accounts, desk, topUp } = credits;
	const { results } = delivery;
	const { proposals } = tasks;
	const reports = createReportDesk({
		tasks: taskStore,
		results,
		reported: createReportedResults(store),
		settings,
		accounts,
		desk,
		channel: createModeratorsChannel({ rest: client.rest }),
		languages,
		clock,
	});
	const retentionDays = config.TASK_RETENTION_DAYS;
	const privacy = createPrivacyDesk({
		store,
		tasks: taskStore,
		proposals,
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
		proposals,
		catalogue,
		tasks: tasks.service,
		accounts,
		settings,
		languages,
		jobs: tasks.jobs,
		desk,
		mayManagersGrant: config.CREDITS_GRANTED_BY === "managers",
		ledger,
		topUp,
		reports,
		privacy,
		setupProgress,
		overrides: createCommandOverrides({ rest: client.rest, clock }),
		channels,
		announcer,
		answersFirst: createAnswersFirst({ clock }),
		clock,
	};
	handleInteractions(context, { client, cluster, services });
	disposables.defer(listenForPurchases(client, topUp));

	const { identifies } = cluster;
	const application = await logIn({ client, token: endpoint.token, identifies, clock, lost: fatal.promise });
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
