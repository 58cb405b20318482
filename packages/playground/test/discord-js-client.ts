import { Client, Events, type ClientOptions, type Interaction } from "discord.js";
import { onTestFinished } from "vitest";
import { openPlayground, type TestPlayground } from "../testing/setup.ts";

type Answer = (interaction: Interaction) => Promise<void>;

/** Logs an unmodified discord.js in to a new playground. `failures` collects its errors, and those of `answer`. */
export async function openDiscordJs(answer: Answer, options: Partial<ClientOptions> = {}) {
	const playground = await openPlayground();
	const failures: unknown[] = [];
	const client = await connectDiscordJs(playground, answer, options, failures);
	return { playground, client, failures };
}

/** Logs an unmodified discord.js in. */
export async function connectDiscordJs(
	playground: TestPlayground,
	answer: Answer,
	options: Partial<ClientOptions> = {},
	failures: unknown[] = [],
): Promise<Client> {
	const client = new Client({ intents: [], ...options, rest: { api: `${playground.origin}/api` } });
	onTestFinished(() => client.destroy());
	client.on(Events.Error, (error) => failures.push(error));
	client.on(Events.InteractionCreate, (interaction) => {
		answer(interaction).catch((error: unknown) => failures.push(error));
	});
	const isReady = new Promise((resolve) => client.once(Events.ClientReady, resolve));
	await client.login(playground.botToken);
	await isReady;
	return client;
}
