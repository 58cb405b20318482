/** Loaded into a bot by --import, with --expose-gc: on SIGUSR2 it collects garbage and writes what it has, in one line. */
import { readdirSync, readFileSync } from "node:fs";

process.on("SIGUSR2", () => {
	// Twice: what waits for a finaliser goes with the second.
	globalThis.gc?.();
	globalThis.gc?.();
	const { rss, heapUsed, external } = process.memoryUsage();
	const resources = process.getActiveResourcesInfo();
	const timers = resources.filter((name) => name === "Timeout" || name === "Immediate").length;
	const state = {
		rss,
		rssPrivate: Number(/^RssAnon:\s+(\d+)/m.exec(readFileSync("/proc/self/status", "utf8"))?.[1]) * 1024,
		heapUsed,
		external,
		timers,
		handles: resources.length - timers,
		files: readdirSync("/proc/self/fd").length,
	};
	process.stdout.write(`${JSON.stringify({ benchState: state })}\n`);
});
