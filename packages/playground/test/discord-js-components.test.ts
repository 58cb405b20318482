/** Buttons, menus, modals and context menus through the unmodified discord.js. */
import {
	ActionRowBuilder,
	ApplicationCommandType,
	ButtonBuilder,
	ButtonStyle,
	Client,
	Events,
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
import { describe, expect, onTestFinished, test } from "vitest";
import { IMAGE_COMMAND, openGround } from "../testing/setup.ts";

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

async function openStudio() {
	const ground = await openGround();
	const client = new Client({ intents: [], partials: [Partials.Channel], rest: { api: `${ground.origin}/api` } });
	onTestFinished(() => client.destroy());
	const failures: unknown[] = [];
	client.on(Events.InteractionCreate, (interaction) => {
		answer(interaction).catch((error: unknown) => failures.push(error));
	});
	const isReady = new Promise((resolve) => client.once(Events.ClientReady, resolve));
	await client.login(ground.playground.botToken);
	await isReady;
	const menu = { type: ApplicationCommandType.Message, name: "Describe" } as const;
	const card = { type: ApplicationCommandType.User, name: "Card" } as const;
	await client.application?.commands.set([IMAGE_COMMAND, menu, card]);
	const person = await ground.person();
	const message = await (await person.type("/image", { prompt: "x" })).until();
	return { person, message, failures };
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
	test("updates the message whose button was pressed", async () => {
		const { person, message, failures } = await openStudio();
		const press = await person.press(message, { label: "again" });
		expect(await press.until()).toMatchObject({ id: message.id, content: "again, by you", components: [] });
		expect(failures).toStrictEqual([]);
	});

	test("defers an update, and edits the message with a file", async () => {
		const { person, message, failures } = await openStudio();
		const press = await person.press(message, { label: "later" });
		expect(await press.until()).toMatchObject({ id: message.id, attachments: [{ filename: "a.png" }] });
		expect(failures).toStrictEqual([]);
	});

	test("hears what was chosen in menus", async () => {
		const { person, message, failures } = await openStudio();
		expect(await (await person.press(message, { customId: "size" }, ["l"])).until()).toMatchObject({
			content: "l",
			flags: 64,
		});
		const chosen = await person.press(message, { customId: "who" }, [person.me.user.id]);
		expect(await chosen.until()).toMatchObject({ content: "you" });
		expect(failures).toStrictEqual([]);
	});

	test("opens a modal and reads it", async () => {
		const { person, message, failures } = await openStudio();
		const modal = await (await person.press(message, { label: "edit" })).modal();
		const sent = await person.submit(modal, { prompt: "a lighthouse", size: ["s"] });
		expect(await sent.until()).toMatchObject({ id: message.id, content: "a lighthouse, s" });
		expect(failures).toStrictEqual([]);
	});

	test("answers the context menus of a message and of a person", async () => {
		const { person, message, failures } = await openStudio();
		expect(await (await person.context("Describe", message)).until()).toMatchObject({ content: "it says made" });
		expect(await (await person.context("Card", person.me)).until()).toMatchObject({ content: "this is you" });
		expect(failures).toStrictEqual([]);
	});
});
