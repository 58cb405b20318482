import type { Command } from "@commander-js/extra-typings";
import { createLogger } from "@atelier/common/logger";
import { connectionSettings } from "@atelier/playground/connection-settings";
import { readFixture } from "@atelier/playground/fixture";
import { startPlayground } from "@atelier/playground";
import { stopSignal } from "../app/stop-signal.ts";
import { ConfigError } from "../config/config-error.ts";
import { loadConfig } from "../config/load-config.ts";
import type { CliContext } from "./cli-context.ts";

interface PlaygroundOptions {
	readonly fixture?: string | undefined;
}

export function definePlayground(command: Command, context: CliContext): void {
	command
		.description(
			"Runs the playground on this machine, without a bot. PORT sets the port (8080), DATA_DIR the folder of its state (./data); " +
				"with STORE_URL=memory: it stores nothing.",
		)
		.option("--fixture <file>", "JSON file with the users and servers of a new playground")
		.addHelpText(
			"after",
			"\nAny bot with a configurable API address can log in with the printed token. docs/playground.md lists what behaves " +
				"like Discord, and what does not.",
		)
		.action((options) => runPlayground(options, context));
}

/** Always listens on this machine only, also if HOST names another address. */
async function runPlayground(options: PlaygroundOptions, { env, clock, print }: CliContext): Promise<void> {
	const config = loadConfig(env());
	if (config.DISCORD_TOKEN !== undefined) {
		throw new ConfigError(
			"DISCORD_TOKEN is set. Unset it: the playground creates its own token and must not see a real one.",
		);
	}
	await using playground = await startPlayground({
		clock,
		logger: createLogger({ level: config.LOG_LEVEL, pretty: process.stdout.isTTY }),
		port: config.PORT,
		dataDir: config.STORE_URL === "memory:" ? undefined : config.DATA_DIR,
		fixture: options.fixture === undefined ? undefined : await readFixture(options.fixture),
	});
	await print(connectionSettings(playground));
	await stopSignal();
}
