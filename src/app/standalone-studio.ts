/** Composition root of the studio without the bot, as a service that an operator runs for others. */
import type { Logger } from "pino";
import { systemClock } from "@atelier/common/clock";
import type { OpenedEngines } from "@atelier/studio/engines/engine-file";
import { handleMalformedStudioUrl } from "@atelier/studio/envelope";
import type { Config } from "../config/load-config.ts";
import { discordFileOrigins } from "../discord/discord-file-origins.ts";
import { registerHealth } from "../http/health.ts";
import { createContext, withShutdown, listen, type ContextConfig, type App } from "./app-context.ts";
import { registerStudio } from "./register-studio.ts";

type StandaloneStudioConfig = ContextConfig & Pick<Config, "DISCORD_API_URL" | "QUEUE_URL" | "STUDIO_URL" | "DATA_DIR">;

export async function startStandaloneStudio(
	config: StandaloneStudioConfig,
	logger: Logger,
	engines: OpenedEngines,
	unlimitedAccounts: readonly string[] = [],
): Promise<App> {
	return await withShutdown(logger, async ({ stopping, disposables }) => {
		const context = await createContext(config, {
			logger,
			clock: systemClock,
			user: "studio",
			// Without a queue, the lease in the store allows one studio at a time, on every kind of store.
			isLockShared: true,
			malformedUrlHandlers: [handleMalformedStudioUrl],
			stopping,
			disposables,
		});
		const { http, store, clock, fatal } = context;
		const { studio, lease } = await registerStudio(context, {
			config,
			logger,
			engines,
			unlimitedAccounts,
			origin: () => config.STUDIO_URL ?? context.origin(),
			inputOrigins: () => discordFileOrigins(config.DISCORD_API_URL),
		});
		registerHealth(http, {
			store,
			clock,
			stopping,
			checks: { studio: () => lease?.isHeld() ?? true },
		});
		await listen(context, config);
		await studio.start();
		return { origin: context.origin(), fatal: fatal.promise };
	});
}
