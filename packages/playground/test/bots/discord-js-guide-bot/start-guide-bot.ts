/** A bot in the shape of the official guide of discord.js: a folder of commands, cooldowns, components, and forms. */
import { once } from "node:events";
import { readdir } from "node:fs/promises";
import {
	Client,
	Collection,
	Events,
	GatewayIntentBits,
	type Interaction,
	MessageFlags,
	REST,
	Routes,
} from "discord.js";
import type { Connection } from "../open-discord.ts";
import type { Command } from "./command.ts";

const COMMANDS = new URL("commands/", import.meta.url);

export async function startGuideBot({ api, token }: Connection): Promise<Client> {
	const client = new Client({ intents: [GatewayIntentBits.Guilds], rest: { api } });
	const commands = await loadCommands();
	/** The time of the next allowed use, by command and member. */
	const availableAtMs = new Collection<string, number>();

	async function handle(interaction: Interaction): Promise<unknown> {
		if (interaction.isMessageComponent() || interaction.isModalSubmit())
			return commands.get(interaction.customId.split(":")[0] ?? "")?.respond?.(interaction);
		if (!interaction.isChatInputCommand()) return undefined;
		const command = commands.get(interaction.commandName);
		if (!command) return undefined;
		const key = `${interaction.commandName} ${interaction.user.id}`;
		const availableMs = availableAtMs.get(key) ?? 0;
		if (Date.now() < availableMs) {
			const content = `Wait until <t:${Math.ceil(availableMs / 1_000)}:R>`;
			return interaction.reply({ content, flags: MessageFlags.Ephemeral });
		}
		availableAtMs.set(key, Date.now() + (command.cooldownS ?? 0) * 1_000);
		return command.execute(interaction);
	}

	client.on(Events.InteractionCreate, (interaction) => {
		handle(interaction).catch((error: unknown) => client.emit(Events.Error, error as Error));
	});
	const isReady = once(client, Events.ClientReady);
	await client.login(token);
	await isReady;
	const rest = new REST({ api }).setToken(token);
	await rest.put(Routes.applicationCommands(client.user?.id ?? ""), {
		body: commands.map(({ data }) => data.toJSON()),
	});
	return client;
}

async function loadCommands(): Promise<Collection<string, Command>> {
	const loaded = new Collection<string, Command>();
	for (const file of await readdir(COMMANDS)) {
		const { command } = (await import(new URL(file, COMMANDS).href)) as { command: Command };
		loaded.set(command.data.name, command);
	}
	return loaded;
}
