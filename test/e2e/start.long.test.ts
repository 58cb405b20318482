import { mkdir, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parseEnv } from "node:util";
import { expect, test } from "vitest";
import { loadConfig } from "../../src/config/load-config.ts";
import { createTempFolder } from "@atelier/common/testing/temp-folder";
import { runScript, startProcess } from "./child-process.ts";
import { messageOfFailedStart } from "./failed-start.ts";

test("errors of the configuration, in .env or in the environment, are reported in one message", async () => {
	const cwd = await createTempFolder();
	await writeFile(join(cwd, ".env"), "PORT=eighty\nLOG_LEVEL=info\nSTORE_URL=nowhere\n");
	const env = { LOG_LEVEL: "loud", STORE_URL: "memory:" };
	const { code, stdout, stderr } = await runScript("src/index.ts", { cwd, env });
	expect(code).toBe(1);
	expect(stdout).toBe("");
	expect(stderr).toBe(
		[
			"Cannot start: check the environment or .env",
			"  PORT: expected a whole number from 0 to 65535",
			"  LOG_LEVEL: expected one of trace, debug, info, warn, error, fatal, silent",
			"",
		].join("\n"),
	);
});

test.each<[string, (path: string) => Record<string, string>, string]>([
	["DATA_DIR is below a file", (path) => ({ DATA_DIR: `${path}/x` }), "must be a folder"],
	["the store is another file", (path) => ({ STORE_URL: `sqlite:${path}` }), "the file is not a database"],
	["HOST does not resolve", () => ({ HOST: "host.invalid", PLAYGROUND_REACH: "network" }), "HOST or METRICS_HOST"],
	[
		"the catalog is missing",
		() => ({ MEDIA_API_URL: "http://127.0.0.1:1", MEDIA_API_KEY: "key", MEDIA_CATALOG: "no-such-file.json" }),
		"MEDIA_CATALOG: it cannot be read",
	],
])("a failed start is explained in a line, or in two that name the variable: %s", async (_what, configure, words) => {
	const folder = await createTempFolder();
	const path = join(folder, "a-file");
	await writeFile(path, "I am no database, and no folder".repeat(100));
	const env = { PORT: "0", LOG_LEVEL: "silent", DATA_DIR: join(folder, "data"), ...configure(path) };
	const message = await messageOfFailedStart(env);
	expect(message).toMatch(/^Cannot start: [^\n]+(?:\n {2}[A-Z_]+: [^\n]+)?$/);
	expect(message).toContain(words);
});

test.skipIf(process.platform === "win32")(
	"new files are private to their owner, and an existing folder keeps its permissions",
	async () => {
		const folder = await createTempFolder();
		const dataDir = join(folder, "new/data");
		await mkdir(join(folder, "backups"), { mode: 0o755 });
		const atelier = startProcess({ PORT: "0", DATA_DIR: dataDir });
		await atelier.logged("Atelier is ready");
		const args = ["backup", join(folder, "backups/one.backup")];
		expect(await runScript("src/cli/atelier.ts", { env: { DATA_DIR: dataDir }, args })).toMatchObject({ code: 0 });
		const names = await readdir(folder, { recursive: true, withFileTypes: true });
		const modes = await Promise.all(
			names.map(async (each) => {
				const path = join(each.parentPath, each.name);
				return `${path.slice(folder.length + 1)} ${((await stat(path)).mode & 0o777).toString(8)}`;
			}),
		);
		expect(modes.filter((each) => !/ [67]00$/.test(each))).toStrictEqual(["backups 755"]);
		expect(modes).toEqual(
			expect.arrayContaining([
				"new/data 700",
				"new/data/atelier.db 600",
				"new/data/atelier.db-shm 600",
				"new/data/atelier.db-wal 600",
				"new/data/playground.db 600",
				"new/data/results 700",
				"backups/one.backup 600",
			]),
		);
		expect(await atelier.end("SIGTERM")).toBe(0);
	},
);

test.skipIf(process.platform === "win32")("an unexpected error ends the process with a line of the log", async () => {
	const thrown = "process.on('SIGUSR2', () => { throw new Error('planted: Bearer abcdefghijklmnopqrstuvwxyz'); });";
	const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(thrown)}`;
	const bot = startProcess({ PORT: "0", STORE_URL: "memory:", DATA_DIR: await createTempFolder(), NODE_OPTIONS });
	await bot.logged("Atelier is ready");
	const logged = bot.logged("unexpected error");
	expect(await bot.end("SIGUSR2")).toBe(1);
	expect(await logged).toMatchObject({ level: 60, err: { message: "planted: Bearer [token]" } });
});

test(".env.example as it is changes no default, and its commented lines show the defaults", async () => {
	const example = await readFile(new URL("../../.env.example", import.meta.url), "utf8");
	const containerEnv = { HOST: "0.0.0.0", DATA_DIR: "/data" };
	expect(loadConfig({ ...containerEnv, ...parseEnv(example) })).toStrictEqual(loadConfig(containerEnv));
	const uncommented = example.replaceAll(/^# ?([A-Z_]+=)/gm, "$1");
	expect(loadConfig(parseEnv(uncommented))).toStrictEqual(loadConfig({ STORE_URL: "sqlite:./data/atelier.db" }));
});

test("a demo that cannot write its files fails at once", async () => {
	const cwd = await createTempFolder();
	await writeFile(join(cwd, "demo-output"), "");
	const { code, stdout, stderr } = await runScript("src/cli/demo.ts", { cwd });
	expect([code, stdout]).toStrictEqual([1, ""]);
	expect(stderr).toBe("The demo failed: demo-output/ cannot be created. Check that no file has that name.\n");
});

test("the demo generates three files and reports them", async () => {
	const cwd = join(await createTempFolder(), "demo");
	await mkdir(cwd);
	const { code, stdout, stderr } = await runScript("src/cli/demo.ts", { cwd });
	expect(stderr).toBe("");
	expect(code).toBe(0);
	expect(stdout).toContain("You typed  /image prompt: a lighthouse in a storm");
	expect(stdout).toContain("All well: 3 files, 33 credits charged, 467 left.");
	const endings = (await readdir(join(cwd, "demo-output"))).map((name) => name.slice(-4)).toSorted();
	expect(endings).toStrictEqual([".mp3", ".mp4", ".png"]);
});
