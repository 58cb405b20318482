import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { env as surroundings } from "node:process";
import { createInterface } from "node:readline";
import { memoryOf } from "./process-memory.ts";

const START_TIMEOUT_MS = 120_000;
/** Linux counts processor time in ticks of this length. */
const TICK_MS = 10;

// The exit of this process kills its children; a signal alone would not run the exit listeners.
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(1));

interface ProcessOptions {
	readonly name: string;
	readonly args: readonly string[];
	readonly env: Readonly<Record<string, string>>;
	/** A part of the line that it prints when it is ready. */
	readonly ready: string;
}

/** A process that is restarted after each kill. */
export interface RestartableProcess {
	readonly name: string;
	readonly pid: () => number;
	/** Its lines on stdout, across restarts. */
	readonly lines: readonly string[];
	/** Returns the word that it printed after the label; throws without one. */
	printed(label: string): string;
	/** Writes to its standard input. */
	write(text: string): void;
	/** Returns whether it has ended on its own or by a signal. */
	hasEnded(): boolean;
	/** Kills it with SIGKILL. Resolves when it is ready again. */
	kill(): Promise<void>;
	/** Sends it the signal, SIGTERM by default. Resolves when it has ended; it does not start again. */
	stop(signal?: NodeJS.Signals): Promise<void>;
	/** Processor time since its last start. */
	cpuMs(): Promise<number>;
	residentBytes(): Promise<number>;
}

/** Returns the processor time of a process since its start. */
export async function cpuMsOf(pid: number): Promise<number> {
	const stat = await readFile(`/proc/${pid}/stat`, "utf8");
	// The name, the second field, may contain spaces: the others follow its last parenthesis. User and system time are fields 14 and 15.
	const fieldsFromThird = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
	return (Number(fieldsFromThird[11]) + Number(fieldsFromThird[12])) * TICK_MS;
}

/** Starts a program in Node.js, with `env` and PATH as its only variables. Resolves when it has printed that it is ready. */
export async function startProcess({ name, args, env, ready }: ProcessOptions): Promise<RestartableProcess> {
	const lines: string[] = [];
	let child = await begin();
	// Ends the child with the bench.
	const killAtExit = (): void => void child.kill("SIGKILL");
	process.once("exit", killAtExit);

	async function begin(): Promise<ChildProcess> {
		const started = spawn(process.execPath, args, {
			env: { PATH: surroundings["PATH"], ...env },
			stdio: ["pipe", "pipe", "inherit"],
		});
		const timer = setTimeout(() => started.kill("SIGKILL"), START_TIMEOUT_MS);
		const { promise: isReady, resolve, reject } = Promise.withResolvers<void>();
		started.once("exit", (code) => reject(new Error(`${name} ended with ${code} before it was ready`)));
		createInterface({ input: started.stdout }).on("line", (line) => {
			lines.push(line);
			if (line.includes(ready)) resolve();
		});
		await isReady;
		clearTimeout(timer);
		return started;
	}

	const hasEnded = (): boolean => child.exitCode !== null || child.signalCode !== null;

	function printed(label: string): string {
		const word = new RegExp(`${label}\\s+(\\S+)`).exec(lines.join("\n"))?.[1];
		if (word === undefined) throw new Error(`${name} printed no ${label}`);
		return word;
	}

	async function end(signal: NodeJS.Signals): Promise<void> {
		if (hasEnded()) return;
		const gone = once(child, "exit");
		child.kill(signal);
		await gone;
	}

	return {
		name,
		pid: () => child.pid ?? 0,
		lines,
		printed,
		hasEnded,
		write: (text) => void child.stdin?.write(text),
		async kill() {
			await end("SIGKILL");
			child = await begin();
		},
		async stop(signal = "SIGTERM") {
			await end(signal);
			process.off("exit", killAtExit);
		},
		cpuMs: () => cpuMsOf(child.pid ?? 0),
		residentBytes: () => memoryOf(child.pid ?? 0, "VmRSS"),
	};
}
