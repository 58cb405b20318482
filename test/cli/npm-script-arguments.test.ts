import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { runScript } from "../e2e/child-process.ts";

const root = new URL("../../", import.meta.url);
const { scripts } = JSON.parse(readFileSync(new URL("package.json", root), "utf8")) as {
	readonly scripts: Readonly<Record<string, string>>;
};

/** Runs the npm script with the argument. A program that rejects it must not open a port or a store. */
async function runNpmScript(name: string, argument: string) {
	const [script = "", ...args] = (scripts[name] ?? "").replace(/^(?:exec )?node /, "").split(" ");
	const env = { STORE_URL: "sqlite:/nowhere/at/all.db", DATA_DIR: "/nowhere/at/all" };
	return await runScript(script, { env, cwd: fileURLToPath(root), args: [...args, argument] });
}

test.each(["start", "demo", "conformance"])(
	"npm run %s names an unknown argument, and prints its help",
	async (script) => {
		const { stderr, ...unknown } = await runNpmScript(script, "--nonsense");
		expect(unknown).toStrictEqual({ code: 2, stdout: "" });
		expect(stderr).toContain("--nonsense");
		expect(stderr).toMatch(new RegExp(`npm (?:run )?${script}`));
	},
);
