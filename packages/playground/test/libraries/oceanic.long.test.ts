/** oceanic.js, which shares no code with discord.js, checks that the playground provides what it relies on. */
import { once } from "node:events";
import { type AnyInteractionGateway, ButtonStyles, Client, ComponentTypes, TextInputStyles } from "oceanic.js";
import { expect, onTestFinished, test } from "vitest";
import { openPlayground } from "../../testing/setup.ts";
import { IMAGE, IMAGE_COMMAND, playScenario } from "./scenario.ts";

async function answer(interaction: AnyInteractionGateway): Promise<void> {
	if (interaction.isCommandInteraction()) {
		await interaction.defer();
		await interaction.editOriginal({
			content: `**${interaction.data.options.getString("prompt", true)}**`,
			files: [{ name: "art.png", contents: IMAGE }],
			components: [
				{
					type: ComponentTypes.ACTION_ROW,
					components: [{ type: ComponentTypes.BUTTON, style: ButtonStyles.SECONDARY, customID: "edit", label: "Edit" }],
				},
			],
		});
	} else if (interaction.isComponentInteraction()) {
		await interaction.createModal({
			customID: "form",
			title: "Edit the picture",
			components: [
				{
					type: ComponentTypes.LABEL,
					label: "Prompt",
					component: { type: ComponentTypes.TEXT_INPUT, customID: "prompt", style: TextInputStyles.PARAGRAPH },
				},
			],
		});
	} else if (interaction.isModalSubmitInteraction()) {
		const prompt = interaction.data.components.getTextInput("prompt", true);
		await interaction.createMessage({ content: `Edited: ${prompt}` });
	}
}

test("oceanic.js logs in, and answers a command with a file, a button and a form", async () => {
	const playground = await openPlayground();
	const client = new Client({
		auth: `Bot ${playground.botToken}`,
		gateway: { intents: [] },
		rest: { baseURL: `${playground.origin}/api/v10` },
	});
	client.on("interactionCreate", (interaction) => void answer(interaction));
	onTestFinished(() => client.disconnect(false));
	await Promise.all([once(client, "ready"), client.connect()]);
	await client.application.bulkEditGlobalCommands([{ ...IMAGE_COMMAND, options: [...IMAGE_COMMAND.options] }]);

	expect(await playScenario(await playground.user())).toBe("Edited: a lighthouse at dawn");
});
