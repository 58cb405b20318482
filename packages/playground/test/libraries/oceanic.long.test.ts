/** oceanic.js, which shares no code with discord.js, checks that the playground provides what it relies on. */
import { ApplicationCommandOptionTypes, ApplicationCommandTypes, Client, type AnyInteractionGateway } from "oceanic.js";
import { expect, onTestFinished, test } from "vitest";
import { openPlayground } from "../../testing/setup.ts";
import { expectImageFor, IMAGE } from "./image-for.ts";

async function hear(interaction: AnyInteractionGateway): Promise<void> {
	if (!interaction.isCommandInteraction()) return;
	await interaction.defer();
	const prompt = interaction.data.options.getString("prompt", true);
	await interaction.editOriginal({ content: `**${prompt}**`, files: [{ name: "art.png", contents: IMAGE }] });
}

test("oceanic.js logs in, registers a command, defers, and edits its reply with a file", async () => {
	const playground = await openPlayground();
	const client = new Client({
		auth: `Bot ${playground.playground.botToken}`,
		gateway: { intents: [] },
		rest: { baseURL: `${playground.origin}/api/v10` },
	});
	const failures: unknown[] = [];
	client.on("error", (error) => failures.push(error));
	client.on("interactionCreate", (interaction) => {
		hear(interaction).catch((error: unknown) => failures.push(error));
	});
	onTestFinished(() => client.disconnect(false));
	const isReady = new Promise<void>((resolve) => client.once("ready", resolve));
	await client.connect();
	await isReady;
	await client.application.bulkEditGlobalCommands([
		{
			type: ApplicationCommandTypes.CHAT_INPUT,
			name: "image",
			description: "Makes a picture",
			options: [
				{ type: ApplicationCommandOptionTypes.STRING, name: "prompt", description: "What it shows", required: true },
			],
		},
	]);

	await expectImageFor(await playground.user());
	expect(failures).toStrictEqual([]);
});
