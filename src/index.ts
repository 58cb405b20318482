/** Entry point: loads the configuration, starts the app, and stops it on a signal or a fatal error. */
import { createLogger } from "@atelier/common/logger";
import { createApp } from "./app/create-app.ts";
import { keepNewFilesPrivate } from "./app/keep-new-files-private.ts";
import { stopSignal } from "./app/stop-signal.ts";
import { rejectArgs } from "./cli/reject-args.ts";
import { commandHint } from "./config/command-hint.ts";
import { loadDotEnv } from "./config/env-file.ts";
import { findEnvTypos } from "./config/env-typos.ts";
import { isTokenShort, loadConfig } from "./config/load-config.ts";
import { variableNames } from "./config/schema.ts";
import { explainStartupError } from "./config/startup-errors.ts";

/** Longer than running commands and a running submit may take, and shorter than supervisors wait before they kill a process. */
const STOP_DEADLINE_MS = 25_000;

const USAGE = `Atelier, a Discord bot that generates images, videos and music.

  npm start    runs the bot; without DISCORD_TOKEN in the playground, a local stand-in for Discord, and without
               MEDIA_API_URL with its own studio, which needs no configuration

The environment, or .env in the working folder, configures it: docs/configuration.md has every variable.

Commands for operators: ${commandHint("--help")}. The main job without a browser: \`npm run demo\`.`;

async function main(): Promise<void> {
	rejectArgs(USAGE);
	keepNewFilesPrivate();
	loadDotEnv();
	const config = loadConfig(process.env);
	const logger = createLogger({ level: config.LOG_LEVEL, pretty: process.stdout.isTTY });
	for (const typo of findEnvTypos(process.env, variableNames)) logger.warn(typo, "unknown variable, perhaps misspelt");
	if (isTokenShort(config))
		logger.warn("DISCORD_TOKEN is shorter than Discord's tokens; check that it was copied in full");
	const app = await createApp(config, logger, { env: process.env }).catch((error: unknown) => {
		logger.debug({ err: error }, "start failed");
		throw error;
	});
	logger.info({ url: app.origin }, `Atelier is ready: ${app.origin}`);

	const fatal = app.fatal.then((reason) => ({ reason }));
	const end = await Promise.race([fatal, stopSignal().then((signal) => ({ signal }))]);
	setTimeout(() => process.exit(1), STOP_DEADLINE_MS).unref();
	if ("reason" in end) logger.fatal(`cannot continue: ${end.reason}`);
	else logger.info(end, "stopping");
	const isStopped = await app.stop().then(
		() => true,
		() => false,
	);
	process.exit(isStopped && "signal" in end ? 0 : 1);
}

main().catch((error: unknown) => {
	process.stderr.write(`${explainStartupError(error, process.env["HOST"])}\n`);
	process.exit(1);
});
