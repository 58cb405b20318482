/** The configuration is wrong. The message tells the operator all of it. */
export class ConfigError extends Error {
	override readonly name = "ConfigError";
}

/** An error of one line for each problem, such as `PORT: expected a whole number from 0 to 65535`. */
export function environmentError(problems: readonly string[], options?: ErrorOptions): ConfigError {
	const lines = problems.map((problem) => `  ${problem}`);
	return new ConfigError(["Cannot start: check the environment or .env", ...lines].join("\n"), options);
}
