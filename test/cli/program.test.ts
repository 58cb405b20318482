/** The program as installed: by its file in package.json, on any Node.js version. */
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { env } from "node:process";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { createTempFolder } from "@atelier/common/testing/temp-folder";

const root = fileURLToPath(new URL("../../", import.meta.url));
const { bin, version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
	readonly bin: Readonly<Record<string, string>>;
	readonly version: string;
};

/** Runs the program as an executable file, in its own folder. */
async function runProgram(...argv: readonly string[]) {
	const cwd = await createTempFolder();
	return await new Promise((resolve) => {
		execFile(
			join(root, bin["atelier"] ?? ""),
			argv,
			{ cwd, env: { PATH: env["PATH"], DATA_DIR: cwd } },
			(error, stdout, stderr) => resolve({ code: error?.code ?? 0, stdout, stderr }),
		);
	});
}

test.each([
	["--version", { code: 0, stdout: `${version}\n`, stderr: "" }],
	["credits audit", { code: 1, stdout: "", stderr: expect.stringContaining("no store") }],
])("%s prints to its outputs, and exits with its code", async (line, expected) => {
	expect(await runProgram(...line.split(" "))).toEqual(expected);
});
