/**
 * Records the playground's verdict on every request in this process. Loaded before each test file, and by the
 * processes that tests start. Each line is written at once, so that a killed process has recorded everything.
 */
import { subscribe } from "node:diagnostics_channel";
import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { env, pid } from "node:process";
import { threadId } from "node:worker_threads";
import { REQUESTS_CHANNEL } from "@atelier/playground/rest/request-log";
import type { RequestRecord } from "@atelier/playground/admin/admin-contract";

/** Set by `count-requests.ts` for the whole run, and inherited by child processes. */
const folder = env["PLAYGROUND_REQUESTS"];

export interface RecordedRequest extends Pick<RequestRecord, "method" | "path" | "verdict" | "errors" | "client"> {
	/** The running test file; absent in a child process. */
	readonly testPath: string | undefined;
}

/** The running test file of this process, if any. */
let testPath: string | undefined;
export const currentTestPath = (path: string | undefined): void => void (testPath = path);

if (folder !== undefined) {
	const file = join(folder, `${pid}-${threadId}.jsonl`);
	subscribe(REQUESTS_CHANNEL, (message) => {
		const { method, path, verdict, errors, client } = message as RequestRecord;
		const recorded: RecordedRequest = { method, path, verdict, errors, client, testPath };
		appendFileSync(file, `${JSON.stringify(recorded)}\n`);
	});
}
