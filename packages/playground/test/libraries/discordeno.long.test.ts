/** discordeno, which shares no code with discord.js, checks that the playground provides what it relies on. */
import { ApplicationCommandOptionTypes, createBot } from "@discordeno/bot";
import { expect, onTestFinished, test } from "vitest";
import { openPlayground } from "../../testing/setup.ts";
import { expectImageFor, IMAGE } from "./image-for.ts";

test("discordeno logs in, registers a command, defers, and edits its reply with a file", async () => {
	const playground = await openPlayground();
	const token = playground.playground.botToken;
	const failures: unknown[] = [];
	const bot = createBot({
		token,
		rest: { proxy: { baseUrl: `${playground.origin}/api`, authorization: `Bot ${token}` } },
		desiredProperties: { interaction: { id: true, token: true, data: true, type: true } },
		events: {
			async interactionCreate(interaction) {
				try {
					await interaction.defer();
					const prompt = String(interaction.data?.options?.[0]?.value);
					await interaction.edit({
						content: `**${prompt}**`,
						files: [{ name: "art.png", blob: new Blob([IMAGE]) }],
					});
				} catch (error) {
					failures.push(error);
				}
			},
		},
	});
	onTestFinished(() => bot.shutdown());
	await bot.start();
	const user = await playground.user();
	await expect.poll(async () => (await user.state()).bot.online, { timeout: 20_000 }).toBe(true);
	await bot.rest.upsertGlobalApplicationCommands([
		{
			name: "image",
			description: "Makes a picture",
			options: [
				{ type: ApplicationCommandOptionTypes.String, name: "prompt", description: "What it shows", required: true },
			],
		},
	]);

	await expectImageFor(user);
	expect(failures).toStrictEqual([]);
});
