/** Loaded first in every process that is started: the requests of its playground are counted, and its log is looked at. */
const WATCHES = ["../schema-report/record-requests.ts", "../log-redaction/capture-logs.ts"].map(
	(path) => `--import=${new URL(path, import.meta.url).href}`,
);

/**
 * The environment of a script of ours that runs as a process of its own: what is given, and nothing of this one but where
 * Node keeps what it has compiled, and what watches over the run.
 */
export function childEnv(env: Readonly<Record<string, string>> = {}): Record<string, string> {
	const { NODE_COMPILE_CACHE, PLAYGROUND_REQUESTS, WATCHED_LOGS } = process.env;
	return {
		...(NODE_COMPILE_CACHE !== undefined && { NODE_COMPILE_CACHE }),
		...(PLAYGROUND_REQUESTS !== undefined && { PLAYGROUND_REQUESTS, NODE_OPTIONS: WATCHES.join(" ") }),
		...(WATCHED_LOGS !== undefined && { WATCHED_LOGS }),
		...env,
	};
}

/** The environment in which npm finds its programs and its configuration. */
export function npmEnv(): NodeJS.ProcessEnv {
	const { PATH, HOME } = process.env;
	return { PATH, HOME };
}
