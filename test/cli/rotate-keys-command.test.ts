import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { expect, test } from "vitest";
import { loadConfig } from "../../src/config/load-config.ts";
import { openConfiguredStore } from "../../src/cli/cli-context.ts";
import { openAdapter } from "@atelier/store/open-store";
import { createTempFolder } from "@atelier/common/testing/temp-folder";
import { runCli } from "./run-cli.ts";

const TASK = { state: "reserved", request: { prompt: "a secret boat" } };

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

	expect(await runCli(["rotate-keys", "--plain"], { env: rotated })).toMatchObject({ code: 0 });
	expect(await stored()).toContain("a secret boat");
});
