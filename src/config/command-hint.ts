import { env } from "node:process";

/**
 * Returns the command line as operators call it. The image, each service of Compose and the systemd service say so in
 * `ATELIER_COMMAND`, because it is called from outside of them.
 */
export function commandLine(): string {
	return env["ATELIER_COMMAND"] ?? "npx atelier";
}

/** Returns the shell command for a subcommand, as code. */
export function commandHint(args: string, command = commandLine()): string {
	return `\`${command} ${args}\``;
}
