import type { RestartableProcess } from "./child-process.ts";
import { readProcessReport } from "./read-process-report.ts";

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

export function readResources(reporter: RestartableProcess): Promise<ProcessResources> {
	return readProcessReport(reporter, "benchResources");
}
