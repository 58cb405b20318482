/** eris, which shares no code with discord.js, checks that the playground provides what it relies on. */
import { once } from "node:events";
import {
	type AnyInteraction,
	Client,
	CommandInteraction,
	ComponentInteraction,
	Constants,
	type InteractionDataOptionsString,
	ModalSubmitInteraction,
} from "eris";
import { expect, onTestFinished, test } from "vitest";
import { openPlayground } from "../../testing/setup.ts";
import { IMAGE, IMAGE_COMMAND, playScenario } from "./scenario.ts";
import { createPlainHttpAgent } from "./plain-http-agent.ts";

const { ACTION_ROW, BUTTON, TEXT_INPUT } = Constants.ComponentTypes;

async function answer(interaction: AnyInteraction): Promise<void> {
	if (interaction instanceof CommandInteraction) {
		await sendImage(interaction);
	} else if (interaction instanceof ComponentInteraction) {
		const field = {
			type: TEXT_INPUT,
			custom_id: "prompt",
			label: "Prompt",
			style: Constants.TextInputStyles.PARAGRAPH,
		};
		await interaction.createModal({
			custom_id: "form",
			title: "Edit the picture",
			components: [{ type: ACTION_ROW, components: [field] }],
		});
	} else if (interaction instanceof ModalSubmitInteraction) {
		await interaction.createMessage(`Edited: ${interaction.data.components[0]?.components[0]?.value}`);
	}
}

async function sendImage(interaction: CommandInteraction): Promise<void> {
	await interaction.defer();
	const prompt = String((interaction.data.options?.[0] as InteractionDataOptionsString | undefined)?.value);
	const button = { type: BUTTON, style: Constants.ButtonStyles.SECONDARY, custom_id: "edit", label: "Edit" };
	await interaction.editOriginalMessage(
		{ content: `**${prompt}**`, components: [{ type: ACTION_ROW, components: [button] }] },
		{ name: "art.png", file: IMAGE },
	);
}

test("eris logs in, answers a command with a file, a button and a form", async () => {
	const playground = await openPlayground();
	const { host } = new URL(playground.origin);
	const client = new Client(`Bot ${playground.botToken}`, {
		intents: ["guilds"],
		restMode: true,
		rest: { domain: host, agent: createPlainHttpAgent(playground.origin) },
	});
	client.on("interactionCreate", (interaction) => void answer(interaction as AnyInteraction));
	onTestFinished(() => client.disconnect({ reconnect: false }));
	await Promise.all([once(client, "ready"), client.connect()]);
	await client.bulkEditCommands([{ ...IMAGE_COMMAND, options: [...IMAGE_COMMAND.options] }]);

	expect(await playScenario(await playground.user())).toBe("Edited: a lighthouse at dawn");
});
