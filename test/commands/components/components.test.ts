/** From a press of a component to its reply, through the real client and the playground. */
import { textOf } from "@atelier/playground/user-client/message-contents";
import {
	ActionRowBuilder,
	ApplicationCommandType,
	ButtonBuilder,
	ButtonStyle,
	Events,
	LabelBuilder,
	MessageFlags,
	ModalBuilder,
	StringSelectMenuBuilder,
	TextInputBuilder,
	TextInputStyle,
} from "discord.js";
import { pino } from "pino";
import { describe, expect, onTestFinished, test } from "vitest";
import { systemClock } from "@atelier/common/clock";
import { bind } from "../../../src/commands/bind-commands.ts";
import type { Command, MessageCommand } from "../../../src/commands/command.ts";
import { defineComponent, type Component } from "../../../src/commands/components/component.ts";
import { createDispatch } from "../../../src/commands/dispatch.ts";
import { createDiscord } from "../../../src/discord/client.ts";
import { defineCustomId, idField } from "../../../src/discord/custom-id.ts";
import { registerCommands } from "../../../src/discord/register-commands.ts";
import { createGuildLanguages } from "../../../src/services/settings/guild-languages.ts";
import { UserError } from "../../../src/services/user-error.ts";
import { dispatchDeps } from "../bind-all.ts";
import { openSingleProcessCoordinator } from "../../fakes/single-process-coordinator.ts";
import { openPlayground } from "@atelier/playground/testing/setup";

const TASK = "1234567890123456789";
const OTHER_TASK = "1234567890123456780";
const IN_SERVERS = { contexts: [0], integration_types: [0] };
const press = defineCustomId("press", { taskId: idField.snowflake });
const deny = defineCustomId("deny", { how: idField.oneOf("denied", "broken", "acknowledged") });
const form = defineCustomId("form", { taskId: idField.snowflake });

const button = (customId: string) =>
	new ButtonBuilder().setCustomId(customId).setLabel(customId).setStyle(ButtonStyle.Secondary);

const FORGED = ["1:press:0", "1:press:me", "1:gone:1", "0:press:1", "something else"];

/** A command whose reply has every component of this test. */
const show: Command<unknown> = {
	definition: { type: ApplicationCommandType.ChatInput, name: "show", description: "show", ...IN_SERVERS },
	async execute(interaction) {
		const denials = (["denied", "broken", "acknowledged"] as const).map((how) => deny.encode({ how }));
		const rows = [[press.encode({ taskId: TASK }), ...denials], FORGED].map((row) =>
			new ActionRowBuilder<ButtonBuilder>().addComponents(row.map(button)),
		);
		const sizes = new StringSelectMenuBuilder().setCustomId(press.encode({ taskId: OTHER_TASK }));
		const menu = new ActionRowBuilder<StringSelectMenuBuilder>().addComponents(
			sizes.addOptions([{ label: "Small", value: "s" }]),
		);
		await interaction.reply({ content: "here", components: [...rows, menu] });
	},
};

const opened = (taskId: string): ModalBuilder =>
	new ModalBuilder()
		.setCustomId(form.encode({ taskId }))
		.setTitle("Form")
		.addLabelComponents(
			new LabelBuilder()
				.setLabel("Prompt")
				.setTextInputComponent(new TextInputBuilder().setCustomId("prompt").setStyle(TextInputStyle.Short)),
		);

const COMPONENTS: readonly Component<unknown>[] = [
	defineComponent("button", press, (interaction, { taskId }) => interaction.showModal(opened(taskId))),
	defineComponent("stringSelect", press, async (interaction, { taskId }) => {
		await interaction.reply({ content: `${taskId} ${interaction.values.join()}`, flags: MessageFlags.Ephemeral });
	}),
	defineComponent("button", deny, async (interaction, { how }) => {
		if (how === "acknowledged") await interaction.deferUpdate();
		if (how === "broken") throw new TypeError("secret of the code");
		throw new UserError({ key: "request.promptEmpty" });
	}),
	defineComponent("modal", form, async (interaction, { taskId }) => {
		const prompt = interaction.fields.getTextInputValue("prompt");
		if (prompt === "bad") throw new UserError({ key: "request.promptEmpty" });
		await interaction.reply({ content: `${taskId} ${prompt}` });
	}),
];

const quoteIt: MessageCommand<unknown> = {
	definition: { type: ApplicationCommandType.Message, name: "Quote", ...IN_SERVERS },
	async execute(interaction) {
		if (interaction.targetMessage.content === "") throw new UserError({ key: "request.promptEmpty" });
		await interaction.reply({ content: `quoted: ${interaction.targetMessage.content}` });
	},
};

async function openBot() {
	const { origin, botToken, user: open } = await openPlayground();
	const logger = pino({ level: "silent" });
	const setup = { apiUrl: `${origin}/api`, shards: "auto", shardCount: "auto", logger, onLost: () => {} } as const;
	const discord = createDiscord({ ...setup, cluster: await openSingleProcessCoordinator(), clock: systemClock });
	const { client } = discord;
	onTestFinished(() => discord.close());
	const commands = bind({ commands: [show], messageCommands: [quoteIt], components: COMPONENTS }, {});
	const dispatch = createDispatch({ ...dispatchDeps({ languages: createGuildLanguages() }, commands), logger });
	client.on(Events.InteractionCreate, (interaction) => void dispatch(interaction));
	const isReady = new Promise((resolve) => client.once(Events.ClientReady, resolve));
	await client.login(botToken);
	await isReady;
	await registerCommands(client.rest, client.application?.id ?? "", [show.definition, quoteIt.definition], logger);
	const userClient = await open();
	const message = await (await userClient.type("/show")).until();
	const pressed = async (customId: string, values?: readonly string[]) =>
		await userClient.press(message, { customId }, values);
	return { userClient, message, pressed };
}

const isPrivate = ({ flags = 0 }: { readonly flags?: number | undefined }): boolean =>
	(flags & MessageFlags.Ephemeral) !== 0;

const isDenial = (message: Parameters<typeof textOf>[0]): boolean => textOf(message).includes("The prompt is empty.");

describe("a component", () => {
	test("is found by its kind and name, and receives the values of its custom id", async () => {
		const { userClient, pressed } = await openBot();
		const opening = await pressed(press.encode({ taskId: TASK }));
		const sent = await userClient.submit(await opening.modal(), { prompt: "a boat" });
		expect(textOf(await sent.until())).toBe(`${TASK} a boat`);
		const chosen = await pressed(press.encode({ taskId: OTHER_TASK }), ["s"]);
		expect((await chosen.until()).content).toBe(`${OTHER_TASK} s`);
	});

	test.each(FORGED)("with a forged custom id is denied: %s", async (customId) => {
		const { pressed } = await openBot();
		const answer = await (await pressed(customId)).until();
		expect(textOf(answer)).toContain("This button doesn't work anymore.");
		expect(isPrivate(answer)).toBe(true);
	});

	test("that denies shows the reason to the member alone", async () => {
		const { pressed } = await openBot();
		const answer = await (await pressed(deny.encode({ how: "denied" }))).until();
		expect(textOf(answer)).toContain("The prompt is empty.");
		expect(isPrivate(answer)).toBe(true);
	});

	test("that fails shows an incident id, and no internals", async () => {
		const { pressed } = await openBot();
		const answer = await (await pressed(deny.encode({ how: "broken" }))).until();
		expect(textOf(answer)).toMatch(/\(incident [\da-f]{8}\)\.$/);
		expect(textOf(answer)).not.toContain("secret");
	});

	test("that denies after the acknowledgement leaves its message unchanged", async () => {
		const { userClient, message, pressed } = await openBot();
		const reply = await pressed(deny.encode({ how: "acknowledged" }));
		await expect.poll(() => reply.messages().some(isDenial)).toBe(true);
		expect(isPrivate(reply.messages().find(isDenial) ?? {})).toBe(true);
		expect((await userClient.messages()).find(({ id }) => id === message.id)).toMatchObject({ content: "here" });
	});

	test("that is a form shows the reason of its denial", async () => {
		const { userClient, pressed } = await openBot();
		const opening = await pressed(press.encode({ taskId: TASK }));
		const sent = await userClient.submit(await opening.modal(), { prompt: "bad" });
		expect(textOf(await sent.until())).toContain("The prompt is empty.");
	});
});

test("a command of the message context menu receives the message", async () => {
	const { userClient, message } = await openBot();
	expect((await (await userClient.context("Quote", message)).until()).content).toBe("quoted: here");
});

test("two components of one kind cannot have the same name", () => {
	const [first] = COMPONENTS;
	const twice = bind({ components: [first, first].flatMap((each) => each ?? []) }, {});
	expect(() => createDispatch({ ...dispatchDeps({}, twice), logger: pino({ level: "silent" }) })).toThrow(
		"two components of one kind",
	);
});
