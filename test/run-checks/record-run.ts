/**
 * Records for `check-run.ts` the playground's verdict on every request in this process, and every log line with a secret, also of
 * the standard error of child processes. Loaded before each test file, and by the processes that tests start. Each record is
 * written at once, so that a killed process has recorded everything.
 */
import { subscribe, tracingChannel } from "node:diagnostics_channel";
import { openSync, readFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { env, pid, stderr } from "node:process";
import { threadId } from "node:worker_threads";
import type { RequestRecord } from "@atelier/playground/admin/admin-contract";
import { REQUESTS_CHANNEL } from "@atelier/playground/rest/request-log";
import { createSecretFinder, secretsIn } from "./find-secrets.ts";

/** Set by `check-run.ts` for the whole run, and inherited by child processes. */
const folder = env["RUN_RECORDS"];
export const PROMPTS_FILE = "prompts.json";

interface Recorded {
	/** The running test file; absent in a child process. */
	readonly testPath?: string | undefined;
}

export interface LoggedSecret extends Recorded {
	readonly kind: "secret";
	readonly what: string;
	readonly line: string;
}

export interface RecordedRequest
	extends Recorded, Pick<RequestRecord, "method" | "path" | "verdict" | "errors" | "client"> {
	readonly kind: "request";
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
	const file = openSync(join(folder, `${pid}-${threadId}.jsonl`), "a");
	const record = (recorded: LoggedSecret | RecordedRequest): void =>
		void writeSync(file, `${JSON.stringify({ ...recorded, testPath })}\n`);
	subscribe(REQUESTS_CHANNEL, (message) => {
		const { method, path, verdict, errors, client } = message as RequestRecord;
		record({ kind: "request", method, path, verdict, errors, client });
	});
	const checkLine = (line: string): void => {
		const what = findSecret(line);
		if (what !== undefined) record({ kind: "secret", what, line: line.trim() });
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
