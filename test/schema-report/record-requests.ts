/**
 * Notes what the playground says of every request, in this process: loaded before each test file, and by the processes
 * that tests start. One line each, written at once, so that a process which is killed has told all it knew.
 */
import { subscribe } from "node:diagnostics_channel";
import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { env, pid } from "node:process";
import { threadId } from "node:worker_threads";
import { REQUESTS_CHANNEL } from "@atelier/playground/rest/request-log";
import type { RequestRecord } from "@atelier/playground/admin/admin-contract";

/** Set by `count-requests.ts` for the whole run, and handed on to processes that are started. */
const folder = env["PLAYGROUND_REQUESTS"];

export interface NotedRequest extends Pick<RequestRecord, "method" | "path" | "verdict" | "errors" | "client"> {
	/** The test file that was running; none in a process of its own. */
	readonly testPath: string | undefined;
}

/** The test that runs in this process, if any does. */
let testPath: string | undefined;
export const nowRunning = (path: string | undefined): void => void (testPath = path);

if (folder !== undefined) {
	const file = join(folder, `${pid}-${threadId}.jsonl`);
	subscribe(REQUESTS_CHANNEL, (message) => {
		const { method, path, verdict, errors, client } = message as RequestRecord;
		const noted: NotedRequest = { method, path, verdict, errors, client, testPath };
		appendFileSync(file, `${JSON.stringify(noted)}\n`);
	});
}
