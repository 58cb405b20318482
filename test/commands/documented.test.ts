/** Whoever adds a command tells those who read what there is. */
import { readFile } from "node:fs/promises";
import { ApplicationCommandOptionType } from "discord-api-types/v10";
import { expect, test } from "vitest";
import { commands, messageCommands } from "../../src/commands/index.ts";

test.each(["README.md", "docs/commands.md"])("%s names every command", async (path) => {
	const page = await readFile(new URL(`../../${path}`, import.meta.url), "utf8");
	const names = commands.map(({ definition }) => definition.name);
	expect(names.filter((name) => !new RegExp(`\`/${name}[\` ]`).test(page))).toStrictEqual([]);
});

test("docs/commands.md names every subcommand, and every command of a message's menu", async () => {
	const page = await readFile(new URL("../../docs/commands.md", import.meta.url), "utf8");
	const subcommands = commands.flatMap(({ definition: { name, options = [] } }) =>
		options
			.filter(({ type }) => type === ApplicationCommandOptionType.Subcommand)
			.map((each) => ({ command: name, name: each.name })),
	);
	const inPage = ({ command, name }: { command: string; name: string }): boolean =>
		page.split("\n").some((line) => line.includes(`/${command}`) && new RegExp(`\\b${name}\\b`).test(line));
	expect(subcommands.filter((each) => !inPage(each))).toStrictEqual([]);
	const menus = messageCommands.map(({ definition }) => definition.name);
	expect(menus.filter((name) => !page.includes(`**${name}**`))).toStrictEqual([]);
});
