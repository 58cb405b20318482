/** Loaded into a bot by --import, with --expose-gc. On SIGUSR2 it collects garbage and prints its resources in one line. */
import { readdirSync, readFileSync } from "node:fs";

/** V8 returns freed memory to the system from threads of its own. */
const FREES_MEMORY_MS = 1_000;

process.on("SIGUSR2", () => {
	// Twice, because objects with a finalizer are freed by the second collection.
	globalThis.gc?.();
	globalThis.gc?.();
	setTimeout(tell, FREES_MEMORY_MS);
});

function tell(): void {
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
}
