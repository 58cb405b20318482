/** @discordjs/core, the parts of discord.js without its caches, checks that the playground provides what it relies on. */
import {
	type APIInteraction,
	type APIModalSubmission,
	ButtonStyle,
	Client,
	ComponentType,
	GatewayDispatchEvents,
	InteractionType,
	Routes,
	TextInputStyle,
	type ToEventProps,
} from "@discordjs/core";
import { REST } from "@discordjs/rest";
import { WebSocketManager } from "@discordjs/ws";
import { expect, onTestFinished, test } from "vitest";
import { openPlayground } from "../../testing/setup.ts";
import { IMAGE, IMAGE_COMMAND, playScenario } from "./scenario.ts";

async function answer({ data: interaction, api }: ToEventProps<APIInteraction>): Promise<void> {
	const { id, token, application_id: applicationId } = interaction;
	if (interaction.type === InteractionType.ApplicationCommand) {
		await api.interactions.defer(id, token);
		const [option] = "options" in interaction.data ? (interaction.data.options ?? []) : [];
		const prompt = option && "value" in option ? String(option.value) : "";
		await api.interactions.editReply(applicationId, token, {
			content: `**${prompt}**`,
			files: [{ name: "art.png", data: IMAGE }],
			components: [
				{
					type: ComponentType.ActionRow,
					components: [{ type: ComponentType.Button, style: ButtonStyle.Secondary, custom_id: "edit", label: "Edit" }],
				},
			],
		});
	} else if (interaction.type === InteractionType.MessageComponent) {
		await api.interactions.createModal(id, token, {
			custom_id: "form",
			title: "Edit the picture",
			components: [
				{
					type: ComponentType.Label,
					label: "Prompt",
					component: { type: ComponentType.TextInput, custom_id: "prompt", style: TextInputStyle.Paragraph },
				},
			],
		});
	} else if (interaction.type === InteractionType.ModalSubmit) {
		await api.interactions.reply(id, token, { content: `Edited: ${promptOf(interaction.data)}` });
	}
}

function promptOf({ components }: APIModalSubmission): string {
	const [label] = components;
	return label && "component" in label && "value" in label.component ? String(label.component.value) : "";
}

test("@discordjs/core logs in, and answers a command with a file, a button and a form", async () => {
	const playground = await openPlayground();
	const token = playground.botToken;
	const rest = new REST({ api: `${playground.origin}/api` }).setToken(token);
	const gateway = new WebSocketManager({ token, intents: 0, rest });
	onTestFinished(() => gateway.destroy());
	const client = new Client({ rest, gateway });
	client.on(GatewayDispatchEvents.InteractionCreate, (event) => void answer(event));
	const isReady = new Promise((resolve) => client.once(GatewayDispatchEvents.Ready, resolve));
	await gateway.connect();
	await isReady;
	await rest.put(Routes.applicationCommands(playground.applicationId), { body: [IMAGE_COMMAND] });

	expect(await playScenario(await playground.user())).toBe("Edited: a lighthouse at dawn");
});
