/** The queue of a music bot runs against the playground as it is, without voice. */
import type { APIMessage } from "discord-api-types/v10";
import { describe, expect, test } from "vitest";
import { openDiscord } from "./open-discord.ts";
import { startMusicBot } from "./start-music-bot.ts";

const SKIP = "⏭️";
const shows = (title: string, description?: string) => (message: APIMessage) =>
	message.embeds.some((embed) => embed.title === title && embed.description === description);

describe("a music bot", () => {
	test("shows its queue in an embed, which grows with each song", async () => {
		const { ada, grace } = await openDiscord(startMusicBot, ["ManageMessages"]);
		await ada.say("!play One");
		const shown = await ada.untilMessage(shows("Playing One"));
		const { id } = await grace.say("!play Two");
		expect(await grace.untilMessage(shows("Playing One", "1. Two"))).toMatchObject({ id: shown.id });
		await grace.untilMessage((message) => message.id === id && message.reactions?.[0]?.emoji.name === "✅");
	});

	test("skips after two votes by reaction, then clears the reactions", async () => {
		const { ada, grace } = await openDiscord(startMusicBot, ["ManageMessages"]);
		await ada.say("!play One");
		const one = await ada.untilMessage(({ reactions, embeds }) => embeds.length > 0 && reactions?.[0]?.count === 1);
		await ada.say("!play Two");
		await ada.untilMessage(shows("Playing One", "1. Two"));
		await ada.react(one, SKIP);
		await ada.unreact(one, SKIP);
		await ada.react(one, SKIP);
		await grace.react(one, SKIP);
		const skipped = await ada.untilMessage(({ id, content }) => id === one.id && content === "Skipped One");
		expect(skipped).toMatchObject({ embeds: [] });
		expect(skipped.reactions).toBeUndefined();
		await ada.untilMessage(shows("Playing Two"));
	});

	test("asks for the number of a song, and stops", async () => {
		const { ada, grace } = await openDiscord(startMusicBot, ["ManageMessages"]);
		await ada.say("!search harbor");
		const list = await ada.untilMessage(({ content }) => content.startsWith("1. Harbor Lights\n2. Harbor Rain"));
		expect(list).toMatchObject({ mentions: [{ username: "ada" }] });
		await grace.say("1");
		await ada.say("9");
		await ada.say("3");
		await grace.untilMessage(shows("Playing Harbor Waltz"));
		await ada.say("!stop");
		await ada.untilMessage(({ content }) => content === "Stopped");
	});
});
