/** Buttons, menus, modals and context menus through the unmodified discord.js. */
import {
	ActionRowBuilder,
	ApplicationCommandType,
	ButtonBuilder,
	ButtonStyle,
	type Interaction,
	LabelBuilder,
	MessageFlags,
	ModalBuilder,
	Partials,
	StringSelectMenuBuilder,
	TextInputBuilder,
	TextInputStyle,
	UserSelectMenuBuilder,
} from "discord.js";
import { describe, expect, test } from "vitest";
import { IMAGE_COMMAND } from "../testing/setup.ts";
import { openDiscordJs } from "./discord-js-client.ts";

const buttons = () =>
	new ActionRowBuilder<ButtonBuilder>().addComponents(
		["again", "edit", "later"].map((id) =>
			new ButtonBuilder().setCustomId(id).setLabel(id).setStyle(ButtonStyle.Secondary),
		),
	);
const sizes = () =>
	new ActionRowBuilder<StringSelectMenuBuilder>().addComponents(
		new StringSelectMenuBuilder().setCustomId("size").addOptions([
			{ label: "Small", value: "s" },
			{ label: "Large", value: "l" },
		]),
	);
const people = () =>
	new ActionRowBuilder<UserSelectMenuBuilder>().addComponents(new UserSelectMenuBuilder().setCustomId("who"));
const form = () =>
	new ModalBuilder()
		.setCustomId("form")
		.setTitle("Edit")
		.addLabelComponents(
			new LabelBuilder()
				.setLabel("Prompt")
				.setTextInputComponent(new TextInputBuilder().setCustomId("prompt").setStyle(TextInputStyle.Paragraph)),
			new LabelBuilder()
				.setLabel("Size")
				.setStringSelectMenuComponent(
					new StringSelectMenuBuilder().setCustomId("size").addOptions([{ label: "Small", value: "s" }]),
				),
		);

async function openBot() {
	const { playground, client, failures } = await openDiscordJs(answer, { partials: [Partials.Channel] });
	const menu = { type: ApplicationCommandType.Message, name: "Describe" } as const;
	const card = { type: ApplicationCommandType.User, name: "Card" } as const;
	await client.application?.commands.set([IMAGE_COMMAND, menu, card]);
	const user = await playground.user();
	const message = await (await user.type("/image", { prompt: "x" })).until();
	return { user, message, failures };
}

async function answer(interaction: Interaction): Promise<void> {
	if (interaction.isChatInputCommand()) {
		await interaction.reply({ content: "made", components: [buttons(), sizes(), people()] });
	} else if (interaction.isButton() && interaction.customId === "again") {
		await interaction.update({ content: `again, by ${interaction.user.username}`, components: [] });
	} else if (interaction.isButton() && interaction.customId === "later") {
		await interaction.deferUpdate();
		await interaction.editReply({ content: "later", files: [{ attachment: Buffer.from("png"), name: "a.png" }] });
	} else if (interaction.isButton()) {
		await interaction.showModal(form());
	} else if (interaction.isStringSelectMenu()) {
		await interaction.reply({ content: interaction.values.join(), flags: MessageFlags.Ephemeral });
	} else if (interaction.isUserSelectMenu()) {
		await interaction.deferReply();
		await interaction.editReply(interaction.users.map(({ username }) => username).join());
	} else if (interaction.isModalSubmit() && interaction.isFromMessage()) {
		const { fields } = interaction;
		await interaction.update({
			content: `${fields.getTextInputValue("prompt")}, ${fields.getStringSelectValues("size").join()}`,
		});
	} else if (interaction.isMessageContextMenuCommand()) {
		await interaction.reply(`it says ${interaction.targetMessage.content}`);
	} else if (interaction.isUserContextMenuCommand()) {
		await interaction.reply(`this is ${interaction.targetUser.username}`);
	}
}

describe("an unmodified discord.js bot", () => {
	test("updates a message for buttons, at once and deferred with a file", async () => {
		const { user, message, failures } = await openBot();
		const later = await user.press(message, { label: "later" });
		expect(await later.until()).toMatchObject({ id: message.id, attachments: [{ filename: "a.png" }] });
		const again = await user.press(message, { label: "again" });
		expect(await again.until()).toMatchObject({ id: message.id, content: "again, by robin", components: [] });
		expect(failures).toStrictEqual([]);
	});

	test("reads menus and a modal, and the targets of context menus", async () => {
		const { user, message, failures } = await openBot();
		const size = await user.press(message, { customId: "size" }, ["l"]);
		expect(await size.until()).toMatchObject({ content: "l", flags: 64 });
		const who = await user.press(message, { customId: "who" }, [user.me.user.id]);
		expect(await who.until()).toMatchObject({ content: "robin" });
		expect(await (await user.context("Describe", message)).until()).toMatchObject({ content: "it says made" });
		expect(await (await user.context("Card", user.me)).until()).toMatchObject({ content: "this is robin" });
		const modal = await (await user.press(message, { label: "edit" })).modal();
		const sent = await user.submit(modal, { prompt: "a lighthouse", size: ["s"] });
		expect(await sent.until()).toMatchObject({ id: message.id, content: "a lighthouse, s" });
		expect(failures).toStrictEqual([]);
	});
});
