import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { env } from "node:process";

/** Returns the shell command for a subcommand: the image has `atelier` on its PATH, a checkout uses `npx`. */
export function commandHint(args: string, path = env["PATH"] ?? ""): string {
	// npm puts its own folders first on the PATH of its children; a shell does not have them.
	const folders = path.split(delimiter).filter((folder) => !folder.includes("node_modules"));
	const isOnPath = folders.some((folder) => existsSync(join(folder, "atelier")));
	return `\`${isOnPath ? "" : "npx "}atelier ${args}\``;
}
