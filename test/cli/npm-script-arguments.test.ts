import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const root = new URL("../../", import.meta.url);
const { scripts } = JSON.parse(readFileSync(new URL("package.json", root), "utf8")) as {
	readonly scripts: Readonly<Record<string, string>>;
};

/** Runs the npm script with the argument. A program that rejects it must not open a port or a store. */
async function runScript(script: string, argument: string) {
	const scriptArgs = (scripts[script] ?? "").replace(/^(?:exec )?node /, "").split(" ");
	const env = { STORE_URL: "sqlite:/nowhere/at/all.db", DATA_DIR: "/nowhere/at/all" };
	const child = spawn(process.execPath, [...scriptArgs, argument], { cwd: fileURLToPath(root), env });
	const [stdout, stderr, code] = await Promise.all([
		text(child.stdout),
		text(child.stderr),
		new Promise<number | null>((resolve) => child.once("exit", resolve)),
	]);
	return { code, stdout, stderr };
}

test.each(["start", "demo", "conformance"])(
	"npm run %s names an unknown argument, and prints its help",
	async (script) => {
		const { stderr, ...unknown } = await runScript(script, "--nonsense");
		expect(unknown).toStrictEqual({ code: 2, stdout: "" });
		expect(stderr).toContain("--nonsense");
		expect(stderr).toMatch(new RegExp(`npm (?:run )?${script}`));
	},
);
