import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { env } from "node:process";

/** Names a command as it is typed here: the image has `atelier` on its PATH, in a checkout `npx` finds it. */
export function commandHint(args: string, path = env["PATH"] ?? ""): string {
	// npm puts folders of packages first on the PATH of what it starts: a shell does not have them.
	const folders = path.split(delimiter).filter((folder) => !folder.includes("node_modules"));
	const isOnPath = folders.some((folder) => existsSync(join(folder, "atelier")));
	return `\`${isOnPath ? "" : "npx "}atelier ${args}\``;
}
