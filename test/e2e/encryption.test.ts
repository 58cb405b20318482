import { filesOf, textOf } from "@atelier/playground/user-client/message-contents";
import { randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createTempFolder } from "@atelier/common/testing/temp-folder";
import { openAtelier } from "./start-atelier.ts";
import { finalReply } from "./replies.ts";

const PROMPT = "a boat that nobody may read of";

test("with an encryption key no prompt is readable on disk, and tasks can be listed and repeated after a rotation", async () => {
	const folder = await createTempFolder();
	const [first, second] = [randomBytes(32).toString("base64"), randomBytes(32).toString("base64")];
	const path = join(folder, "atelier.db");
	const env = { DATA_DIR: folder, STORE_URL: `sqlite:${path}` };
	const before = await openAtelier({ env: { ...env, PROMPT_KEYS: first } });
	await finalReply(before.userClient.type("/style add", { name: "dusk", text: PROMPT }));
	const answer = await finalReply(before.userClient.type("/image", { prompt: PROMPT }));
	expect(filesOf(answer)).toHaveLength(1);
	const onDisk = async (): Promise<string> =>
		(await Promise.all([path, `${path}-wal`].map((file) => readFile(file, "latin1").catch(() => "")))).join("");
	expect(await onDisk()).toContain('"ciphertext":');
	expect(await onDisk()).not.toContain("nobody may read");
	await before.userClient.close();
	await before.atelier.stop();
	expect(await onDisk()).not.toContain("nobody may read");

	await expect(openAtelier({ env })).rejects.toThrow("Set PROMPT_KEYS to its previous value");
	const { userClient } = await openAtelier({ env: { ...env, PROMPT_KEYS: `${second},${first}` } });
	expect(textOf(await finalReply(userClient.type("/job list")))).toContain(PROMPT);
	const again = await finalReply(userClient.press(answer, { label: "Regenerate" }));
	expect(filesOf(again)).toHaveLength(1);
});
