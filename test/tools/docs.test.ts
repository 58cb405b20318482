import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { definitionsFor } from "../../src/commands/index.ts";
import { environment } from "../../src/config/schema.ts";
import { defaultCell, generatedDocs, type Name } from "../../tools/config-docs.ts";

const ROOT = join(import.meta.dirname, "../..");
const isKnown = (name: string): name is Name => name in environment.shape;
const read = (path: string): string => readFileSync(join(ROOT, path), "utf8");

test.each(["README.md", "docs/commands.md"])("%s names every slash command", (file) => {
	const text = read(file);
	const definitions = definitionsFor({ hasImprover: true });
	const names = definitions.flatMap((definition) => ("description" in definition ? [definition.name] : []));
	expect(names.length).toBeGreaterThan(10);
	expect(names.filter((name) => !new RegExp(`\`/${name}[ \`]`).test(text))).toEqual([]);
});

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

/** Anchors as GitHub derives them from headings. */
const anchorsOf = (path: string): readonly string[] =>
	[...readFileSync(path, "utf8").matchAll(/^#+ (.+)$/gm)].map(([, title = ""]) =>
		title
			.toLowerCase()
			.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1")
			.replaceAll(/[^\p{L}\p{N}_\s-]/gu, "")
			.replaceAll(" ", "-"),
	);

test("every link in the documentation leads to an existing file and heading", () => {
	const pages = globSync(["*.md", "docs/**/*.md", ".github/*.md", "examples/**/*.md"], { cwd: ROOT });
	expect(pages.length).toBeGreaterThan(20);
	const lost = pages.flatMap((page) => {
		const text = read(page).replaceAll(/```[^]*?```/g, "");
		const targets = [...text.matchAll(/\]\((?!https?:)([^)\s]+)\)/g)].map(([, target = ""]) => target);
		return targets.filter((target) => {
			const [path = "", anchor] = target.split("#");
			const file = path === "" ? join(ROOT, page) : join(ROOT, dirname(page), path);
			if (!existsSync(file)) return true;
			return anchor !== undefined && file.endsWith(".md") && !anchorsOf(file).includes(anchor);
		});
	});
	expect(lost).toStrictEqual([]);
});
