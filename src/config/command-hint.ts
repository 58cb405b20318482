import { env } from "node:process";

/**
 * Returns the shell command for a subcommand of `atelier`, in backticks, as operators call it in this installation, such as
 * `docker compose exec atelier atelier`. The image, the services of Compose and the systemd unit set it as `ATELIER_COMMAND`.
 */
export function commandHint(args: string): string {
	return `\`${env["ATELIER_COMMAND"] ?? "npx atelier"} ${args}\``;
}
