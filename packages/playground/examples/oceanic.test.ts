import assert from "node:assert/strict";
import { once } from "node:events";
import { startPlayground } from "@atelier/playground";
import { Client } from "oceanic.js";
import { test } from "vitest";

test("/ping is answered with the member's name", async () => {
	await using discord = await startPlayground();
	const bot = new Client({ auth: `Bot ${discord.botToken}`, rest: { baseURL: `${discord.apiUrl}/v10` } });
	bot.on("interactionCreate", (interaction) => {
		if (interaction.isCommandInteraction())
			void interaction.reply({ content: `Pong, ${interaction.user.globalName}!` });
	});
	await Promise.all([once(bot, "ready"), bot.connect()]);
	await bot.application.bulkEditGlobalCommands([{ type: 1, name: "ping", description: "Answers" }]);
	const ada = await discord.openUser({ username: "ada" });
	const message = await (await ada.type("/ping")).until();
	assert.equal(message.content, "Pong, Ada!");
	bot.disconnect(false);
});
