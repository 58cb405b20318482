import { REST } from "discord.js";
import { describe, expect, test } from "vitest";
import { createDiscordChannelPoster } from "../../src/discord/channel-poster.ts";
import { createModeratorsChannel } from "../../src/discord/moderators-channel.ts";
import { NotAMessageError } from "../../src/discord/read-message.ts";

const MESSAGE = { id: "1000000000000000099", content: "", author: { id: "1" }, attachments: [] };

function restThatAnswers(body: string, contentType = "application/json") {
	const makeRequest = async () => new Response(body, { headers: { "content-type": contentType } });
	return { rest: new REST({ retries: 0, makeRequest }).setToken("a-token") };
}

describe.each([
	[
		"a channel message",
		(deps: { rest: REST }) => createDiscordChannelPoster(deps).post("50", { text: "hello", key: "hello" }),
	],
	[
		"a report to the moderators",
		(deps: { rest: REST }) => {
			const place = { taskId: "9", guildId: "10", userId: "7", channelId: "50", messageId: "70" };
			const request = { mediaType: "image", modelName: "any", prompt: "a boat", chargedCredits: 4 };
			const reports = { "8": { reason: "spam", atMs: 0, isPosted: false } };
			const messages = { read: async () => ({ kind: "unknown" }) as const };
			return createModeratorsChannel({ ...deps, messages }).post(
				"50",
				{ ...place, ...request, reports, done: {} },
				"8",
				"en",
			);
		},
	],
])("%s", (_what, post) => {
	test("is posted if Discord returns the message", async () => {
		expect(await post(restThatAnswers(JSON.stringify(MESSAGE)))).toBeTruthy();
	});

	test.each([
		["[]", "application/json"],
		["{}", "application/json"],
		["<html></html>", "text/html"],
	])("is not posted if Discord returns 200 with %s", async (body, contentType) => {
		await expect(post(restThatAnswers(body, contentType))).rejects.toThrow(NotAMessageError);
	});
});
