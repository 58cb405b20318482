import type { Command } from "@commander-js/extra-typings";
import { ConfigError } from "../config/config-error.ts";
import { loadConfig } from "../config/load-config.ts";
import { createHttpServer } from "@atelier/common/http-server";
import { handleMalformedUrl } from "@atelier/playground/simulator/api-error";
import { createLogger } from "@atelier/common/logger";
import { serverOrigin } from "../http/server-origin.ts";
import { createPlayground } from "@atelier/playground/playground";
import { stopSignal } from "../app/stop-signal.ts";
import type { CliContext } from "./cli-context.ts";

export function definePlayground(command: Command, context: CliContext): void {
	command
		.description(
			"Runs the playground on this machine, without a bot. PORT sets the port (8080), DATA_DIR the folder of its state (./data); " +
				"with STORE_URL=memory: it stores nothing.",
		)
		.addHelpText(
			"after",
			"\nAny bot with a configurable API address can log in with the printed token. docs/playground.md lists what behaves " +
				"like Discord, and what does not.",
		)
		.action(() => servePlayground(context));
}

/** Always listens on this machine only, also if HOST names another address. */
async function servePlayground({ env, clock, print }: CliContext): Promise<void> {
	const config = loadConfig(env());
	if (config.DISCORD_TOKEN !== undefined) {
		throw new ConfigError(
			"DISCORD_TOKEN is set. Unset it: the playground creates its own token and must not see a real one.",
		);
	}
	const logger = createLogger({ level: config.LOG_LEVEL, pretty: process.stdout.isTTY });
	const app = createHttpServer({ malformedUrlHandlers: [handleMalformedUrl] });
	const origin = (): string => serverOrigin(app.server);
	const dataDir = config.STORE_URL === "memory:" ? undefined : config.DATA_DIR;
	const playground = createPlayground({ clock, logger, dataDir, origin });
	await playground.register(app);
	await app.listen({ host: "127.0.0.1", port: config.PORT });
	await print(
		[
			`Page            ${origin()}/`,
			`API address     ${origin()}/api      (with the version: ${origin()}/api/v10)`,
			`Bot token       ${playground.botToken}`,
			`Application id  ${playground.applicationId}`,
			`Client secret   ${playground.clientSecret}`,
			"Press Ctrl-C to stop.",
		].join("\n"),
	);
	await stopSignal();
	await app.close();
	await playground.close();
}
