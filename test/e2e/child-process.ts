import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";
import { childEnv } from "./child-env.ts";

const ENTRY = fileURLToPath(new URL("../../src/index.ts", import.meta.url));

export interface StartedProcess {
	/** Resolves to the first log line whose message starts so; rejects when the process ends without one. */
	logged(message: string): Promise<Record<string, unknown>>;
	/** Waits until the process ends on its own. Resolves to its exit code; `null` if a signal ended it. */
	exited(): Promise<number | null>;
	/** Sends the signal, and waits until the process has ended. Resolves to its exit code; `null` if the signal ended it. */
	end(signal: NodeJS.Signals): Promise<number | null>;
}

/** Starts the bot in a child process with the given environment, and nothing else but that of `childEnv`. */
export function startProcess(env: Readonly<Record<string, string>>, cwd?: string): StartedProcess {
	const child = spawn(process.execPath, [ENTRY], { env: childEnv(env), cwd, stdio: ["ignore", "pipe", "inherit"] });
	onTestFinished(() => void child.kill("SIGKILL"));
	const lines: Record<string, unknown>[] = [];
	const output = createInterface({ input: child.stdout });
	output.on("line", (line) => lines.push(JSON.parse(line) as Record<string, unknown>));

	return {
		logged: (message) =>
			new Promise((resolve, reject) => {
				const resolveIfLogged = (): void => {
					const found = lines.find(({ msg }) => String(msg).startsWith(message));
					if (found) resolve(found);
				};
				output.on("line", resolveIfLogged);
				child.once("exit", (code) => reject(new Error(`ended with ${code} before it logged "${message}"`)));
				resolveIfLogged();
			}),
		exited: async () => ((await once(child, "exit")) as [number | null])[0],
		end: (signal) => end(child, signal),
	};
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
	const exited = once(child, "exit");
	child.kill(signal);
	const [code] = (await exited) as [number | null];
	return code;
}

interface RunOptions {
	readonly env?: Readonly<Record<string, string>>;
	readonly cwd?: string;
	/** The arguments of the script. */
	readonly args?: readonly string[];
}

/** Runs one of our scripts to its end. */
export async function runScript(
	script: string,
	{ env = {}, cwd, args = [] }: RunOptions = {},
): Promise<{ readonly code: number | null; readonly stdout: string; readonly stderr: string }> {
	const path = fileURLToPath(new URL(`../../${script}`, import.meta.url));
	const child = spawn(process.execPath, [path, ...args], {
		env: childEnv(env),
		cwd,
		stdio: ["ignore", "pipe", "pipe"],
	});
	onTestFinished(() => void child.kill("SIGKILL"));
	const texts = { stdout: "", stderr: "" };
	child.stdout.on("data", (chunk) => (texts.stdout += String(chunk)));
	child.stderr.on("data", (chunk) => (texts.stderr += String(chunk)));
	const [code] = (await once(child, "close")) as [number | null];
	return { code, ...texts };
}
