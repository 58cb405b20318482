/** The unmodified discord.js with shards, members, webhooks, polls and threads. */
import { once } from "node:events";
import {
	ChannelType,
	Events,
	GatewayIntentBits as Intents,
	PermissionFlagsBits,
	type TextChannel,
	ThreadAutoArchiveDuration,
	WebhookClient,
} from "discord.js";
import { describe, expect, test } from "vitest";
import { IMAGE_COMMAND, openPlayground } from "../testing/setup.ts";
import { connectDiscordJs, openDiscordJs } from "./discord-js-client.ts";

async function openBot() {
	const playground = await openPlayground();
	const { admin } = playground;
	const { ManageWebhooks, ManageThreads } = PermissionFlagsBits;
	await admin.setBotPermissions({ permissions: String(ManageWebhooks | ManageThreads) });
	const intents = [
		Intents.Guilds,
		Intents.GuildMembers,
		Intents.GuildMessages,
		Intents.GuildMessagePolls,
		Intents.GuildMessageReactions,
		Intents.GuildWebhooks,
	];
	const client = await connectDiscordJs(playground, async () => {}, { intents });
	const channelId = (await playground.channel()).split("/").at(-1) ?? "";
	const channel = (await client.channels.fetch(channelId)) as TextChannel;
	return { playground, client, channel, ada: await playground.userNamed("ada") };
}

describe("an unmodified discord.js bot", () => {
	test("runs as two shards", async () => {
		const { playground, client } = await openDiscordJs(
			async (interaction) => {
				if (interaction.isChatInputCommand()) await interaction.reply("here");
			},
			{ shards: [0, 1], shardCount: 2 },
		);
		await playground.register(IMAGE_COMMAND);
		expect(client.ws.shards.size).toBe(2);
		const user = await playground.user();
		expect(await (await user.type("/image", { prompt: "x" })).until()).toMatchObject({ content: "here" });
	});

	test("fetches all members of a server", async () => {
		const playground = await openPlayground();
		const intents = [Intents.Guilds, Intents.GuildMembers];
		const client = await connectDiscordJs(playground, async () => {}, { intents });
		const { guild } = await (await playground.user()).state();
		const server = client.guilds.cache.get(guild.id);
		// Five users and the bot, of which a new session contains the bot only.
		expect([server?.memberCount, server?.members.cache.size]).toStrictEqual([6, 1]);
		expect((await server?.members.fetch())?.size).toBe(6);
	});

	test("creates a webhook, and a WebhookClient posts, edits and deletes with it", async () => {
		const { playground, client, channel, ada } = await openBot();
		const changed = once(client, Events.WebhooksUpdate);
		const { id, token } = await channel.createWebhook({ name: "News" });
		expect(await changed).toMatchObject([{ id: channel.id }]);
		expect([...(await channel.fetchWebhooks()).keys()]).toStrictEqual([id]);

		const webhook = new WebhookClient({ id, token: token ?? "" }, { rest: { api: `${playground.origin}/api` } });
		const sent = await webhook.send({
			content: "hello",
			username: "Weather",
			files: [{ attachment: Buffer.from("sun"), name: "sun.txt" }],
		});
		expect(await ada.untilMessage((message) => message.id === sent.id)).toMatchObject({
			author: { username: "Weather" },
			attachments: [{ filename: "sun.txt" }],
		});
		await webhook.editMessage(sent.id, "goodbye");
		await ada.untilMessage(({ content }) => content === "goodbye");
		expect((await webhook.fetchMessage(sent.id)).content).toBe("goodbye");
		await webhook.deleteMessage(sent.id);
		await ada.untilGone({ id: sent.id });
		await webhook.edit({ name: "Press" });
		await webhook.delete();
		await expect(webhook.send("x")).rejects.toMatchObject({ code: 10_015 });
	});

	test("asks in a poll, counts votes, and ends it", async () => {
		const { client, channel, ada } = await openBot();
		const message = await channel.send({
			poll: {
				question: { text: "Where to?" },
				answers: [{ text: "Harbor", emoji: "⛵" }, { text: "Beach" }],
				duration: 1,
				allowMultiselect: false,
			},
		});
		const added = once(client, Events.MessagePollVoteAdd);
		await ada.vote({ id: message.id, channel_id: channel.id }, 1);
		expect(await added).toMatchObject([{ id: 1, text: "Harbor", voteCount: 1 }, ada.me.user.id]);
		const answer = message.poll?.answers.get(1);
		expect([...((await answer?.voters.fetch())?.keys() ?? [])]).toStrictEqual([ada.me.user.id]);
		const removed = once(client, Events.MessagePollVoteRemove);
		await ada.vote({ id: message.id, channel_id: channel.id }, 2);
		expect(await removed).toMatchObject([{ id: 1, voteCount: 0 }, ada.me.user.id]);
		// Not `poll.end()`, which compares the end with the system's clock.
		const ended = await channel.messages.endPoll(message.id);
		expect(ended.poll?.resultsFinalized).toBe(true);
		expect(ended.poll?.answers.get(2)?.voteCount).toBe(1);
	});

	test("starts threads, sees members join, and archives, locks and deletes them", async () => {
		const { client, channel, ada } = await openBot();
		const created = once(client, Events.ThreadCreate);
		const thread = await channel.threads.create({
			name: "Ships",
			type: ChannelType.PublicThread,
			autoArchiveDuration: ThreadAutoArchiveDuration.OneHour,
		});
		expect(await created).toMatchObject([{ id: thread.id, name: "Ships" }, true]);
		const joined = once(client, Events.ThreadMembersUpdate);
		await ada.say("hello", { channel: thread.id });
		const [members] = (await joined) as [ReadonlyMap<string, unknown>];
		expect([...members.keys()]).toStrictEqual([ada.me.user.id]);
		await thread.members.remove(ada.me.user.id);
		expect([...(await thread.members.fetch()).keys()]).toStrictEqual([client.user?.id]);

		const updated = once(client, Events.ThreadUpdate);
		await thread.setLocked(true);
		expect(await updated).toMatchObject([{ locked: false }, { locked: true }]);
		await thread.setArchived(true);
		expect([...(await channel.threads.fetchArchived()).threads.keys()]).toStrictEqual([thread.id]);
		await thread.setArchived(false);
		expect([...(await channel.threads.fetchActive()).threads.keys()]).toStrictEqual([thread.id]);

		const message = await channel.send("a boat");
		expect(await message.startThread({ name: "Boats" })).toMatchObject({ id: message.id, ownerId: client.user?.id });
		const deleted = once(client, Events.ThreadDelete);
		await thread.delete();
		expect(await deleted).toMatchObject([{ id: thread.id }]);
	});
});
