/** discordeno, which shares no code with discord.js, checks that the playground provides what it relies on. */
import { ButtonStyles, createBot, MessageComponentTypes, TextStyles } from "@discordeno/bot";
import { expect, onTestFinished, test } from "vitest";
import { openPlayground } from "../../testing/setup.ts";
import { IMAGE, IMAGE_COMMAND, playScenario } from "./scenario.ts";

const { ActionRow: Row, Button, InputText } = MessageComponentTypes;
const button = { type: Button, style: ButtonStyles.Secondary, customId: "edit", label: "Edit" } as const;
// In a row, because discordeno does not read fields in labels.
const field = { type: InputText, customId: "prompt", label: "Prompt", style: TextStyles.Paragraph } as const;

test("discordeno logs in, and answers a command with a file, a button and a form", async () => {
	const playground = await openPlayground();
	const token = playground.botToken;
	const bot = createBot({
		token,
		rest: { proxy: { baseUrl: `${playground.origin}/api`, authorization: `Bot ${token}` } },
		desiredProperties: {
			interaction: { id: true, token: true, data: true, type: true },
			component: { customId: true, components: true, value: true },
		},
		events: {
			async interactionCreate(interaction) {
				const { customId, options, components } = interaction.data ?? {};
				if (customId === "edit") {
					await interaction.respond({
						customId: "form",
						title: "Edit the picture",
						components: [{ type: Row, components: [field] }],
					});
				} else if (customId === "form") {
					await interaction.respond(`Edited: ${components?.[0]?.components?.[0]?.value}`);
				} else {
					await interaction.defer();
					await interaction.edit({
						content: `**${String(options?.[0]?.value)}**`,
						files: [{ name: "art.png", blob: new Blob([IMAGE]) }],
						components: [{ type: Row, components: [button] }],
					});
				}
			},
		},
	});
	onTestFinished(() => bot.shutdown());
	await bot.start();
	const user = await playground.user();
	await expect.poll(async () => (await user.state()).bot.online).toBe(true);
	await bot.rest.upsertGlobalApplicationCommands([{ ...IMAGE_COMMAND, options: [...IMAGE_COMMAND.options] }]);

	expect(await playScenario(user)).toBe("Edited: a lighthouse at dawn");
});
