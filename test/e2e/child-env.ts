/** Loaded first in every child process: counts the requests of its playground, and checks its log. */
const RECORDER = `--import=${new URL("../run-checks/record-run.ts", import.meta.url).href}`;

/**
 * The environment of a child process that runs one of our scripts: the given variables, the compile cache of Node,
 * and the checks of this run.
 */
export function childEnv(env: Readonly<Record<string, string>> = {}): Record<string, string> {
	const { NODE_COMPILE_CACHE, RUN_RECORDS } = process.env;
	return {
		...(NODE_COMPILE_CACHE !== undefined && { NODE_COMPILE_CACHE }),
		...(RUN_RECORDS !== undefined && { RUN_RECORDS, NODE_OPTIONS: RECORDER }),
		...env,
	};
}

/** The environment in which npm finds its programs and its configuration. */
export function npmEnv(): NodeJS.ProcessEnv {
	const { PATH, HOME } = process.env;
	return { PATH, HOME };
}
