import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { env } from "node:process";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import manifest from "../package.json" with { type: "json" };
import rootManifest from "../../../package.json" with { type: "json" };

const ROOT = join(import.meta.dirname, "../../..");
const INSTALL_TIMEOUT_MS = 300_000;

const execute = promisify(execFile);

test(
	"the packed playground is installed in an empty folder, where the first test of its README compiles and passes",
	{ timeout: INSTALL_TIMEOUT_MS },
	async () => {
		const folder = await mkdtemp(join(tmpdir(), "atelier-package-"));
		onTestFinished(() => rm(folder, { recursive: true, force: true }));
		const packed = join(folder, "packed");
		await execute(process.execPath, [join(ROOT, "tools/pack-playground.ts"), packed], {
			env: { ...env, REPOSITORY: "https://example.com/owner/name" },
		});
		const published = JSON.parse(await readFile(join(packed, "package.json"), "utf8")) as { exports: object };
		expect(published).toMatchObject({ repository: { url: "git+https://example.com/owner/name.git" } });
		expect(Object.keys(published.exports)).not.toContain("./schema/validator");
		const { stdout } = await execute("npm", ["pack", packed, "--silent", "--pack-destination", folder]);

		const project = await mkdtemp(join(folder, "project-"));
		await writeFile(join(project, "package.json"), JSON.stringify({ type: "module", private: true }));
		const { vitest } = rootManifest.devDependencies;
		const packages = [
			join(folder, stdout.trim()),
			`discord.js@${manifest.devDependencies["discord.js"]}`,
			`vitest@${vitest}`,
			`@types/node@${rootManifest.devDependencies["@types/node"]}`,
		];
		await execute("npm", ["install", "--ignore-scripts", "--no-audit", "--no-fund", "--prefer-offline", ...packages], {
			cwd: project,
		});
		const readme = await readFile(join(project, "node_modules/@atelier/playground/README.md"), "utf8");
		const example = /```ts\n(.+?)```/s.exec(readme)?.[1] ?? "";
		expect(example).toContain("startPlayground");
		await writeFile(join(project, "ping.test.ts"), example);

		const options = ["--ignoreConfig", "--noEmit", "--strict", "--skipLibCheck", "--module", "nodenext"];
		const files = ["--target", "esnext", "--types", "node", "ping.test.ts"];
		await execute(process.execPath, [join(ROOT, "node_modules/typescript/bin/tsc"), ...options, ...files], {
			cwd: project,
		});
		const run = await execute(process.execPath, ["node_modules/vitest/vitest.mjs", "run"], { cwd: project });
		expect(run.stdout).toMatch(/1 passed/);

		const program = spawn(process.execPath, ["node_modules/.bin/atelier-playground", "--port", "0"], { cwd: project });
		onTestFinished(() => void program.kill());
		const [printed] = (await once(program.stdout, "data")) as [Buffer];
		const page = await fetch(/http:\S+/.exec(printed.toString())?.[0] ?? "");
		expect(await page.text()).toContain("<title>");
	},
);
