/** The built pages are committed, because no package may run code during the installation. */
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { build } from "vite";

test.each(["playground", "dashboard"])(
	"the committed page of the %s is the build of its sources; otherwise build it as CONTRIBUTING.md says",
	async (name) => {
		const web = new URL(`../../packages/${name}/web/`, import.meta.url);
		const configFile = fileURLToPath(new URL("vite.config.ts", web));
		const built = await build({ configFile, build: { write: false } });
		if (!("output" in built)) throw new Error("vite built more than one bundle");
		for (const file of built.output) {
			const bytes = Buffer.from(file.type === "chunk" ? file.code : file.source);
			const committed = await readFile(new URL(`dist/${file.fileName}`, web));
			expect({ file: file.fileName, isCurrent: committed.equals(bytes) }).toMatchObject({ isCurrent: true });
		}
	},
);
