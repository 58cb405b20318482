/** A bot that is built as the guide of discord.js teaches runs unchanged against the playground. */
import { describe, expect, test } from "vitest";
import { openDiscord } from "./open-discord.ts";
import { startGuideBot } from "./discord-js-guide-bot/start-guide-bot.ts";

describe("the bot of the guide", () => {
	test("loads its folder of commands, and enforces a cooldown for each member", async () => {
		const { ada, grace } = await openDiscord(startGuideBot);
		const { commands } = await ada.state();
		expect(commands.map(({ name }) => name).toSorted()).toStrictEqual(["archive", "color", "feedback", "ping"]);
		const first = await ada.type("/ping");
		await first.until(({ content }) => /^Pong after \d+ ms$/.test(content));
		const second = await ada.type("/ping");
		expect(await second.until()).toMatchObject({ content: expect.stringMatching(/^Wait until <t:\d+:R>$/), flags: 64 });
		const other = await grace.type("/ping");
		await other.until(({ content }) => content.startsWith("Pong"));
	});

	test("waits for a button of the member who typed the command, and responds to a menu", async () => {
		const { ada, grace } = await openDiscord(startGuideBot);
		const reply = await ada.type("/archive", { topic: "boats" });
		const question = await reply.until(({ components }) => (components ?? []).length > 0);
		const foreign = await grace.press(question, { label: "Keep" });
		await ada.press(question, { label: "Archive" });
		expect(await reply.until(({ components }) => components?.length === 0)).toMatchObject({
			content: "Archived **boats**",
		});
		await expect(foreign.answered()).rejects.toThrow("This interaction failed");

		const colors = await ada.type("/color");
		const menu = await colors.until();
		await ada.press(menu, { customId: "color:choose" }, ["red", "blue"]);
		await colors.until(({ content }) => content === "You like red and blue");
	});

	test("opens a form, and reads its field", async () => {
		const { ada } = await openDiscord(startGuideBot);
		const reply = await ada.type("/feedback");
		const sent = await ada.submit(await reply.modal(), { text: "more boats" });
		expect(await sent.until()).toMatchObject({ content: 'Thank you for "more boats"', flags: 64 });
	});
});
