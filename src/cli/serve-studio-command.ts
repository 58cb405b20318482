import type { Command } from "@commander-js/extra-typings";
import { OperatorError } from "@atelier/common/operator-error";
import { explainSystemError } from "../config/startup-errors.ts";
import { commandHint } from "../config/command-hint.ts";
import { loadConfig } from "../config/load-config.ts";
import { loadEngines } from "@atelier/studio/host/load-engines";
import { exitOnUnexpectedError } from "../app/exit-on-unexpected-error.ts";
import { startStandaloneStudio } from "../app/standalone-studio.ts";
import { createLogger } from "@atelier/common/logger";
import { runUntilStopped } from "../app/run-until-stopped.ts";
import { exitOnStopSignal } from "../app/stop-signal.ts";
import type { CliContext } from "./cli-context.ts";
import { parseList } from "./parse-args.ts";

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
	const stopExiting = exitOnStopSignal();
	// A bot that uses this studio may have its .env in the same folder. Its media service, which is this studio, takes no engines.
	const ownVariables = Object.entries(env()).filter(([name]) => !name.startsWith("MEDIA_"));
	const config = loadConfig(Object.fromEntries(ownVariables));
	const logger = createLogger({ level: config.LOG_LEVEL, pretty: process.stdout.isTTY });
	exitOnUnexpectedError(logger);
	const engines = await loadEngines(config.STUDIO_ENGINES, { clock, logger, env: env() });
	const studio = await startStandaloneStudio(config, logger, engines, unlimitedAccounts).catch((error: unknown) => {
		const explanation = explainSystemError(error, [config.HOST, config.METRICS_HOST]);
		throw explanation === undefined ? error : new OperatorError(`Cannot start: ${explanation}`, { cause: error });
	});
	logger.info({ url: studio.origin }, `The studio is ready: ${studio.origin}/docs`);
	stopExiting();
	return await runUntilStopped(studio, logger);
}
