import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { Client, Events } from "discord.js";
import { expect, onTestFinished, test } from "vitest";
import { childEnv } from "../e2e/child-env.ts";

const SCRIPT = fileURLToPath(new URL("../../src/cli/atelier.ts", import.meta.url));

test("the standalone playground prints the settings that a bot needs, serves its page, and stops cleanly", async () => {
	const env = childEnv({ PORT: "0", STORE_URL: "memory:", LOG_LEVEL: "error" });
	const child = spawn(process.execPath, [SCRIPT, "playground"], { env, stdio: ["ignore", "pipe", "inherit"] });
	onTestFinished(() => void child.kill("SIGKILL"));
	let printed = "";
	for await (const text of child.stdout) {
		printed += String(text);
		if (printed.includes("Ctrl-C")) break;
	}
	const printedValue = (name: RegExp): string => new RegExp(`${name.source}\\s+(\\S+)`).exec(printed)?.[1] ?? "";
	expect((await fetch(printedValue(/Page/))).status).toBe(200);

	const client = new Client({ intents: [], rest: { api: printedValue(/API address/) } });
	const isReady = new Promise((resolve) => client.once(Events.ClientReady, resolve));
	await client.login(printedValue(/Bot token/));
	await isReady;
	expect(client.user?.id).toBe(printedValue(/Application id/));
	await client.destroy();

	child.kill("SIGTERM");
	expect(await once(child, "exit")).toStrictEqual([0, null]);
});
