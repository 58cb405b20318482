import { setTimeout as sleep } from "node:timers/promises";
import type { RestartableProcess } from "./child-process.ts";

const REPORT_TIMEOUT_MS = 60_000;

/** Asks a process for a report, which it prints on SIGUSR2 as a line of JSON with this one field. Resolves to the value of the field. */
export async function readProcessReport<Report>(reporter: RestartableProcess, field: string): Promise<Report> {
	const reports = (): readonly string[] => reporter.lines.filter((line) => line.startsWith(`{"${field}":`));
	const earlierCount = reports().length;
	process.kill(reporter.pid(), "SIGUSR2");
	for (const untilMs = Date.now() + REPORT_TIMEOUT_MS; Date.now() < untilMs; await sleep(20)) {
		const line = reports()[earlierCount];
		if (line !== undefined) return (JSON.parse(line) as Readonly<Record<string, Report>>)[field] as Report;
	}
	throw new Error(`${reporter.name} did not report its ${field}`);
}
