/** eris, which shares no code with discord.js, checks that the playground provides what it relies on. */
import { Client, CommandInteraction, Constants, type InteractionDataOptionsString } from "eris";
import { expect, onTestFinished, test } from "vitest";
import { openPlayground } from "../../testing/setup.ts";
import { expectFollowUpFor, expectImageFor, IMAGE } from "./image-for.ts";
import { createPlainHttpAgent } from "./plain-http-agent.ts";

async function answer(interaction: CommandInteraction): Promise<void> {
	await interaction.defer();
	const prompt = String((interaction.data.options?.[0] as InteractionDataOptionsString | undefined)?.value);
	await interaction.editOriginalMessage({ content: `**${prompt}**` }, { name: "art.png", file: IMAGE });
	// Its types omit the attachments that its documentation describes.
	const more = {
		content: "More:",
		attachments: [{ id: 0, filename: "more.png", description: "the same again" }],
		allowedMentions: { everyone: false },
	};
	const followUp = await interaction.createFollowup(more, { name: "more.png", file: IMAGE });
	await interaction.editMessage(followUp.id, { content: "Edited." });
}

test("eris logs in, registers a command, defers, edits with a file, and follows up with another", async () => {
	const playground = await openPlayground();
	const { host } = new URL(playground.origin);
	const client = new Client(`Bot ${playground.playground.botToken}`, {
		intents: ["guilds"],
		restMode: true,
		rest: { domain: host, agent: createPlainHttpAgent(playground.origin) },
	});
	const failures: unknown[] = [];
	client.on("error", (error) => failures.push(error));
	client.on("interactionCreate", (interaction) => {
		if (interaction instanceof CommandInteraction) answer(interaction).catch((error: unknown) => failures.push(error));
	});
	onTestFinished(() => client.disconnect({ reconnect: false }));
	const isReady = new Promise<void>((resolve) => client.once("ready", resolve));
	await client.connect();
	await isReady;
	await client.bulkEditCommands([
		{
			type: Constants.ApplicationCommandTypes.CHAT_INPUT,
			name: "image",
			description: "Makes a picture",
			options: [
				{
					type: Constants.ApplicationCommandOptionTypes.STRING,
					name: "prompt",
					description: "What it shows",
					required: true,
				},
			],
		},
	]);

	const reply = await expectImageFor(await playground.user());
	await expectFollowUpFor(reply);
	expect(failures).toStrictEqual([]);
});
