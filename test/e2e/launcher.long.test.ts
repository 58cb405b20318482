import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { newFolder } from "./atelier.ts";
import { freePort } from "./process.ts";

const LAUNCHER = fileURLToPath(new URL("../../tools/node24.mjs", import.meta.url));
const ENTRY = fileURLToPath(new URL("../../src/index.ts", import.meta.url));

/** What `npm start` runs: a launcher, and the bot as its child. */
async function launch() {
	const port = await freePort();
	const env = { PORT: String(port), STORE_URL: "memory:", DATA_DIR: await newFolder() };
	const launcher = spawn(process.execPath, [LAUNCHER, ENTRY], { env, stdio: ["ignore", "pipe", "inherit"] });
	onTestFinished(() => void launcher.kill("SIGTERM"));
	for await (const line of createInterface({ input: launcher.stdout })) if (line.includes("Atelier is ready")) break;
	const isAlive = (): Promise<boolean> =>
		fetch(`http://127.0.0.1:${port}/livez`).then(
			({ ok }) => ok,
			() => false,
		);
	expect(await isAlive()).toBe(true);
	return { launcher, isAlive };
}

test("the bot does not outlive a launcher that is killed outright", async () => {
	const { launcher, isAlive } = await launch();
	launcher.kill("SIGKILL");
	await expect.poll(isAlive, { timeout: 10_000 }).toBe(false);
});

test("the launcher hands a signal on, and the bot's exit code back", async () => {
	const { launcher, isAlive } = await launch();
	const exited = once(launcher, "exit");
	launcher.kill("SIGTERM");
	expect(await exited).toStrictEqual([0, null]);
	expect(await isAlive()).toBe(false);
});

test("the launcher keeps nothing running that is done", async () => {
	const script = spawn(process.execPath, [LAUNCHER, "--eval", "console.log(1)"], { env: {}, stdio: "ignore" });
	expect(await once(script, "exit")).toStrictEqual([0, null]);
});
