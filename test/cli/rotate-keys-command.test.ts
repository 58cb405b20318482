import { randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { loadConfig } from "../../src/config/load-config.ts";
import { openConfiguredStore } from "../../src/cli/cli-context.ts";
import { openAdapter, openStore } from "@atelier/store/open-store";
import { lockStore } from "@atelier/store/store-lock";
import { createTempFolder } from "@atelier/common/testing/temp-folder";
import { runCli } from "./run-cli.ts";

const TASK = { state: "reserved", request: { prompt: "a secret boat" } };

async function openPlainStore() {
	const path = join(await createTempFolder(), "atelier.db");
	const env = { STORE_URL: `sqlite:${path}`, PROMPT_KEYS: randomBytes(32).toString("base64") };
	return { env, path, store: await openStore(env.STORE_URL) };
}

test("rotate-keys encrypts with the first key, then with none, and counts the changed documents", async () => {
	const STORE_URL = `sqlite:${join(await createTempFolder(), "atelier.db")}`;
	const keys = [randomBytes(32), randomBytes(32)].map((key) => key.toString("base64"));
	const env = { STORE_URL, PROMPT_KEYS: keys[0] ?? "" };
	const store = await openConfiguredStore(loadConfig(env), { mayCreate: true });
	await store.set("task:1", TASK);
	await store.close();
	const stored = async (): Promise<string> => {
		const storage = await openAdapter(STORE_URL);
		const text = (await storage.get("task:1")) ?? "";
		await storage.disconnect();
		return text;
	};
	const before = await stored();
	expect(before).not.toContain("secret");

	const rotated = { STORE_URL, PROMPT_KEYS: keys.toReversed().join(",") };
	expect(await runCli(["rotate-keys"], { env: rotated })).toMatchObject({
		code: 0,
		stdout: ["1 document was changed."],
	});
	const after = await stored();
	expect(after).not.toContain("secret");
	expect(after).not.toBe(before);
	expect(await runCli(["rotate-keys"], { env: rotated })).toMatchObject({ stdout: ["0 documents were changed."] });

	expect(await runCli(["rotate-keys", "--plain"], { env: rotated })).toMatchObject({
		code: 0,
		stdout: ["1 document was changed.", "Remove PROMPT_KEYS now: with it, the next start encrypts again."],
	});
	expect(await stored()).toContain("a secret boat");
});

test("rotate-keys removes plain texts from the whole file, unless a bot uses it; --plain needs the store alone", async () => {
	const { env, path, store } = await openPlainStore();
	for (let id = 0; id < 100; id++) await store.set(`task:${id}`, TASK);
	await store.close();
	const onDisk = async (): Promise<string> =>
		(await Promise.all([path, `${path}-wal`].map((file) => readFile(file, "latin1").catch(() => "")))).join("");
	const bot = lockStore(env.STORE_URL, "bot");
	expect(await runCli(["rotate-keys"], { env })).toMatchObject({
		code: 0,
		stdout: [
			"100 documents were changed.",
			"Unused parts of the file can still contain plain texts: run this again while the bot is stopped.",
		],
	});
	expect(await onDisk()).toContain("secret");
	expect(await runCli(["rotate-keys", "--plain"], { env })).toMatchObject({
		code: 1,
		stderr: expect.stringContaining("Not possible: another process works on the store"),
	});
	bot[Symbol.dispose]();
	expect(await runCli(["rotate-keys"], { env })).toMatchObject({ code: 0, stdout: ["0 documents were changed."] });
	expect(await onDisk()).not.toContain("secret");
});

test("rotate-keys changes all documents that can be read, names the others, and says to keep the keys", async () => {
	const { env, path, store } = await openPlainStore();
	await store.set("task:1", TASK);
	await store.close();
	const storage = await openAdapter(`sqlite:${path}`);
	await storage.set("task:2", "{");
	await storage.disconnect();
	expect(await runCli(["rotate-keys"], { env })).toStrictEqual({
		code: 1,
		stdout: ["1 document was changed."],
		stderr:
			"1 document cannot be read and stays as it is: task:2. Keep the other keys until all documents can be read.",
	});
});
