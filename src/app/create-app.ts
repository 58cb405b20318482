/** Composition root: builds the context, the playground and the studio where no other service is configured, and the bot. */
import assert from "node:assert/strict";
import type { Logger } from "pino";
import { systemClock, type Clock } from "@atelier/common/clock";
import type { Engine } from "@atelier/studio/engines/engine";
import type { OpenedEngines } from "@atelier/studio/engines/engine-file";
import { handleMalformedStudioUrl } from "@atelier/studio/envelope";
import type { Config } from "../config/load-config.ts";
import { registerHealth } from "../http/health.ts";
import { createBot, type Bot } from "./create-bot.ts";
import { createContext, withShutdown, listen, type AppContext, type App } from "./app-context.ts";
import { openDashboard } from "./open-dashboard.ts";
import { configuredDiscord, openPlayground, playgroundEndpoint } from "./discord-endpoint.ts";
import { openBuiltInStudio, createConfiguredMediaApi, connectBuiltInStudio } from "./open-media-service.ts";
import { bindStore, checkStoreOwner } from "./store-owner.ts";

interface AppOptions {
	/** Environment with the secrets that the engine file names. */
	readonly env?: Readonly<Record<string, string | undefined>>;
	/** Replaced by tests. */
	readonly clock?: Clock;
	/** Replaced by tests; otherwise loaded from the engine file. */
	readonly engines?: readonly Engine[];
	/** Replaced by tests that send many requests. */
	readonly dashboardRequestsPerMinute?: number;
}

export async function createApp(config: Config, logger: Logger, options: AppOptions = {}): Promise<App> {
	return await withShutdown(logger, async ({ stopping, disposables }) => {
		const context = await createContext(config, {
			logger,
			clock: options.clock ?? systemClock,
			user: "bot",
			isLockShared: config.QUEUE_URL !== undefined,
			malformedUrlHandlers: [handleMalformedStudioUrl],
			stopping,
			disposables,
		});
		await checkStoreOwner(context.store, config);
		// Created last: the bot calls the studio and the playground through the listening server. Until then, routes see `bot` as undefined.
		let bot: Bot | undefined;
		const playground = config.DISCORD_TOKEN === undefined ? await openPlayground(context, config) : undefined;
		const wakeTask = (taskId: string): void => bot?.wakeTask(taskId);
		const studio =
			config.MEDIA_API_URL === undefined
				? await openBuiltInStudio(context, config, {
						engines: await openEngines(context, config, options),
						wakeTask,
					})
				: undefined;
		const configuredService = studio ? undefined : await createConfiguredMediaApi(context, config, { wakeTask });
		registerHealth(context.http, {
			...context,
			checks: { gateway: () => bot?.isGatewayUp() ?? false },
			isStuck: () => bot?.isGatewayStuck() ?? false,
			details: () => bot?.details() ?? { media: false, oldestOverdueRunMs: null },
		});
		if (config.PUBLIC_URL !== undefined) {
			const { registerResultRoutes } = await import("../http/result-routes.ts");
			await registerResultRoutes(context.http, {
				links: () => bot?.resultLinks,
				logger: context.logger,
			});
		}
		const login = await openDashboard(context, config, {
			playground,
			bot: () => bot,
			requestsPerMinute: options.dashboardRequestsPerMinute,
		});
		await listen(context, config);
		const media = studio ? await connectBuiltInStudio(context, config, studio) : configuredService;
		assert(media, "there is a studio or a configured service");
		const discord = playground ? playgroundEndpoint(context, playground) : configuredDiscord(config);
		bot = await createBot(context, config, { discord, media, studio, dashboardOrigin: login?.origin() });
		await bindStore(context.store, config);
		login?.start(bot.applicationId, discord);
		return { origin: context.origin(), fatal: context.fatal.promise };
	});
}

async function openEngines(
	context: AppContext,
	config: Config,
	{ engines, env = {} }: AppOptions,
): Promise<OpenedEngines> {
	if (engines) return { engines, engineOrder: {} };
	// Loaded only where a studio runs in this process.
	const { loadEngines } = await import("@atelier/studio/host/load-engines");
	return await loadEngines(config.STUDIO_ENGINES, { ...context, env });
}
