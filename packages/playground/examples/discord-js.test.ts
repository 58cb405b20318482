import { once } from "node:events";
import { startPlayground } from "@atelier/playground";
import { Client, Events, GatewayIntentBits } from "discord.js";
import { expect, test } from "vitest";

test("/ping is answered with the member's name", async () => {
	await using discord = await startPlayground();
	const bot = new Client({ intents: [GatewayIntentBits.Guilds], rest: { api: discord.apiUrl } });
	bot.on(Events.InteractionCreate, (interaction) => {
		if (interaction.isChatInputCommand()) void interaction.reply(`Pong, ${interaction.user.displayName}!`);
	});
	await Promise.all([once(bot, Events.ClientReady), bot.login(discord.botToken)]);
	await bot.application?.commands.set([{ name: "ping", description: "Answers" }]);
	const ada = await discord.openUser({ username: "ada" });
	const reply = await ada.type("/ping");
	expect(await reply.until()).toMatchObject({ content: "Pong, Ada!" });
	await bot.destroy();
});
