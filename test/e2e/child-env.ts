/** Loaded first in every child process: counts the requests of its playground, and checks its log. */
const WATCHES = ["../discord-schema-report/record-requests.ts", "../log-redaction/capture-logs.ts"].map(
	(path) => `--import=${new URL(path, import.meta.url).href}`,
);

/**
 * The environment of a child process that runs one of our scripts: the given variables, the compile cache of Node,
 * and the checks of this run.
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
