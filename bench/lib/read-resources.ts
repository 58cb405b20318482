import { setTimeout as sleep } from "node:timers/promises";
import type { RestartableProcess } from "./child-process.ts";

const REPORT_TIMEOUT_MS = 60_000;

/** The resources of a process a second after a garbage collection. */
export interface ProcessResources {
	/** Resident memory, in bytes, like all memory below. */
	readonly rss: number;
	/** The private part of the resident memory: without the pages of the program and its libraries, which processes share. */
	readonly rssPrivate: number;
	readonly heapUsed: number;
	readonly external: number;
	readonly timers: number;
	readonly handles: number;
	/** Open file descriptors. */
	readonly files: number;
}

/** The flags of a process whose resources are read. */
export const RESOURCE_FLAGS = ["--expose-gc", "--import", "./bench/processes/report-resources-hook.ts"] as const;

/** Asks a process for its resources, which it prints on SIGUSR2 as a line of JSON. */
export async function readResources(reporter: RestartableProcess): Promise<ProcessResources> {
	const reports = (): readonly string[] => reporter.lines.filter((line) => line.startsWith('{"benchResources":'));
	const earlierCount = reports().length;
	process.kill(reporter.pid(), "SIGUSR2");
	for (const untilMs = Date.now() + REPORT_TIMEOUT_MS; Date.now() < untilMs; await sleep(20)) {
		const line = reports()[earlierCount];
		if (line !== undefined) return (JSON.parse(line) as { readonly benchResources: ProcessResources }).benchResources;
	}
	throw new Error(`${reporter.name} did not report its resources`);
}
