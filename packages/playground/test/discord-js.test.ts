/** The unmodified discord.js beyond commands: shards, members, webhooks, polls and threads. */
import { once } from "node:events";
import {
	Events,
	GatewayIntentBits,
	PermissionFlagsBits,
	type TextChannel,
	ThreadAutoArchiveDuration,
	WebhookClient,
} from "discord.js";
import { describe, expect, test } from "vitest";
import { IMAGE_COMMAND, openPlayground } from "../testing/setup.ts";
import { connectDiscordJs } from "./discord-js-client.ts";

const { Guilds, GuildMembers, GuildMessages, GuildMessagePolls } = GatewayIntentBits;
const { ManageThreads, ManageWebhooks } = PermissionFlagsBits;

async function openChannel() {
	const playground = await openPlayground();
	await playground.setBotPermissions(ManageThreads | ManageWebhooks);
	const intents = [Guilds, GuildMembers, GuildMessages, GuildMessagePolls];
	const client = await connectDiscordJs(playground, async () => {}, { intents });
	const channel = (await client.channels.fetch(playground.channelId("general"))) as TextChannel;
	return { playground, client, channel, ada: await playground.userNamed("ada") };
}

describe("an unmodified discord.js bot", () => {
	test("runs as two shards, and answers in the server of each", async () => {
		const playground = await openPlayground();
		const options = { intents: [Guilds], shards: [0, 1], shardCount: 2 };
		const client = await connectDiscordJs(
			playground,
			async (interaction) => {
				if (interaction.isChatInputCommand()) await interaction.reply(`shard ${interaction.guild?.shardId}`);
			},
			options,
		);
		await playground.register(IMAGE_COMMAND);
		for (const { name, shardId } of client.guilds.cache.values()) {
			const robin = await playground.started.openUser({ guild: name });
			const reply = await robin.type("/image", { prompt: "x" });
			expect(await reply.until()).toMatchObject({ content: `shard ${shardId}` });
		}
		expect(new Set(client.guilds.cache.map(({ shardId }) => shardId))).toStrictEqual(new Set([0, 1]));
	});

	test("fetches all members of a server", async () => {
		const { guild } = (await openChannel()).channel;
		// Five users and the bot, of which a new session contains the bot only.
		expect([guild.memberCount, guild.members.cache.size]).toStrictEqual([6, 1]);
		expect((await guild.members.fetch()).size).toBe(6);
	});

	test("creates a webhook, with which a WebhookClient sends, edits and deletes a message", async () => {
		const { playground, channel, ada } = await openChannel();
		const { id: webhookId, token } = await channel.createWebhook({ name: "News" });
		const rest = { api: `${playground.origin}/api` };
		const webhook = new WebhookClient({ id: webhookId, token: token ?? "" }, { rest });
		const { id } = await webhook.send({
			content: "hello",
			username: "Weather",
			files: [{ attachment: Buffer.from("sun"), name: "sun.txt" }],
		});
		expect(await ada.untilMessage((message) => message.id === id)).toMatchObject({
			content: "hello",
			author: { username: "Weather" },
			attachments: [{ filename: "sun.txt" }],
		});
		await webhook.editMessage(id, "goodbye");
		await ada.untilMessage((message) => message.id === id && message.content === "goodbye");
		await webhook.deleteMessage(id);
		await ada.untilGone({ id });
	});

	test("asks in a poll, sees votes come and go, and ends it", async () => {
		const { client, channel, ada } = await openChannel();
		const message = await channel.send({
			poll: {
				question: { text: "Where to?" },
				answers: [{ text: "Harbor", emoji: "⛵" }, { text: "Beach" }],
				duration: 1,
				allowMultiselect: false,
			},
		});
		const vote = (answer: number) => ada.vote({ id: message.id, channel_id: channel.id }, answer);
		const added = once(client, Events.MessagePollVoteAdd);
		await vote(1);
		expect(await added).toMatchObject([{ id: 1, text: "Harbor", voteCount: 1 }, ada.me.user.id]);
		const voters = await message.poll?.answers.get(1)?.voters.fetch();
		expect(voters?.map(({ username }) => username)).toStrictEqual(["ada"]);
		const removed = once(client, Events.MessagePollVoteRemove);
		await vote(2);
		expect(await removed).toMatchObject([{ id: 1, voteCount: 0 }, ada.me.user.id]);
		// Not `poll.end()`, which compares the end with the system's clock.
		const { poll } = await channel.messages.endPoll(message.id);
		expect(poll?.resultsFinalized).toBe(true);
		expect(poll?.answers.map(({ voteCount }) => voteCount)).toStrictEqual([0, 1]);
	});

	test("creates a thread, sees a member join, removes them, and archives and deletes the thread", async () => {
		const { client, channel, ada } = await openChannel();
		const autoArchiveDuration = ThreadAutoArchiveDuration.OneHour;
		const thread = await channel.threads.create({ name: "Ships", autoArchiveDuration });
		const joined = once(client, Events.ThreadMembersUpdate);
		await ada.say("hello", { channel: thread.id });
		expect([...(await joined)[0].keys()]).toStrictEqual([ada.me.user.id]);
		await thread.members.remove(ada.me.user.id);
		expect([...(await thread.members.fetch()).keys()]).toStrictEqual([client.user?.id]);

		const updated = once(client, Events.ThreadUpdate);
		await thread.setArchived(true);
		expect(await updated).toMatchObject([{ archived: false }, { archived: true }]);
		expect([...(await channel.threads.fetchArchived()).threads.keys()]).toStrictEqual([thread.id]);
		await thread.setArchived(false);
		expect([...(await channel.threads.fetchActive()).threads.keys()]).toStrictEqual([thread.id]);
		const deleted = once(client, Events.ThreadDelete);
		await thread.delete();
		expect(await deleted).toMatchObject([{ id: thread.id }]);
	});

	test("starts a thread of a message, which it leaves and joins", async () => {
		const { client, channel } = await openChannel();
		const message = await channel.send("a boat");
		const thread = await message.startThread({ name: "Boats" });
		expect(thread).toMatchObject({ id: message.id, name: "Boats", ownerId: client.user?.id });
		await thread.leave();
		expect((await thread.members.fetch()).size).toBe(0);
		await thread.join();
		expect((await thread.members.fetchMe()).id).toBe(client.user?.id);
	});
});
