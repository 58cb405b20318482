/**
 * Checks every log line of this process, and the standard error of child processes. Loaded before each test file, and
 * by the processes that tests start. Records findings for `check-logs.ts`.
 */
import { tracingChannel } from "node:diagnostics_channel";
import { appendFileSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { env, pid, stderr } from "node:process";
import { threadId } from "node:worker_threads";
import { lookFor, secretsIn } from "./find-secrets.ts";

/** Set by `check-logs.ts` for the whole run, and inherited by child processes. */
const folder = env["WATCHED_LOGS"];
export const PROMPTS_FILE = "prompts.json";

export interface FoundLeak {
	readonly what: string;
	readonly line: string;
	/** The running test file; absent in a child process. */
	readonly testPath: string | undefined;
}

let testPath: string | undefined;
export const currentTestPath = (path: string | undefined): void => void (testPath = path);

let look = (_text: string): string | undefined => undefined;
let planted: readonly string[] = [];
let prompts: readonly string[] = [];

/** Registers the secrets of this environment, which must not be logged by this process from now on. */
export function plantSecrets(given: Readonly<Record<string, string | undefined>>): void {
	const more = secretsIn(given).filter((secret) => !planted.includes(secret));
	planted = [...planted, ...more];
	look = lookFor(planted, prompts);
}

if (folder !== undefined) {
	prompts = JSON.parse(readFileSync(join(folder, PROMPTS_FILE), "utf8")) as string[];
	plantSecrets(env);
	const file = join(folder, `${pid}-${threadId}.jsonl`);
	const examine = (line: string): void => {
		const what = look(line);
		if (what === undefined) return;
		const found: FoundLeak = { what, line: line.trim(), testPath };
		appendFileSync(file, `${JSON.stringify(found)}\n`);
	};
	tracingChannel("pino_asJson").end.subscribe((message) => {
		const { result } = message as { result: string };
		examine(result);
	});
	if (env["VITEST"] === undefined) {
		const write = stderr.write.bind(stderr) as (...given: unknown[]) => boolean;
		stderr.write = (text: unknown, ...rest: unknown[]) => {
			examine(String(text));
			return write(text, ...rest);
		};
	}
}
