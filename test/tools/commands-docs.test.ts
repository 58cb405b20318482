import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { definitionsFor } from "../../src/commands/index.ts";

test.each(["README.md", "docs/commands.md"])("%s names every slash command", (file) => {
	const text = readFileSync(new URL(`../../${file}`, import.meta.url), "utf8");
	const names = definitionsFor({ hasImprover: true }).flatMap((definition) =>
		"description" in definition ? [definition.name] : [],
	);

	expect(names.length).toBeGreaterThan(10);
	expect(names.filter((name) => !new RegExp(`\`/${name}[ \`]`).test(text))).toEqual([]);
});
