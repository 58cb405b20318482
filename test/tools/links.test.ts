import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";

const ROOT = join(import.meta.dirname, "../..");

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
		const text = readFileSync(join(ROOT, page), "utf8").replaceAll(/```[^]*?```/g, "");
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
