import { hostname } from "node:os";
import { env } from "node:process";

/**
 * Returns the shell command for a subcommand of `atelier`, in backticks, as operators call it in this installation, such as
 * `docker compose exec atelier atelier`. The image, the services of Compose and the systemd unit set it as `ATELIER_COMMAND`.
 */
export function commandHint(args: string): string {
	return `\`${installedCommand()} ${args}\``;
}

/** The same for a subcommand that needs a stopped bot: it runs in a container of its own, on the volume of the stopped one. */
export function stoppedCommandHint(args: string): string {
	const command = installedCommand()
		.replace(/^docker compose exec /, "docker compose run --rm ")
		.replace(/^docker exec (\S+)/, "docker run --rm --volumes-from $1 --env-file .env atelier");
	return `\`${command} ${args}\``;
}

/** `NAME` stands for the container, whose host name in Docker is its id. */
function installedCommand(): string {
	return (env["ATELIER_COMMAND"] ?? "npx atelier").replace(/\bNAME\b/, hostname());
}
