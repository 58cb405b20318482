import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { childEnv } from "../../e2e/child-env.ts";

const ENTRY = fileURLToPath(new URL("../../../src/index.ts", import.meta.url));
const START_TIMEOUT_MS = 60_000;

/** A bot that is started again whenever it was killed. */
export interface Bot {
	/** Resolves when it has started again. */
	kill(): Promise<void>;
	stop(): Promise<void>;
	/** The errors in the logs of its runs. */
	readonly errors: readonly string[];
}

export async function startBot(env: Readonly<Record<string, string>>): Promise<Bot> {
	const errors: string[] = [];
	let child = await spawnBot(env, errors);
	return {
		errors,
		async kill() {
			await end(child, "SIGKILL");
			child = await spawnBot(env, errors);
		},
		stop: () => end(child, "SIGTERM"),
	};
}

async function spawnBot(env: Readonly<Record<string, string>>, errors: string[]): Promise<ChildProcess> {
	const child = spawn(process.execPath, [ENTRY], { env: childEnv(env), stdio: ["ignore", "pipe", "inherit"] });
	const timer = setTimeout(() => child.kill("SIGKILL"), START_TIMEOUT_MS);
	const { promise: ready, resolve, reject } = Promise.withResolvers<void>();
	child.once("exit", (code) => reject(new Error(`the bot ended with ${code} before it was ready`)));
	createInterface({ input: child.stdout }).on("line", (line) => {
		const { level, msg } = JSON.parse(line) as { level: number; msg: string };
		if (level >= 50) errors.push(line);
		if (msg.startsWith("Atelier is ready")) resolve();
	});
	await ready;
	clearTimeout(timer);
	return child;
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
	if (child.exitCode !== null || child.signalCode !== null) return;
	const gone = once(child, "exit");
	child.kill(signal);
	await gone;
}
