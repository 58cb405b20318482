// Loaded before what tools/node24.mjs runs: ends it as a supervisor would, when the launcher is no longer there.
import process from "node:process";
import { isMainThread } from "node:worker_threads";

if (isMainThread && process.channel) {
	process.once("disconnect", () => process.kill(process.pid, "SIGTERM"));
	// The channel alone is no reason to stay.
	process.channel.unref();
}
