import { loadConfig } from "../../src/config/load-config.ts";
import { createApp } from "../../src/app/create-app.ts";
import { createLogger } from "@atelier/common/logger";
import { explainStartupError } from "../../src/config/startup-errors.ts";

/**
 * Returns the startup error for this environment, without a process. start.long.test.ts checks that a process prints
 * it and exits with 1.
 */
export async function messageOfFailedStart(env: Readonly<Record<string, string>>): Promise<string> {
	const logger = createLogger({ level: "silent", pretty: false });
	const start = async (): Promise<never> => {
		const atelier = await createApp(loadConfig(env), logger);
		await atelier.stop();
		throw new Error("it started");
	};
	return start().catch((error: unknown) => explainStartupError(error, [env["HOST"], env["METRICS_HOST"]]));
}
