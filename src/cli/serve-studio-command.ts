import type { Command } from "@commander-js/extra-typings";
import { commandHint } from "../config/command-hint.ts";
import { loadConfig } from "../config/load-config.ts";
import { loadEngines } from "../app/load-engines.ts";
import { startStandaloneStudio } from "../app/standalone-studio.ts";
import { createLogger } from "@atelier/common/logger";
import { stopSignal } from "../app/stop-signal.ts";
import type { CliContext } from "./cli-context.ts";
import { parseList } from "./parse-args.ts";

/** As long as the bot's: supervisors kill a process that does not stop within half a minute. */
const STOP_DEADLINE_MS = 25_000;

export function defineStudio(command: Command, context: CliContext): void {
	command
		.description(
			`Runs the studio alone, without the bot. ${commandHint("keys")} and ${commandHint("accounts")} manage access.`,
		)
		.option(
			"--unlimited <accounts>",
			"accounts of your own bots, without rate limits and with up to 200 open tasks",
			parseList,
		)
		.action(async ({ unlimited = [] }) => {
			context.exitCode = await serveStudio(unlimited, context);
		});
}

async function serveStudio(unlimitedAccounts: readonly string[], { env, clock }: CliContext): Promise<0 | 1> {
	const config = loadConfig(env());
	const logger = createLogger({ level: config.LOG_LEVEL, pretty: process.stdout.isTTY });
	const engines = await loadEngines(config.STUDIO_ENGINES, { clock, logger, env: env() });
	const studio = await startStandaloneStudio(config, logger, engines, unlimitedAccounts);
	logger.info({ url: studio.origin }, `The studio is ready: ${studio.origin}/docs`);
	const fatalReason = await Promise.race([studio.fatal, stopSignal().then(() => undefined)]);
	// A hanging engine does not keep the process alive. Interrupted jobs continue at the next start.
	setTimeout(() => process.exit(1), STOP_DEADLINE_MS).unref();
	if (fatalReason === undefined) logger.info("stopping");
	else logger.error({ reason: fatalReason }, "stopping");
	await studio.stop();
	return fatalReason === undefined ? 0 : 1;
}
