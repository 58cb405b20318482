/** The composition root: reads as a table of contents. What it opens is built in `houses/`, and nowhere else. */
import type { Logger } from "pino";
import { refuseArguments } from "./cli/no-args.ts";
import { systemClock, type Clock } from "@atelier/common/clock";
import { commandHint } from "./config/command-hint.ts";
import { isTokenShort, loadConfig, type Config } from "./config/load-config.ts";
import { variableNames } from "./config/schema.ts";
import { readEnvFile } from "./config/env-file.ts";
import { registerHealth } from "./http/health.ts";
import { createLogger } from "@atelier/common/logger";
import { findEnvTypos } from "./config/env-typos.ts";
import type { MediaApi } from "./services/generation/media-api.ts";
import type { OpenedEngines } from "@atelier/studio/engines/engine-file";
import type { Engine } from "@atelier/studio/engines/engine";
import { keepNewFilesPrivate } from "./app/private-files.ts";
import { explainStartupError } from "./config/startup-errors.ts";
import { stopSignal } from "./app/stop-signal.ts";
import { resultsFolder, startBot, type Bot } from "./app/bot.ts";
import { discordOf, openPlayground, playgroundAsDiscord } from "./app/discord-endpoint.ts";
import { layGround, letGo, listen, type Ground } from "./app/context.ts";
import { mediaApiOf, openStudio, studioAsMediaApi } from "./app/media-backend.ts";

/** Commands under way, then an order that is being sent: the longest that a stop waits for on purpose. */
const STOP_DEADLINE_MS = 25_000;

/** A running Atelier. */
export interface Atelier {
	/** Where its page, its studio and its health are, such as `http://127.0.0.1:8080`. */
	readonly origin: string;
	/** Resolves, if ever, to why it can do no more work until it is started anew. */
	readonly lost: Promise<string>;
	/** Lets everything go; rejects at the end where something could not be let go properly. */
	stop(): Promise<void>;
}

/** What a test may replace; everything else is what people run. */
export interface AtelierOverrides {
	readonly clock?: Clock;
	readonly engines?: readonly Engine[];
}

/** Opens what the configuration asks for: the bot always, the playground and the studio where nothing else is configured. */
export async function startAtelier(config: Config, logger: Logger, overrides: AtelierOverrides = {}): Promise<Atelier> {
	const ground = await layGround(config, logger, overrides.clock ?? systemClock);
	let stopped: Promise<void> | undefined;
	const stop = (): Promise<void> => (stopped ??= letGo(ground));
	try {
		const playground = config.DISCORD_TOKEN === undefined ? await openPlayground(ground) : undefined;
		const studio =
			config.MEDIA_API_URL === undefined ? await openStudio(ground, await openEngines(ground, overrides)) : undefined;
		let bot: Bot | undefined;
		let media: MediaApi | undefined;
		registerHealth(ground.app, {
			...ground,
			stopping: ground.stopping.signal,
			mustHold: { gateway: () => bot?.discord.isUp() ?? false },
			isStuck: () => bot?.gateway.isStuck() ?? false,
			tells: () => ({
				media: media?.health().state === "up",
				oldestOverdueLookMs: bot?.watchdog.oldestOverdueMs() ?? null,
			}),
		});
		if (config.PUBLIC_URL !== undefined) {
			const { registerResultFiles } = await import("./http/result-routes.ts");
			await registerResultFiles(ground.app, { links: () => bot?.resultLinks, folder: resultsFolder(config) });
		}
		await listen(ground);
		const botGround = { ...ground, logger: logger.child({ house: "bot" }) };
		media = studio ? await studioAsMediaApi(botGround, studio) : mediaApiOf(botGround);
		bot = await startBot(ground, {
			discord: playground ? playgroundAsDiscord(ground, playground) : discordOf(config),
			media,
		});
		return { origin: ground.origin(), lost: ground.lost.promise, stop };
	} catch (error) {
		// The log has what could not be let go; why it did not start is what counts.
		await stop().catch(() => {});
		throw error;
	}
}

async function openEngines(ground: Ground, { engines }: AtelierOverrides): Promise<OpenedEngines> {
	if (engines) return { engines, engineOrder: {} };
	// Loaded only by those who use it.
	const { openStudioEngines } = await import("./app/load-engines.ts");
	return await openStudioEngines(ground.config.STUDIO_ENGINES, { ...ground, env: process.env });
}

const USAGE = `Atelier, a Discord bot that makes images, videos and music.

  npm start    runs the bot; without DISCORD_TOKEN in the playground, a local stand-in for Discord, and without
               MEDIA_API_URL with its own studio, which needs nothing else

The environment, or .env beside it, configures it: docs/configuration.md has every variable.

What an operator does beside it: ${commandHint("--help")}. The main job without a browser: \`npm run demo\`.`;

async function main(): Promise<void> {
	refuseArguments(USAGE);
	keepNewFilesPrivate();
	readEnvFile();
	const config = loadConfig(process.env);
	const logger = createLogger({ level: config.LOG_LEVEL, pretty: process.stdout.isTTY });
	for (const each of findEnvTypos(process.env, variableNames)) logger.warn(each, "unknown variable, perhaps misspelt");
	if (isTokenShort(config)) logger.warn("DISCORD_TOKEN is shorter than Discord's tokens are: is it copied in full?");
	const atelier = await startAtelier(config, logger).catch((error: unknown) => {
		logger.debug({ err: error }, "not started");
		throw error;
	});
	logger.info({ url: atelier.origin }, `Atelier is ready: ${atelier.origin}`);

	const lost = atelier.lost.then((reason) => ({ reason }));
	const end = await Promise.race([lost, stopSignal().then((signal) => ({ signal }))]);
	setTimeout(() => process.exit(1), STOP_DEADLINE_MS).unref();
	if ("reason" in end) logger.fatal(`cannot go on: ${end.reason}`);
	else logger.info(end, "stopping");
	const isStopped = await atelier.stop().then(
		() => true,
		() => false,
	);
	process.exit(isStopped && "signal" in end ? 0 : 1);
}

if (import.meta.main) {
	main().catch((error: unknown) => {
		process.stderr.write(`${explainStartupError(error, process.env["HOST"])}\n`);
		process.exit(1);
	});
}
