import { Client, Events, type ClientOptions, type Interaction } from "discord.js";
import { onTestFinished } from "vitest";
import { openPlayground } from "../testing/setup.ts";

/** Logs an unmodified discord.js in to a new playground. `failures` collects its errors, and those of `answer`. */
export async function openDiscordJs(
	answer: (interaction: Interaction) => Promise<void>,
	options: Partial<ClientOptions> = {},
) {
	const playground = await openPlayground();
	const client = new Client({ intents: [], ...options, rest: { api: `${playground.origin}/api` } });
	onTestFinished(() => client.destroy());
	const failures: unknown[] = [];
	client.on(Events.Error, (error) => failures.push(error));
	client.on(Events.InteractionCreate, (interaction) => {
		answer(interaction).catch((error: unknown) => failures.push(error));
	});
	const isReady = new Promise((resolve) => client.once(Events.ClientReady, resolve));
	await client.login(playground.playground.botToken);
	await isReady;
	return { playground, client, failures };
}
