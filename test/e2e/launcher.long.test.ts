import assert from "node:assert/strict";
import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { cp, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { npmEnv } from "./child-env.ts";
import { childrenOf, isRunning } from "@atelier/common/testing/processes";
import { createTempFolder } from "@atelier/common/testing/temp-folder";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const LAUNCHER = fileURLToPath(new URL("../../tools/node24.mjs", import.meta.url));
const ENTRY = fileURLToPath(new URL("../../src/index.ts", import.meta.url));

/** Stops on a signal, as the bot does. */
const SCRIPT = `
	for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
		process.once(signal, () => { console.log("stopping"); process.exitCode = 0; clearInterval(timer); });
	}
	const timer = setInterval(() => {}, 1_000);
	console.log("is ready");`;

/** Writes the script with an npm script that starts it like `npm start` the bot. */
async function writeProject() {
	const folder = await createTempFolder();
	const script = join(folder, "script.mjs");
	await writeFile(script, SCRIPT);
	const scripts = { start: `exec node "${LAUNCHER}" "${script}"` };
	await writeFile(join(folder, "package.json"), JSON.stringify({ scripts }));
	return { folder, script };
}

/** Starts a program by way of other processes, in their own process group, and waits until it is ready. */
async function start(command: string, args: readonly string[], cwd: string, env: NodeJS.ProcessEnv = {}) {
	const launcher = spawn(command, args, { cwd, detached: true, env, stdio: ["ignore", "pipe", "inherit"] });
	const { pid } = launcher;
	assert(pid !== undefined);
	/** Returns whether any process of the group is running. */
	const isGroupRunning = (): boolean => isRunning(-pid);
	onTestFinished(() => void (isGroupRunning() && process.kill(-pid, "SIGKILL")));
	const lines: string[] = [];
	await new Promise<void>((resolve) => {
		createInterface({ input: launcher.stdout }).on("line", (line) => {
			lines.push(line);
			if (line.includes("is ready")) resolve();
		});
	});
	return { launcher, isGroupRunning, hasStopped: (): boolean => lines.some((line) => line.includes("stopping")) };
}

/** Starts the script by the launcher. */
async function launch() {
	const { folder, script } = await writeProject();
	return await start(process.execPath, [LAUNCHER, script], folder);
}

async function startByNpm() {
	const { folder } = await writeProject();
	return await start("npm", ["start", "--loglevel=error"], folder, npmEnv());
}

/** Runs the launcher as if on Node 20, in a project without node_modules. */
async function launchOnOldNode(platform: string): Promise<string> {
	const folder = await createTempFolder();
	await cp(join(ROOT, "tools/node24.mjs"), join(folder, "tools/node24.mjs"));
	await cp(join(ROOT, "tools/node/package.json"), join(folder, "tools/node/package.json"));
	const oldNode = { version: "v20.1.0", versions: { node: "20.1.0" }, platform, arch: "x64" };
	const pretend = `for (const [name, value] of Object.entries(${JSON.stringify(oldNode)})) Object.defineProperty(process, name, { value });`;
	const preload = `data:text/javascript,${encodeURIComponent(pretend)}`;
	const { status, stderr } = spawnSync(
		process.execPath,
		["--import", preload, join(folder, "tools/node24.mjs"), ENTRY],
		{
			encoding: "utf8",
		},
	);
	expect(status).toBe(1);
	return stderr;
}

test("on an old Node without the newer one, the launcher explains how to install it on this platform", async () => {
	const installable = await launchOnOldNode("linux");
	expect(installable).toContain("Atelier needs Node 24 or newer, and this is v20.1.0.");
	expect(installable).toContain("`npm ci` without --omit=dev installs one");
	const other = await launchOnOldNode("sunos");
	expect(other).toContain("There is no package of it for sunos-x64: install it from https://nodejs.org.");
});

function descendantsOf(pid: number | undefined): readonly number[] {
	return childrenOf(pid).flatMap((child) => [child, ...descendantsOf(child)]);
}

const toStarted = (launcher: ChildProcess, signal: NodeJS.Signals): void => {
	const [started] = childrenOf(launcher.pid);
	assert(started !== undefined);
	process.kill(started, signal);
};
const toParent = (launcher: ChildProcess, signal: NodeJS.Signals): void => void launcher.kill(signal);

/** Starts the script by the shell of an npm script. */
async function startByShell() {
	const { folder, script } = await writeProject();
	const command = `"${process.execPath}" "${LAUNCHER}" "${script}"; exit`;
	return await start("sh", ["-c", command], folder, { npm_lifecycle_event: "start" });
}

test.each([
	["SIGTERM to npm", startByNpm, "SIGTERM", toParent, 0],
	["SIGKILL to npm", startByNpm, "SIGKILL", toParent, null],
	["SIGTERM to the process that npm started", startByNpm, "SIGTERM", toStarted, 0],
	["SIGINT to the launcher", launch, "SIGINT", toParent, 0],
	["SIGHUP to the launcher", launch, "SIGHUP", toParent, 0],
	["SIGKILL to the launcher", launch, "SIGKILL", toParent, null],
	["SIGTERM to the shell of its npm script", startByShell, "SIGTERM", toParent, null],
] as const)("%s stops the script, and its exit code is passed on", async (_what, begin, signal, send, exitCode) => {
	const { launcher, isGroupRunning, hasStopped } = await begin();
	const exited = once(launcher, "exit");
	send(launcher, signal);
	const [code] = (await exited) as [number | null];
	expect(code).toBe(exitCode);
	await expect.poll(isGroupRunning).toBe(false);
	await expect.poll(hasStopped).toBe(true);
});

test("npm start stops the bot cleanly when its terminal is closed", async () => {
	const dataDir = await createTempFolder();
	const bot = { PORT: "0", DATA_DIR: dataDir, STORE_URL: `sqlite:${dataDir}/atelier.db` };
	const command = "npm start --loglevel=error";
	const { launcher: terminal } = await start("script", ["-qec", command, "/dev/null"], ROOT, { ...npmEnv(), ...bot });
	const started = descendantsOf(terminal.pid);
	onTestFinished(() => started.filter(isRunning).forEach((pid) => process.kill(pid, "SIGKILL")));
	expect(await readdir(dataDir)).toContain("atelier.db-wal");
	terminal.kill("SIGKILL");
	await expect.poll(() => started.filter(isRunning)).toStrictEqual([]);
	// SQLite removes its journal only when the store is closed.
	expect(await readdir(dataDir)).not.toContain("atelier.db-wal");
});
