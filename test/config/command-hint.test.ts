import { mkdir, writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { expect, test } from "vitest";
import { commandHint } from "../../src/config/command-hint.ts";
import { createTempFolder } from "../e2e/start-atelier.ts";

test("a hint names atelier if the shell finds it, and npx otherwise, whatever npm adds to the PATH", async () => {
	const folder = await createTempFolder();
	const [onPath, ofNpm] = [join(folder, "bin"), join(folder, "node_modules", ".bin")];
	for (const each of [onPath, ofNpm]) {
		await mkdir(each, { recursive: true });
		await writeFile(join(each, "atelier"), "");
	}
	expect(commandHint("doctor", [folder, onPath].join(delimiter))).toBe("`atelier doctor`");
	expect(commandHint("doctor", [ofNpm, folder].join(delimiter))).toBe("`npx atelier doctor`");
});
