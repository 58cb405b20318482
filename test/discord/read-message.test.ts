import { REST } from "discord.js";
import { expect, test } from "vitest";
import { createDiscordTextPoster } from "../../src/discord/discord-text-poster.ts";
import { messagesIn, UnexpectedBodyError } from "../../src/discord/read-message.ts";

const MESSAGE = { id: "1000000000000000099", content: "", author: { id: "1" }, attachments: [] };

function post(body: string, contentType: string): Promise<string | undefined> {
	const makeRequest = async () => new Response(body, { headers: { "content-type": contentType } });
	const rest = new REST({ retries: 0, makeRequest }).setToken("a-token");
	return createDiscordTextPoster({ rest }).post("50", { text: "hello", key: "hello" });
}

test.each([
	["[]", "application/json"],
	["{}", "application/json"],
	["<html></html>", "text/html"],
])("a message is posted only if Discord returns it, and not %s", async (body, contentType) => {
	expect(await post(JSON.stringify(MESSAGE), "application/json")).toBe(MESSAGE.id);
	await expect(post(body, contentType)).rejects.toThrow(UnexpectedBodyError);
});

test("a card of another bot whose media URL is not UTF-8 does not make the list of messages unreadable", () => {
	const components = [{ type: 12, items: [{ media: { url: "https://files.example/caf%E9.png" } }] }];
	expect(messagesIn([{ ...MESSAGE, components }, MESSAGE])).toMatchObject([
		{ filenames: ["caf%E9.png"] },
		{ filenames: [] },
	]);
});
