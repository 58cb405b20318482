/**
 * The environment of a script of ours that runs as a process of its own: what is given, and nothing of this one but where
 * Node keeps what it has compiled.
 */
export function childEnv(env: Readonly<Record<string, string>> = {}): Record<string, string> {
	const { NODE_COMPILE_CACHE } = process.env;
	return NODE_COMPILE_CACHE === undefined ? { ...env } : { NODE_COMPILE_CACHE, ...env };
}
