/** Loaded into a bot by --import, with --expose-gc. On SIGUSR2 it collects garbage and prints its resources in one line. */
import { readdirSync, readFileSync } from "node:fs";

/** The time in which V8's background threads return freed memory to the system. */
const MEMORY_RELEASE_MS = 1_000;

process.on("SIGUSR2", () => {
	// Twice, because objects with a finalizer are freed by the second collection.
	globalThis.gc?.();
	globalThis.gc?.();
	setTimeout(printResources, MEMORY_RELEASE_MS);
});

function printResources(): void {
	const { rss, heapUsed, external } = process.memoryUsage();
	const activeResources = process.getActiveResourcesInfo();
	const timers = activeResources.filter((name) => name === "Timeout" || name === "Immediate").length;
	const resources = {
		rss,
		rssPrivate: Number(/^RssAnon:\s+(\d+)/m.exec(readFileSync("/proc/self/status", "utf8"))?.[1]) * 1024,
		heapUsed,
		external,
		timers,
		handles: activeResources.length - timers,
		files: readdirSync("/proc/self/fd").length,
	};
	process.stdout.write(`${JSON.stringify({ benchResources: resources })}\n`);
}
