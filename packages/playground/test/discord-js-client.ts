import { once } from "node:events";
import { Client, Events, type ClientOptions, type Interaction } from "discord.js";
import { onTestFinished } from "vitest";
import type { TestPlayground } from "../testing/setup.ts";

/** Logs an unmodified discord.js in. A rejection of `answer` fails the run. */
export async function connectDiscordJs(
	playground: TestPlayground,
	answer: (interaction: Interaction) => Promise<void>,
	options: Partial<ClientOptions> = {},
): Promise<Client> {
	const client = new Client({ intents: [], ...options, rest: { api: `${playground.origin}/api` } });
	onTestFinished(() => client.destroy());
	client.on(Events.InteractionCreate, (interaction) => void answer(interaction));
	await Promise.all([once(client, Events.ClientReady), client.login(playground.botToken)]);
	return client;
}
