/** The unmodified discord.js with shards, members, webhooks, polls and threads. */
import { once } from "node:events";
import {
	ActionRowBuilder,
	ButtonBuilder,
	ButtonStyle,
	ChannelType,
	Events,
	GatewayIntentBits as Intents,
	LabelBuilder,
	type Message,
	MessageFlags,
	ModalBuilder,
	Partials,
	PermissionFlagsBits,
	SectionBuilder,
	StringSelectMenuBuilder,
	type TextChannel,
	TextDisplayBuilder,
	ThreadAutoArchiveDuration,
	WebhookClient,
} from "discord.js";
import { describe, expect, test } from "vitest";
import { IMAGE_COMMAND, openPlayground } from "../testing/setup.ts";
import { connectDiscordJs, openDiscordJs } from "./discord-js-client.ts";

async function openBot() {
	const playground = await openPlayground();
	const { admin } = playground;
	const { ManageWebhooks, ManageThreads, ManageRoles } = PermissionFlagsBits;
	await admin.setBotPermissions({ permissions: String(ManageWebhooks | ManageThreads | ManageRoles) });
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

	test("edits a message of a webhook, with the webhook's name in the request", async () => {
		const { channel, ada } = await openBot();
		const webhook = await channel.createWebhook({ name: "News" });
		const sent = await webhook.send("hello");
		const changes = { content: "goodbye", avatarURL: "https://example.com/sun.png" };
		await webhook.editMessage(sent.id, changes);
		const edited = await ada.untilMessage(({ content }) => content === "goodbye");
		expect(edited).toMatchObject({ id: sent.id, author: { username: "News" } });
	});

	test("adds a list of roles to a member, with those that the member has", async () => {
		const { channel, ada } = await openBot();
		const member = await channel.guild.members.fetch(ada.me.user.id);
		const [moderators] = channel.guild.roles.cache.filter(({ name }) => name === "Moderators").values();
		if (!moderators) throw new Error("there are no moderators");
		const changed = await member.roles.add([moderators]);
		expect(changed.roles.cache.has(moderators.id)).toBe(true);
		expect((await ada.state()).me.roleIds).toStrictEqual(expect.arrayContaining([moderators.id]));
		expect((await ada.state()).me.roleIds).not.toContain(channel.guild.id);
	});

	test("adds a list of roles to itself, and keeps its own role", async () => {
		const { channel } = await openBot();
		const me = await channel.guild.members.fetchMe();
		const moderators = channel.guild.roles.cache.find(({ name }) => name === "Moderators");
		if (!moderators) throw new Error("there are no moderators");
		const heldRoles = async () => new Set((await me.fetch(true)).roles.cache.map(({ id }) => id));
		const before = await heldRoles();
		expect(before).toContain(me.roles.botRole?.id);
		await me.roles.add([moderators]);
		expect(await heldRoles()).toStrictEqual(new Set([...before, moderators.id]));
		await me.roles.remove([moderators]);
		expect(await heldRoles()).toStrictEqual(before);
	});

	test("receives the first direct message of a user", async () => {
		const playground = await openPlayground();
		const options = { intents: [Intents.DirectMessages], partials: [Partials.Channel] };
		const client = await connectDiscordJs(playground, async () => {}, options);
		const received = once(client, Events.MessageCreate) as Promise<[Message]>;
		await (await playground.userNamed("ada")).say("hello", { channel: "@me" });
		const [message] = await received;
		expect(message).toMatchObject({ content: "hello", channel: { type: ChannelType.DM } });
	});

	test("shows emoji on buttons and in menus", async () => {
		const { channel } = await openBot();
		const button = new ButtonBuilder().setCustomId("sow").setEmoji("🌱").setStyle(ButtonStyle.Primary);
		const option = { label: "Oak", value: "oak", emoji: "🌳" };
		const menu = new StringSelectMenuBuilder().setCustomId("tree").addOptions(option);
		const sent = await channel.send({
			components: [
				new ActionRowBuilder<ButtonBuilder>().addComponents(button),
				new ActionRowBuilder<StringSelectMenuBuilder>().addComponents(menu),
			],
		});
		expect(sent.components).toHaveLength(2);
		const text = new TextDisplayBuilder().setContent("Seeds");
		const section = new SectionBuilder().addTextDisplayComponents(text).setButtonAccessory(button);
		const second = await channel.send({ components: [section], flags: MessageFlags.IsComponentsV2 });
		expect(second.components).toMatchObject([{ accessory: { emoji: { name: "🌱" } } }]);
	});

	test("shows emoji in the menu of a form", async () => {
		const { playground, client } = await openDiscordJs(async (interaction) => {
			const menu = new StringSelectMenuBuilder()
				.setCustomId("tree")
				.addOptions({ label: "Oak", value: "oak", emoji: "🌳" });
			const label = new LabelBuilder().setLabel("Tree").setStringSelectMenuComponent(menu);
			const form = new ModalBuilder().setCustomId("plant").setTitle("Plant").addLabelComponents(label);
			if (interaction.isChatInputCommand()) await interaction.showModal(form);
		});
		await client.application?.commands.set([IMAGE_COMMAND]);
		const reply = await (await playground.user()).type("/image", { prompt: "x" });
		expect((await reply.modal()).components).toMatchObject([{ component: { options: [{ emoji: { name: "🌳" } }] } }]);
	});

	test("changes its own nickname, and joins and leaves a thread", async () => {
		const { client, channel, ada } = await openBot();
		const renamed = await channel.guild.members.me?.setNickname("Botty");
		expect(renamed?.displayName).toBe("Botty");
		const id = await ada.startThread("Boats");
		const thread = await client.channels.fetch(id);
		if (!thread?.isThread()) throw new Error("not a thread");
		await thread.join();
		expect((await thread.members.fetch(client.user?.id ?? "")).id).toBe(client.user?.id);
		await thread.leave();
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
