import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { CODES } from "../src/errors.ts";
import { TASK_FAILURES } from "../src/task.ts";
import { DEFAULT_LIMITS } from "../src/limits.ts";
import { setup } from "../testing/studio-setup.ts";

const page = await readFile(new URL("../../../docs/studio-api.md", import.meta.url), "utf8");

test("the page names every operation", async () => {
	for (const { method, path } of await (await setup()).operations()) expect(page).toContain(`${method} ${path}`);
});

test("the page names every code of a rejection and of a failed task", () => {
	for (const code of Object.values(CODES)) expect(page).toContain(`| ${code} |`);
	for (const { code } of Object.values(TASK_FAILURES)) expect(page).toContain(`| \`${code}\``);
});

test("the page names the default limits", () => {
	const { promptCharsMax, openTasksPerAccountMax, openTasksMax, attemptsMax, interruptionsMax } = DEFAULT_LIMITS;
	const rows = page.split("\n").map((line) => line.replaceAll(/\s+/g, " "));
	expect(rows).toContain(`| prompt | ${promptCharsMax.toLocaleString("en")} characters |`);
	expect(rows.join("\n")).toContain(`| ${openTasksPerAccountMax}; ${openTasksMax.toLocaleString("en")} (`);
	expect(rows).toContain(`| attempts | ${attemptsMax} |`);
	expect(rows).toContain(`| crashes during one task | ${interruptionsMax} |`);
});
