/** The queue of a music bot: prefix commands, an embed with the queue, votes by reaction, and choices by message. */
import { once } from "node:events";
import { Client, EmbedBuilder, Events, GatewayIntentBits, type Message } from "discord.js";
import type { Connection } from "./open-discord.ts";

const { Guilds, GuildMessages, GuildMessageReactions, MessageContent } = GatewayIntentBits;
const PREFIX = "!";
const SKIP = "⏭️";
const VOTES_NEEDED = 2;
const SONGS = ["Harbor Lights", "Harbor Rain", "Harbor Waltz"] as const;

interface Player {
	queue: readonly string[];
	/** The message that shows the queue. */
	shown: Message<true> | undefined;
}

export async function startMusicBot({ api, token }: Connection): Promise<Client> {
	const client = new Client({
		intents: [Guilds, GuildMessages, GuildMessageReactions, MessageContent],
		rest: { api },
	});
	const players = new Map<string, Player>();
	const fail = (error: unknown): boolean => client.emit(Events.Error, error as Error);

	/** Shows the first song, and skips it after two votes. */
	async function play(message: Message<true>, player: Player): Promise<void> {
		player.shown = await message.channel.send({ embeds: [queueEmbed(player.queue)] });
		await player.shown.react(SKIP);
		const votes = player.shown.createReactionCollector({
			filter: (reaction, user) => reaction.emoji.name === SKIP && !user.bot,
			maxUsers: VOTES_NEEDED,
			time: 20_000,
		});
		votes.once("end", (_, reason) => {
			if (reason === "userLimit") skip(message, player).catch(fail);
		});
	}

	async function skip(message: Message<true>, player: Player): Promise<void> {
		const [skipped, ...rest] = player.queue;
		await player.shown?.reactions.removeAll();
		await player.shown?.edit({ content: `Skipped ${skipped}`, embeds: [] });
		player.queue = rest;
		if (rest.length > 0) await play(message, player);
		else players.delete(message.guildId);
	}

	async function enqueue(message: Message<true>, song: string): Promise<void> {
		const player = players.get(message.guildId) ?? { queue: [], shown: undefined };
		players.set(message.guildId, player);
		player.queue = [...player.queue, song];
		if (player.queue.length > 1) {
			await player.shown?.edit({ embeds: [queueEmbed(player.queue)] });
			await message.react("✅");
			return;
		}
		await play(message, player);
	}

	/** Lists songs, and waits for the number of one. */
	async function search(message: Message<true>, text: string): Promise<void> {
		const found = SONGS.filter((song) => song.toLowerCase().includes(text.toLowerCase()));
		await message.reply(found.map((song, index) => `${index + 1}. ${song}`).join("\n"));
		const answers = await message.channel.awaitMessages({
			filter: ({ author, content }) => author.id === message.author.id && found[Number(content) - 1] !== undefined,
			max: 1,
			time: 20_000,
			errors: ["time"],
		});
		const song = found[Number(answers.first()?.content) - 1];
		if (song !== undefined) await enqueue(message, song);
	}

	async function handle(message: Message): Promise<void> {
		if (message.author.bot || !message.inGuild() || !message.content.startsWith(PREFIX)) return;
		const [name, ...words] = message.content.slice(PREFIX.length).split(" ");
		const text = words.join(" ");
		if (name === "play") await enqueue(message, text);
		if (name === "search") await search(message, text);
		if (name === "stop") {
			players.delete(message.guildId);
			await message.reply("Stopped");
		}
	}

	client.on(Events.MessageCreate, (message) => void handle(message).catch(fail));
	const isReady = once(client, Events.ClientReady);
	await client.login(token);
	await isReady;
	return client;
}

function queueEmbed([playing = "", ...waiting]: readonly string[]): EmbedBuilder {
	const embed = new EmbedBuilder().setTitle(`Playing ${playing}`).setFooter({ text: `${SKIP} skips after two votes` });
	return waiting.length === 0
		? embed
		: embed.setDescription(waiting.map((song, at) => `${at + 1}. ${song}`).join("\n"));
}
