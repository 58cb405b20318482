import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { environment } from "../../src/config/schema.ts";
import { defaultCell, generatedDocs, type Name } from "../../tools/config-docs.ts";

const read = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");
const isKnown = (name: string): name is Name => name in environment.shape;

describe("the documentation of the configuration", () => {
	test.each(Object.keys(generatedDocs()))("%s is up to date: npm run docs writes the same text", (path) => {
		expect(read(path)).toBe(generatedDocs()[path]);
	});

	test("has the same names and defaults as the README", () => {
		const section = /^## Configuration$([^]*?)^## /m.exec(read("README.md"))?.[1] ?? "";
		const rows = [...section.matchAll(/^\| (`.+?) +\| (.+?) +\|/gm)];
		expect(rows.length).toBeGreaterThan(5);
		for (const [, names = "", cell = ""] of rows) {
			const defaults = names.split(", ").map((quoted) => {
				const name = quoted.replaceAll("`", "");
				return isKnown(name) ? defaultCell(name) : `no such variable: ${name}`;
			});
			expect(cell).toBe(defaults.join(", "));
		}
	});
});
