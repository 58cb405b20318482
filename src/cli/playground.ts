/** The playground alone, for any bot whose API address can be set. Listens on this machine only, whatever HOST says. */
import { randomBytes } from "node:crypto";
import { systemClock } from "../clock.ts";
import { ConfigFault, loadConfig } from "../config.ts";
import { readEnvFile } from "../env-file.ts";
import { createHttpApp } from "../http-app.ts";
import { createLogger } from "../logging.ts";
import { ownOrigin } from "../own-origin.ts";
import { createPlayground } from "../playground/playground.ts";
import { stopSignal } from "../stop-signal.ts";
import { refuseArguments } from "./no-arguments.ts";
import { explain, print, runProgram } from "./program.ts";

const USAGE = `npm run playground

Opens the playground on this machine, without a bot. PORT says where (8080), DATA_DIR where it remembers (./data);
with STORE_URL=memory: it forgets everything at its end. Any bot whose API address can be set logs in with the token
that is printed. docs/playground.md says what it does as Discord does, and what it does not.`;

async function main(): Promise<0 | 1> {
	readEnvFile();
	// oxlint-disable-next-line node/no-process-env -- this is where a program of its own begins
	const config = loadConfig(process.env);
	if (config.DISCORD_TOKEN !== undefined) {
		throw new ConfigFault(
			"DISCORD_TOKEN is set. The playground has a token of its own, and wants nobody's real one near it.",
		);
	}
	const logger = createLogger({ level: config.LOG_LEVEL, pretty: process.stdout.isTTY });
	const app = createHttpApp({ randomBytes });
	const origin = (): string => ownOrigin(app.server);
	const dataDir = config.STORE_URL === "memory:" ? undefined : config.DATA_DIR;
	const playground = createPlayground({ clock: systemClock, logger, dataDir, origin });
	await playground.register(app);
	await app.listen({ host: "127.0.0.1", port: config.PORT });
	await print(
		[
			`Page            ${origin()}/`,
			`API address     ${origin()}/api      (with the version: ${origin()}/api/v10)`,
			`Bot token       ${playground.botToken}`,
			`Application id  ${playground.applicationId}`,
			"Ctrl-C ends it.",
		].join("\n"),
	);
	await stopSignal();
	await app.close();
	await playground.close();
	return 0;
}

refuseArguments(USAGE);
await runProgram(main, (error) => explain(error, USAGE));
