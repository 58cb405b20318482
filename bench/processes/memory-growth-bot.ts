/**
 * The bot of bench/memory-growth.ts: the app, configured by the environment, with a clock that stands still. Each line on standard
 * input is a number of milliseconds by which it advances the clock; it then prints `advanced`.
 */
import { createInterface } from "node:readline";
import { env } from "node:process";
import { createLogger } from "@atelier/common/logger";
import { createManualClock } from "@atelier/common/testing/manual-clock";
import { createApp } from "../../src/app/create-app.ts";
import { loadConfig } from "../../src/config/load-config.ts";

const clock = createManualClock(Date.now());
const config = loadConfig(env);
const app = await createApp(config, createLogger({ level: config.LOG_LEVEL, pretty: false }), { clock, env });
process.once("SIGTERM", () => void app.stop().finally(() => process.exit(0)));
process.stdout.write("Atelier is ready\n");
for await (const line of createInterface({ input: process.stdin })) {
	await clock.advance(Number(line));
	process.stdout.write(`advanced to ${clock.nowMs()}\n`);
}
