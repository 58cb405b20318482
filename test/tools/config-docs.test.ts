import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { environment } from "../../src/config/schema.ts";
import { defaultCell, metaOf, written, type Name } from "../../tools/config-docs.ts";

const read = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");
const isKnown = (name: string): name is Name => name in environment.shape;

const times = (path: string, pattern: string): number => read(path).match(new RegExp(pattern, "gm"))?.length ?? 0;
const headingsOf = (path: string): readonly string[] =>
	[...read(path).matchAll(/^#+ (.+)$/gm)].map(([, title = ""]) =>
		title
			.toLowerCase()
			.replaceAll(/[^\w\s-]/g, "")
			.replaceAll(" ", "-"),
	);

describe("the documentation of the configuration", () => {
	test.each(Object.keys(written()))("%s is what npm run docs writes", (path) => {
		expect(read(path)).toBe(written()[path]);
	});

	test("names every variable of the schema, in the guide and in .env.example, once", () => {
		const names = Object.keys(environment.shape);
		const seen = names.map((name) => ({
			name,
			words: isKnown(name) && metaOf(name).description !== undefined,
			guide: times("docs/configuration.md", `^\\| \`${name}\``),
			example: times(".env.example", `^#?${name}=`),
		}));
		expect(seen).toStrictEqual(names.map((name) => ({ name, words: true, guide: 1, example: 1 })));
	});

	test("leads to headings that there are", () => {
		const lost = Object.keys(environment.shape).filter((name) => {
			const [file = "", heading] = metaOf(name as Name).more?.split("#") ?? [];
			return heading !== undefined && !headingsOf(`docs/${file}`).includes(heading);
		});
		expect(lost).toStrictEqual([]);
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
