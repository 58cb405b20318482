/** Counts the transactions of processes and the commands to their Redis by their cause. */
import { createClient } from "@redis/client";
import type { RestartableProcess } from "./child-process.ts";
import { readProcessReport } from "./read-process-report.ts";

/** Counts by cause: the kind of a statement or command, and the prefixes of its keys. */
export type Counts = ReadonlyMap<string, number>;

/** The flags of a process whose transactions are counted. */
export const COUNT_FLAGS = ["--import", "./bench/processes/count-transactions-hook.ts"] as const;
/** Parts of keys that differ for each task, account or process. */
const IDS = /\d{5,}|[0-9a-f]{8,}/g;

/** Resolves to the transactions of all processes since their start, summed by cause. */
export async function readTransactions(processes: readonly RestartableProcess[]): Promise<Counts> {
	const total = new Map<string, number>();
	const reports = processes.map((each) =>
		readProcessReport<Readonly<Record<string, number>>>(each, "benchTransactions"),
	);
	for (const counts of await Promise.all(reports)) {
		for (const [cause, count] of Object.entries(counts)) total.set(cause, (total.get(cause) ?? 0) + count);
	}
	return total;
}

/** Counts commands by name and key. A script and the commands that it runs count under its first key. */
export async function countRedisCommands(url: string): Promise<{ counts(): Counts; stop(): void }> {
	const client = createClient({ url });
	client.on("error", (error: unknown) => process.stderr.write(`monitor: ${String(error)}\n`));
	await client.connect();
	const counts = new Map<string, number>();
	/** The cause of the latest call of a script: the commands of a script follow its call. */
	let scriptCause = "";
	// A line of MONITOR: TIME [DATABASE SOURCE] "COMMAND" "ARGUMENT" …
	await client.monitor((line) => {
		const [, source = "", command = "", rest = ""] = /^[\d.]+ \[\d+ (\S+?)\] "(.*?)"(.*)$/s.exec(line) ?? [];
		const name = command.toLowerCase();
		const [, firstArgument = ""] = /"((?:[^"\\]|\\.)*)"/.exec(rest) ?? [];
		const isScript = name === "eval" || name === "evalsha";
		if (isScript) {
			// The arguments of a call: its script or hash, the number of keys, the first key …
			const [, firstKey = ""] = /" "\d+" "([^"]*)"/.exec(rest) ?? [];
			scriptCause = `script ${keyPrefix(firstKey)}`.replaceAll(IDS, "…");
		}
		const isOfScript = isScript || source === "lua";
		const cause = isOfScript ? scriptCause : `${name} ${keyPrefix(firstArgument)}`.replaceAll(IDS, "…");
		counts.set(cause, (counts.get(cause) ?? 0) + 1);
	});
	return { counts: () => new Map(counts), stop: () => client.destroy() };
}

function keyPrefix(key: string): string {
	return key.split(":").slice(0, 3).join(":");
}
