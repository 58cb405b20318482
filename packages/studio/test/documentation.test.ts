import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { CODES } from "../src/errors.ts";
import { FAULTS } from "../src/task-errors.ts";
import { DEFAULT_LIMITS } from "../src/limits.ts";
import { routes } from "../src/routes.ts";

const page = await readFile(new URL("../../../docs/studio-api.md", import.meta.url), "utf8");

test("the page names every operation", () => {
	for (const { method, path } of routes)
		expect(page).toContain(`${method} /api/v1${path.replace(":taskId", "{taskId}")}`);
});

test("the page names every code of a refusal and of a failed task", () => {
	for (const code of Object.values(CODES)) expect(page).toContain(`| ${code} |`);
	for (const { code } of Object.values(FAULTS)) expect(page).toContain(`| \`${code}\``);
});

test("the page gives the limits that are in force", () => {
	const { promptCharsMax, openTasksPerAccountMax, openTasksMax, attemptsMax, interruptionsMax } = DEFAULT_LIMITS;
	const rows = page.split("\n").map((line) => line.replaceAll(/\s+/g, " "));
	expect(rows).toContain(`| prompt | ${promptCharsMax.toLocaleString("en")} characters |`);
	expect(rows.join("\n")).toContain(`| ${openTasksPerAccountMax}; ${openTasksMax.toLocaleString("en")} (`);
	expect(rows).toContain(`| attempts | ${attemptsMax} |`);
	expect(rows).toContain(`| crashes that one task may live through | ${interruptionsMax} |`);
});
