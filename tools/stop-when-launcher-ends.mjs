// Loaded before the script that tools/node24.mjs runs: ends it with the signal of a supervisor when the launcher has
// ended.
import process from "node:process";
import { isMainThread } from "node:worker_threads";

if (isMainThread && process.channel) {
	process.once("disconnect", () => process.kill(process.pid, "SIGTERM"));
	// The channel alone does not keep the process alive.
	process.channel.unref();
}
