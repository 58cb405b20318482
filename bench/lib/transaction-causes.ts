/** Counts what the transactions of processes and the commands to their Redis are for. */
import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { createClient } from "@redis/client";
import type { RestartableProcess } from "./child-process.ts";

/** By cause. */
export type Counts = ReadonlyMap<string, number>;

export const COUNT_FLAGS = ["--import", "./bench/processes/count-transactions-hook.ts"] as const;
const REPORT_PREFIX = '{"benchTransactions":';
const TIMEOUT_MS = 10_000;
const IDS = /\d{5,}|[0-9a-f]{8,}/g;

/** Resolves to the transactions of processes that have loaded `bench/processes/count-transactions-hook.ts`, all together. */
export async function readTransactions(processes: readonly RestartableProcess[]): Promise<Counts> {
	const total = new Map<string, number>();
	for (const counts of await Promise.all(processes.map(readReport))) {
		for (const [cause, count] of Object.entries(counts)) total.set(cause, (total.get(cause) ?? 0) + count);
	}
	return total;
}

async function readReport(managed: RestartableProcess): Promise<Readonly<Record<string, number>>> {
	const reports = (): readonly string[] => managed.lines.filter((line) => line.startsWith(REPORT_PREFIX));
	const before = reports().length;
	process.kill(managed.pid(), "SIGUSR2");
	for (const untilMs = Date.now() + TIMEOUT_MS; Date.now() < untilMs; await sleep(20)) {
		const line = reports()[before];
		if (line !== undefined)
			return (JSON.parse(line) as { benchTransactions: Record<string, number> }).benchTransactions;
	}
	throw new Error(`${managed.name} did not report its transactions`);
}

/** Counts commands by name and key, and those of a script, with its call, by the script. */
export async function countRedisCommands(url: string): Promise<{ counts(): Counts; stop(): void }> {
	const client = createClient({ url });
	client.on("error", (error: unknown) => process.stderr.write(`monitor: ${String(error)}\n`));
	await client.connect();
	const scripts = await readBullMqScripts();
	const counts = new Map<string, number>();
	let script = "";
	await client.monitor((reply) => {
		// The commands of a script follow its call.
		const [, source = "", command = "", rest = ""] = /^[\d.]+ \[\d+ (\S+?)\] "(.*?)"(.*)$/s.exec(reply) ?? [];
		const name = command.toLowerCase();
		const [, first = ""] = /"((?:[^"\\]|\\.)*)"/.exec(rest) ?? [];
		const isScript = name === "eval" || name === "evalsha";
		if (isScript) {
			const [, key = ""] = /" "\d+" "([^"]*)"/.exec(rest) ?? [];
			const queue = key.split(":").slice(0, 3).join(":");
			script = `${scripts.get(first) ?? "script"} ${queue}`.replaceAll(IDS, "…");
		}
		const isOfScript = isScript || source === "lua";
		const cause = isOfScript ? script : `${name} ${first.split(":").slice(0, 3).join(":")}`.replaceAll(IDS, "…");
		counts.set(cause, (counts.get(cause) ?? 0) + 1);
	});
	return { counts: () => new Map(counts), stop: () => client.destroy() };
}

/** The names of BullMQ's scripts by their hash. */
async function readBullMqScripts(): Promise<ReadonlyMap<string, string>> {
	const folder = join(fileURLToPath(import.meta.resolve("bullmq")), "../../esm/scripts");
	const names = new Map<string, string>();
	for (const file of await readdir(folder)) {
		const [, content] = /^const content = `(.*)`;$/ms.exec(await readFile(join(folder, file), "utf8")) ?? [];
		const [, name] = /^(\w+)-\d+\.js$/.exec(file) ?? [];
		if (name && content) names.set(createHash("sha1").update(content).digest("hex"), name);
	}
	return names;
}
