/** Entry point: loads the configuration, starts the app, and stops it on a signal or a fatal error. */
import { createLogger } from "@atelier/common/logger";
import { createApp } from "./app/create-app.ts";
import { exitOnUnexpectedError } from "./app/exit-on-unexpected-error.ts";
import { keepNewFilesPrivate } from "./app/keep-new-files-private.ts";
import { runUntilStopped } from "./app/run-until-stopped.ts";
import { exitOnStopSignal } from "./app/stop-signal.ts";
import { rejectArgs } from "./cli/reject-args.ts";
import { commandHint } from "./config/command-hint.ts";
import { loadDotEnv } from "./config/env-file.ts";
import { findEnvTypos } from "./config/env-typos.ts";
import { loadConfig } from "./config/load-config.ts";
import { variableNames } from "./config/schema.ts";
import { explainStartupError } from "./config/startup-errors.ts";

const USAGE = `Atelier, a Discord bot that generates images, videos and music.

  npm start    runs the bot; without DISCORD_TOKEN in the playground, a local stand-in for Discord, and without
               MEDIA_API_URL with its own studio, which needs no configuration

The environment, or .env in the working folder, configures it: docs/configuration.md has every variable.

Commands for operators: ${commandHint("--help")}. To generate without a browser: \`npm run demo\`.`;

async function main(): Promise<void> {
	rejectArgs(USAGE);
	const stopExiting = exitOnStopSignal();
	keepNewFilesPrivate();
	loadDotEnv(process.env);
	const config = loadConfig(process.env);
	const logger = createLogger({ level: config.LOG_LEVEL, pretty: process.stdout.isTTY });
	exitOnUnexpectedError(logger);
	for (const typo of findEnvTypos(process.env, variableNames))
		logger.warn(typo, "unknown variable, perhaps misspelled");
	const app = await createApp(config, logger, { env: process.env }).catch((error: unknown) => {
		logger.debug({ err: error }, "start failed");
		throw error;
	});
	logger.info({ url: app.origin }, `Atelier is ready: ${app.origin}`);
	stopExiting();
	process.exit(await runUntilStopped(app, logger));
}

main().catch((error: unknown) => {
	process.stderr.write(`${explainStartupError(error, [process.env["HOST"], process.env["METRICS_HOST"]])}\n`);
	process.exit(1);
});
