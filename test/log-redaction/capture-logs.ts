/**
 * Checks every log line of this process, and the standard error of child processes. Loaded before each test file, and
 * by the processes that tests start. Records findings for `check-logs.ts`.
 */
import { tracingChannel } from "node:diagnostics_channel";
import { appendFileSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { env, pid, stderr } from "node:process";
import { threadId } from "node:worker_threads";
import { createSecretFinder, secretsIn } from "./find-secrets.ts";

/** Set by `check-logs.ts` for the whole run, and inherited by child processes. */
const folder = env["WATCHED_LOGS"];
export const PROMPTS_FILE = "prompts.json";

export interface LoggedSecret {
	readonly what: string;
	readonly line: string;
	/** The running test file; absent in a child process. */
	readonly testPath: string | undefined;
}

let testPath: string | undefined;
export const setCurrentTestPath = (path: string | undefined): void => void (testPath = path);

let findSecret = (_text: string): string | undefined => undefined;
let secrets: readonly string[] = [];
let prompts: readonly string[] = [];

/** Registers the secrets of this environment, which must not be logged by this process from now on. */
export function registerSecrets(given: Readonly<Record<string, string | undefined>>): void {
	const added = secretsIn(given).filter((secret) => !secrets.includes(secret));
	secrets = [...secrets, ...added];
	findSecret = createSecretFinder(secrets, prompts);
}

if (folder !== undefined) {
	prompts = JSON.parse(readFileSync(join(folder, PROMPTS_FILE), "utf8")) as string[];
	registerSecrets(env);
	const file = join(folder, `${pid}-${threadId}.jsonl`);
	const checkLine = (line: string): void => {
		const what = findSecret(line);
		if (what === undefined) return;
		const found: LoggedSecret = { what, line: line.trim(), testPath };
		appendFileSync(file, `${JSON.stringify(found)}\n`);
	};
	tracingChannel("pino_asJson").end.subscribe((message) => {
		const { result } = message as { result: string };
		checkLine(result);
	});
	if (env["VITEST"] === undefined) {
		const write = stderr.write.bind(stderr) as (...given: unknown[]) => boolean;
		stderr.write = (text: unknown, ...rest: unknown[]) => {
			checkLine(String(text));
			return write(text, ...rest);
		};
	}
}
