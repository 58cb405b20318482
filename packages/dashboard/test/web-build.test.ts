/** The built page is committed, because no package may run code during the installation. */
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { build } from "vite";

const WEB = new URL("../web/", import.meta.url);

test("web/dist is the build of web/src; otherwise run: npx vite build packages/dashboard/web", async () => {
	const configFile = fileURLToPath(new URL("vite.config.ts", WEB));
	const built = await build({ configFile, build: { write: false } });
	if (!("output" in built)) throw new Error("vite built more than one bundle");
	for (const file of built.output) {
		const bytes = Buffer.from(file.type === "chunk" ? file.code : file.source);
		const committed = await readFile(new URL(`dist/${file.fileName}`, WEB));
		expect({ file: file.fileName, isCurrent: committed.equals(bytes) }).toMatchObject({ isCurrent: true });
	}
});
