import { readFileSync } from "node:fs";
import { parseEnv } from "node:util";
import { isErrno } from "@atelier/common/is-errno";
import { ConfigError } from "./config-error.ts";

/** A variable whose value is in quotes, which may contain line breaks. */
const QUOTED_VARIABLE = /^[ \t]*[^#=\s][^=\n]*=[ \t]*(["'`])[^]*?\1.*$/gm;
/** An empty line, a comment, or a variable. Not shown in an error, because a line can contain a secret. */
const VALID_LINE = /^\s*(#|$)|=/;

/** Adds the variables of a `.env` file, if there is one, to `env`. Variables that are already set win. */
export function loadDotEnv(env: NodeJS.ProcessEnv, path = ".env"): void {
	const text = readIfExists(path)?.replace(/^\uFEFF/, "") ?? "";
	if (text.includes("\0")) throw new ConfigError(`${path} is not UTF-8: save it as UTF-8.`);
	const lines = text.replaceAll(QUOTED_VARIABLE, (found) => `=${found.replaceAll(/[^\n]/g, "")}`).split("\n");
	const invalidIndex = lines.findIndex((line) => !VALID_LINE.test(line));
	if (invalidIndex >= 0) throw new ConfigError(`${path}, line ${invalidIndex + 1}: expected NAME=VALUE.`);
	for (const [name, value] of Object.entries(parseEnv(text))) env[name] ??= value;
}

function readIfExists(path: string): string | undefined {
	try {
		return readFileSync(path, "utf8");
	} catch (error) {
		if (isErrno(error, "ENOENT")) return undefined;
		const { code = String(error) } = error as NodeJS.ErrnoException;
		throw new ConfigError(`Cannot read ${path} (${code}). It must be a file that this user may read.`, {
			cause: error,
		});
	}
}
