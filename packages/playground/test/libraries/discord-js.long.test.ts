/** discord.js checks that the playground provides what it relies on. */
import {
	ActionRowBuilder,
	ButtonBuilder,
	ButtonStyle,
	type Interaction,
	LabelBuilder,
	ModalBuilder,
	TextInputBuilder,
	TextInputStyle,
} from "discord.js";
import { expect, test } from "vitest";
import { openDiscordJs } from "../discord-js-client.ts";
import { expectScenario, IMAGE, IMAGE_COMMAND } from "./scenario.ts";

const editButton = new ButtonBuilder().setCustomId("edit").setLabel("Edit").setStyle(ButtonStyle.Secondary);
const promptField = new TextInputBuilder().setCustomId("prompt").setStyle(TextInputStyle.Paragraph);
const form = new ModalBuilder()
	.setCustomId("form")
	.setTitle("Edit the picture")
	.addLabelComponents(new LabelBuilder().setLabel("Prompt").setTextInputComponent(promptField));

async function answer(interaction: Interaction): Promise<void> {
	if (interaction.isChatInputCommand()) {
		await interaction.deferReply();
		await interaction.editReply({
			content: `**${interaction.options.getString("prompt", true)}**`,
			files: [{ attachment: IMAGE, name: "art.png" }],
			components: [new ActionRowBuilder<ButtonBuilder>().addComponents(editButton)],
		});
	} else if (interaction.isButton()) {
		await interaction.showModal(form);
	} else if (interaction.isModalSubmit()) {
		await interaction.reply(`Edited: ${interaction.fields.getTextInputValue("prompt")}`);
	}
}

test("discord.js logs in, and answers a command with a file, a button and a form", async () => {
	const { playground, client, failures } = await openDiscordJs(answer);
	await client.application?.commands.set([IMAGE_COMMAND]);

	await expectScenario(await playground.user());
	expect(failures).toStrictEqual([]);
});
