import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { environment } from "../../src/config/schema.ts";
import { defaultCell, written, type Name } from "../../tools/config-docs.ts";

const read = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");
const isKnown = (name: string): name is Name => name in environment.shape;

describe("the documentation of the configuration", () => {
	test.each(Object.keys(written()))("%s is what npm run docs writes", (path) => {
		expect(read(path)).toBe(written()[path]);
	});

	test("is repeated by the README with names and defaults as they are", () => {
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
