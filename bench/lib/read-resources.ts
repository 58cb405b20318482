import { setTimeout as sleep } from "node:timers/promises";
import type { RestartableProcess } from "./child-process.ts";

/** The resources of a process that has loaded `bench/processes/report-resources-hook.ts`, right after a garbage collection. */
export interface ProcessResources {
	readonly rss: number;
	/** The unshared part: everything except for the program and its libraries. */
	readonly rssPrivate: number;
	readonly heapUsed: number;
	readonly external: number;
	readonly timers: number;
	readonly handles: number;
	readonly files: number;
}

export const RESOURCE_FLAGS = ["--expose-gc", "--import", "./bench/processes/report-resources-hook.ts"] as const;
const REPORT_PREFIX = '{"benchResources":';
const TIMEOUT_MS = 60_000;

export async function readResources(managed: RestartableProcess): Promise<ProcessResources> {
	const reports = (): readonly string[] => managed.lines.filter((line) => line.startsWith(REPORT_PREFIX));
	const before = reports().length;
	process.kill(managed.pid(), "SIGUSR2");
	for (const untilMs = Date.now() + TIMEOUT_MS; Date.now() < untilMs; await sleep(20)) {
		const line = reports()[before];
		if (line !== undefined) return (JSON.parse(line) as { benchResources: ProcessResources }).benchResources;
	}
	throw new Error(`${managed.name} did not report its resources`);
}
