/** Creates the bot's services, connects it to Discord, and resumes its open tasks. */
import type { Studio } from "@atelier/studio/studio";
import { definitionsFor } from "../commands/index.ts";
import type { Config } from "../config/load-config.ts";
import { connectGateway } from "../discord/connect-gateway.ts";
import { listenForEntitlements } from "../discord/entitlements.ts";
import { watchGateway } from "../discord/gateway-watch.ts";
import { inviteLink } from "../discord/invite-link.ts";
import { registerCommands } from "../discord/register-commands.ts";
import type { DashboardServices } from "../http/dashboard/dashboard-services.ts";
import type { ResultLinks } from "../services/delivery/result-links.ts";
import type { MediaApi } from "../services/generation/media-api.ts";
import type { TaskWatchdog } from "../services/tasks/task-watchdog.ts";
import type { AppContext, BotContext } from "./app-context.ts";
import { createOperatorServices } from "./create-operator-services.ts";
import { createServices } from "./create-services.ts";
import { createDiscordConnection } from "./discord-connection.ts";
import type { DiscordEndpoint } from "./discord-endpoint.ts";
import { handleInteractions } from "./handle-interactions.ts";
import { resumeTasks } from "./resume-tasks.ts";
import { startDailyWork } from "./start-daily-work.ts";

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
	/** The public origin of the dashboard; `undefined` without one. */
	readonly dashboardOrigin: string | undefined;
}

export async function createBot(
	app: AppContext,
	config: Config,
	{ discord: endpoint, media, studio, dashboardOrigin }: BotDeps,
): Promise<Bot> {
	const isStoreShared = config.QUEUE_URL !== undefined;
	const context: BotContext = { ...app, config, isStoreShared, logger: app.logger.child({ part: "bot" }) };
	const { clock, logger, fatal, disposables } = context;

	const discord = await createDiscordConnection(context, endpoint);
	const commandDefinitions = definitionsFor({ hasImprover: config.PROMPT_MODEL_URL !== undefined });
	const services = await createServices(context, { discord, mediaApi: media, commandDefinitions, dashboardOrigin });
	const { catalog, commandMentions, topUp } = services;
	let watchdog: TaskWatchdog | undefined;
	const operator = createOperatorServices(context, {
		discord,
		services,
		studio,
		playgroundOperatorId: endpoint.operatorId,
		oldestOverdueRunMs: () => watchdog?.oldestOverdueRunMs(),
	});
	// Read during the login, which a service that hangs must not delay.
	const modelsRead = catalog.refresh();

	startDailyWork(context, services);
	handleInteractions(context, discord, services);
	const { client, cluster } = discord;
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
		registerCommands(client.rest, application.id, commandDefinitions, logger).then((registered) =>
			commandMentions.learn(registered),
		),
		// Purchases made while no process listened.
		topUp.reconcile(),
		modelsRead,
	]);
	topUp.start();
	watchdog = await resumeTasks(context, services);
	if (!endpoint.isPlayground) logger.info({ invite: inviteLink(application.id) }, "add the bot to a server");
	return {
		applicationId: application.id,
		dashboard: { ...services, operator },
		resultLinks: services.resultLinks,
		wakeTask: (taskId) => services.runner.wake(taskId),
		isGatewayUp: () => discord.isUp(),
		isGatewayStuck: () => gateway.isStuck(),
		details: () => ({
			media: media.health().state === "up",
			oldestOverdueRunMs: watchdog?.oldestOverdueRunMs() ?? null,
		}),
	};
}
