import { signal } from "@preact/signals";
import { type APIMessage, ApplicationCommandOptionType } from "discord-api-types/v10";
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

function composerAfter(
	typed: string,
	say: (text: string, replyTo: APIMessage | null) => Promise<void> = async () => {},
) {
	const composer = createComposer({
		commands: signal([grant, { path: "help", label: "help", description: "Help", options: [] }]),
		directory: signal({ members: [], channels: [], roles: [] }),
		send: async () => undefined,
		say,
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

describe("text that is no command", () => {
	test("is sent as a message, in reply to the chosen one", () => {
		const sent: unknown[] = [];
		const composer = composerAfter("  a boat ", async (...message) => void sent.push(message));
		const message = { id: "1" } as APIMessage;
		composer.startReply(message);
		composer.submit();
		expect(sent).toStrictEqual([["a boat", message]]);
		expect([composer.tail.value, composer.replyTarget.value]).toStrictEqual(["", null]);
	});

	test("stays in the composer with the reason if the playground rejects it", async () => {
		const composer = composerAfter("a boat", () => Promise.reject(new Error("You may not write in this channel.")));
		composer.submit();
		await expect
			.poll(() => composer.hint.value)
			.toStrictEqual({ text: "You may not write in this channel.", isError: true });
		expect(composer.tail.value).toBe("a boat");
	});

	test("that begins with a slash is not sent if no command has this name", () => {
		const sent: unknown[] = [];
		const composer = composerAfter("/unknown", async (...message) => void sent.push(message));
		composer.submit();
		expect(sent).toStrictEqual([]);
		expect(composer.hint.value).toMatchObject({ isError: true });
	});
});
