import { env } from "node:process";

/**
 * Returns how operators call `atelier` in this installation, such as `docker compose exec atelier atelier`. The image, the
 * services of Compose and the systemd unit set it as `ATELIER_COMMAND`.
 */
export function commandLine(): string {
	return env["ATELIER_COMMAND"] ?? "npx atelier";
}

/** Returns the shell command for a subcommand of `atelier`, in backticks. */
export function commandHint(args: string, command = commandLine()): string {
	return `\`${command} ${args}\``;
}
