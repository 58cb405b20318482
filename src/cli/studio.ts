/** The studio's command line. Its exit codes: 0 done, 1 refused or failed, 2 not understood. */
import { randomBytes, randomUUID } from "node:crypto";
import { systemClock } from "../clock.ts";
import { loadConfig, type Config } from "../config.ts";
import { readEnvFile } from "../env-file.ts";
import { createLogger } from "../logging.ts";
import { openStore } from "../services/store/open-store.ts";
import { StoreNotUsable } from "../services/store/store-errors.ts";
import { openStudioEngines } from "../houses/studio-engines.ts";
import { startStudioAlone } from "../houses/studio-alone.ts";
import { stopSignal } from "../stop-signal.ts";
import { explain, print, runProgram } from "./program.ts";
import { readStudioOrder, USAGE } from "./studio-arguments.ts";
import { carryOutStudioOrder } from "./studio-orders.ts";

const STOP_DEADLINE_MS = 25_000;

async function main(typed: readonly string[]): Promise<0 | 1> {
	const order = readStudioOrder(typed);
	if (order.kind === "help") {
		await print(USAGE);
		return 0;
	}
	readEnvFile();
	// oxlint-disable-next-line node/no-process-env -- this is where a program of its own begins
	const config = loadConfig(process.env);
	if (order.kind === "start") return await serve(config);
	if (config.STORE_URL === "memory:") {
		throw new StoreNotUsable("STORE_URL is memory: such a store is seen by its own process only.");
	}
	const store = await openStore(config.STORE_URL, { sealing: config.PROMPT_KEYS });
	try {
		return await carryOutStudioOrder(order, { store, clock: systemClock, randomBytes, newId: randomUUID, print });
	} finally {
		await store.close();
	}
}

async function serve(config: Config): Promise<0 | 1> {
	const logger = createLogger({ level: config.LOG_LEVEL, pretty: process.stdout.isTTY });
	// oxlint-disable-next-line node/no-process-env -- the keys of engines stand there
	const opened = await openStudioEngines(config.STUDIO_ENGINES, { clock: systemClock, logger, env: process.env });
	const studio = await startStudioAlone(config, logger, opened);
	logger.info({ url: studio.origin }, `The studio is ready: ${studio.origin}/docs`);
	const lost = await Promise.race([studio.lost, stopSignal().then(() => undefined)]);
	// An engine that does not let go keeps nobody from leaving; what is cut off goes on at the next start.
	setTimeout(() => process.exit(1), STOP_DEADLINE_MS).unref();
	if (lost === undefined) logger.info("stopping");
	else logger.error({ reason: lost }, "stopping");
	await studio.stop();
	return lost === undefined ? 0 : 1;
}

await runProgram(main, (error) => explain(error, USAGE));
