import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const FOLDER = join(import.meta.dirname, "../../.github");

const isThere = ([, path = "", title = ""]: RegExpExecArray): boolean =>
	existsSync(join(FOLDER, path)) && readFileSync(join(FOLDER, path), "utf8").includes(`("${title}"`);

test("each threat in SECURITY.md names a test that there is", () => {
	const page = readFileSync(join(FOLDER, "SECURITY.md"), "utf8");
	const rows = page.split("\n").filter((line) => line.startsWith("| ") && !/^\| (?:who|-)/.test(line));
	expect(rows.length).toBeGreaterThan(10);
	const unshown = rows.filter((row) => {
		const shown = [...row.matchAll(/\]\(([^)]+\.test\.ts)\): “([^”]+)”/g)];
		return shown.length === 0 || shown.length !== row.split("](").length - 1 || !shown.every(isThere);
	});
	expect(unshown).toStrictEqual([]);
});
