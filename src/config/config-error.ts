/** The configuration is invalid. The message names every problem for the operator. */
export class ConfigError extends Error {
	override readonly name = "ConfigError";
}

/** Creates an error with one line per problem, such as `PORT: expected a whole number from 0 to 65535`. */
export function environmentError(problems: readonly string[], options?: ErrorOptions): ConfigError {
	const lines = problems.map((problem) => `  ${problem}`);
	return new ConfigError(["Cannot start: check the environment or .env", ...lines].join("\n"), options);
}
