/** Loaded first in every process that is started, so that the requests of its playground are counted with the others. */
const NOTE_REQUESTS = new URL("./requests/note-requests.ts", import.meta.url).href;

/**
 * The environment of a script of ours that runs as a process of its own: what is given, and nothing of this one but where
 * Node keeps what it has compiled, and where requests are counted.
 */
export function childEnv(env: Readonly<Record<string, string>> = {}): Record<string, string> {
	const { NODE_COMPILE_CACHE, PLAYGROUND_REQUESTS } = process.env;
	return {
		...(NODE_COMPILE_CACHE !== undefined && { NODE_COMPILE_CACHE }),
		...(PLAYGROUND_REQUESTS !== undefined && { PLAYGROUND_REQUESTS, NODE_OPTIONS: `--import=${NOTE_REQUESTS}` }),
		...env,
	};
}
