import { signal } from "@preact/signals";
import { ApplicationCommandOptionType } from "discord-api-types/v10";
import { describe, expect, test } from "vitest";
import type { Command } from "../../web/src/command-text.ts";
import { createComposer, TAIL } from "../../web/src/composer-state.ts";

const option = (name: string, required: boolean) =>
	({ type: ApplicationCommandOptionType.String, name, description: name, required }) as const;
const grant: Command = {
	path: "credits grant",
	label: "credits grant",
	description: "Grants credits",
	options: [option("member", true), option("amount", true), option("reason", false)],
};

function composerAfter(typed: string) {
	const composer = createComposer({
		commands: signal([grant, { path: "help", label: "help", description: "Help", options: [] }]),
		directory: signal({ members: [], channels: [], roles: [] }),
		send: async () => undefined,
		autocomplete: async () => [],
		upload: () => Promise.reject(new Error("no uploads here")),
	});
	composer.typeTail(typed);
	return composer;
}

describe("the focus after a command was typed", () => {
	test.each([
		["/credits grant ", "member"],
		["/credits grant member: ada ", "amount"],
		["/credits grant member: ada amount: 5 ", "amount"],
		["/help ", TAIL],
	])("%s", (typed, focused) => {
		expect(composerAfter(typed).focusTarget.value?.name).toBe(focused);
	});
});
