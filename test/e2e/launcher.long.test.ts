import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { cp, readdir } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { describe, expect, onTestFinished, test } from "vitest";
import { npmEnv } from "./child-env.ts";
import { createTempFolder } from "@atelier/common/testing/temp-folder";
import { freePort } from "@atelier/common/testing/free-port";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const LAUNCHER = fileURLToPath(new URL("../../tools/node24.mjs", import.meta.url));
const ENTRY = fileURLToPath(new URL("../../src/index.ts", import.meta.url));

/** The processes of `npm start`: a launcher with the bot as its child. */
const launch = () => start(process.execPath, [LAUNCHER, ENTRY]);

/** Starts the bot by way of other processes, in their own process group, and waits until it is ready. */
async function start(command: string, args: readonly string[], env: NodeJS.ProcessEnv = {}) {
	const port = await freePort();
	const launcher = spawn(command, args, {
		cwd: ROOT,
		detached: true,
		env: { STORE_URL: "memory:", DATA_DIR: await createTempFolder(), ...env, PORT: String(port) },
		stdio: ["ignore", "pipe", "inherit"],
	});
	const { pid } = launcher;
	assert(pid !== undefined);
	/** Returns whether any process of the group is running. */
	const isGroupRunning = (): boolean => isRunning(-pid);
	onTestFinished(() => void (isGroupRunning() && process.kill(-pid, "SIGKILL")));
	const lines: string[] = [];
	await new Promise<void>((resolve) => {
		createInterface({ input: launcher.stdout }).on("line", (line) => {
			lines.push(line);
			if (line.includes("Atelier is ready")) resolve();
		});
	});
	const isAlive = (): Promise<boolean> =>
		fetch(`http://127.0.0.1:${port}/livez`).then(
			({ ok }) => ok,
			() => false,
		);
	expect(await isAlive()).toBe(true);
	return { launcher, isAlive, isGroupRunning, logs: (): string => lines.join("\n") };
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

/** The child processes of a process. */
function childrenOf(pid: number | undefined): readonly number[] {
	const { stdout } = spawnSync("ps", ["-eo", "pid=,ppid="], { encoding: "utf8" });
	const rows = stdout.split("\n").map((line) => line.trim().split(/\s+/).map(Number));
	return rows.flatMap(([child = 0, parent]) => (parent === pid ? [child] : []));
}

function descendantsOf(pid: number | undefined): readonly number[] {
	return childrenOf(pid).flatMap((child) => [child, ...descendantsOf(child)]);
}

/** Returns whether a process, or a process group by its negative id, is running. */
function isRunning(pid: number): boolean {
	try {
		return process.kill(pid, 0);
	} catch {
		return false;
	}
}

const startByNpm = () => start("npm", ["start", "--loglevel=error"], npmEnv());

describe.each(["SIGTERM", "SIGINT"] as const)("the signal %s", (signal) => {
	test("to npm stops the bot, and npm waits for its exit code", async () => {
		const { launcher, isGroupRunning, logs } = await startByNpm();
		const exited = once(launcher, "exit");
		launcher.kill(signal);
		expect(await exited).toStrictEqual([0, null]);
		await expect.poll(isGroupRunning).toBe(false);
		expect(logs()).toContain('"msg":"stopping"');
	});

	test("to the process that npm started stops the bot", async () => {
		const { launcher, isGroupRunning, logs } = await startByNpm();
		const [started] = childrenOf(launcher.pid);
		assert(started !== undefined);
		process.kill(started, signal);
		await expect.poll(isGroupRunning).toBe(false);
		expect(logs()).toContain('"msg":"stopping"');
	});
});

describe.each(["SIGTERM", "SIGINT", "SIGHUP"] as const)("the signal %s", (signal) => {
	test("to the launcher stops the bot, and the exit code is the bot's", async () => {
		const { launcher, isGroupRunning, logs } = await launch();
		const exited = once(launcher, "exit");
		launcher.kill(signal);
		expect(await exited).toStrictEqual([0, null]);
		expect(isGroupRunning()).toBe(false);
		expect(logs()).toContain('"msg":"stopping"');
	});
});

test("the bot ends with an npm that is killed with SIGKILL", async () => {
	const { launcher, isGroupRunning, logs } = await startByNpm();
	launcher.kill("SIGKILL");
	await expect.poll(isGroupRunning).toBe(false);
	expect(logs()).toContain('"msg":"stopping"');
});

test("a script ends with the shell of its npm script", async () => {
	const { launcher, isGroupRunning, logs } = await start(
		"sh",
		["-c", `"${process.execPath}" "${LAUNCHER}" "${ENTRY}"; exit`],
		{
			npm_lifecycle_event: "start",
		},
	);
	launcher.kill("SIGTERM");
	await expect.poll(isGroupRunning).toBe(false);
	expect(logs()).toContain('"msg":"stopping"');
});

test("the bot stops cleanly when its terminal is closed", async () => {
	const dataDir = await createTempFolder();
	const STORE_URL = `sqlite:${dataDir}/atelier.db`;
	const command = `"${process.execPath}" "${LAUNCHER}" "${ENTRY}"`;
	const { launcher: terminal } = await start("script", ["-qec", command, "/dev/null"], { STORE_URL });
	const started = descendantsOf(terminal.pid);
	onTestFinished(() => started.filter(isRunning).forEach((pid) => process.kill(pid, "SIGKILL")));
	expect(await readdir(dataDir)).toContain("atelier.db-wal");
	terminal.kill("SIGKILL");
	await expect.poll(() => started.filter(isRunning), { timeout: 5_000 }).toStrictEqual([]);
	// SQLite removes its journal only when the store is closed.
	expect(await readdir(dataDir)).not.toContain("atelier.db-wal");
});

test("the bot ends with a launcher that is killed with SIGKILL", async () => {
	const { launcher, isAlive } = await launch();
	launcher.kill("SIGKILL");
	await expect.poll(isAlive, { timeout: 10_000 }).toBe(false);
});
