/** The unmodified discord.js against the playground. */
import {
	type ChatInputCommandInteraction,
	DiscordAPIError,
	GatewayIntentBits,
	type Interaction,
	MessageFlags,
	Partials,
	Routes,
} from "discord.js";
import { describe, expect, test } from "vitest";
import { IMAGE_COMMAND, openPlayground } from "../testing/setup.ts";
import { connectDiscordJs, openDiscordJs } from "./discord-js-client.ts";

async function openClient(
	answer: (interaction: ChatInputCommandInteraction) => Promise<void>,
	shards?: { ids: number[]; count: number },
) {
	async function handle(interaction: Interaction): Promise<void> {
		if (interaction.isAutocomplete()) {
			const typed = interaction.options.getFocused();
			await interaction.respond([{ name: `Sketch for ${typed}`, value: "sketch" }]);
		}
		if (interaction.isChatInputCommand()) await answer(interaction);
	}
	const { playground, client, failures } = await openDiscordJs(handle, {
		partials: [Partials.Channel],
		allowedMentions: { parse: [] },
		...(shards ? { shards: shards.ids, shardCount: shards.count } : {}),
	});
	await client.application?.commands.set([IMAGE_COMMAND]);
	return { ...playground, client, failures, user: await playground.user() };
}

const IMAGE = Buffer.concat([
	Buffer.from("89504e470d0a1a0a0000000d494844520000000a00000014", "hex"),
	Buffer.alloc(5_000, 3),
]);

describe("an unmodified discord.js bot", () => {
	test("logs in, registers commands twice without duplicates, and lists them", async () => {
		const { client, user } = await openClient(async () => {});
		expect(client.user?.username).toBe("Atelier");
		expect((await client.application?.commands.fetch())?.map(({ name }) => name)).toStrictEqual(["image"]);
		await client.application?.commands.set([IMAGE_COMMAND]);
		expect((await user.state()).commands).toMatchObject([
			{ name: "image", options: [{ name: "prompt", required: true }, {}, {}, {}] },
		]);
	});

	test('defers with "is thinking", then edits its reply with a file that the page receives unchanged', async () => {
		const { user, failures } = await openClient(async (interaction) => {
			await interaction.deferReply();
			const prompt = interaction.options.getString("prompt", true);
			const files = [{ attachment: IMAGE, name: "art.png", description: prompt }];
			await interaction.editReply({ content: `**${prompt}** for <@${interaction.user.id}>`, files });
		});
		const reply = await user.type("/image", { prompt: "@everyone, a lighthouse" });
		const message = await reply.until();
		expect(reply.states.map(({ kind }) => kind)).toStrictEqual(["thinking", "message"]);
		expect(message).toMatchObject({
			mentions: [],
			mention_everyone: false,
			attachments: [{ description: "@everyone, a lighthouse", width: 10 }],
		});
		const [file] = message.attachments;
		expect(await user.download(file ?? { url: "" })).toStrictEqual(IMAGE);
		expect(await user.download(file ?? { url: "" }, { start: 100, end: 199 })).toStrictEqual(IMAGE.subarray(100, 200));
		expect(failures).toStrictEqual([]);
	});

	test("replies; sends, fetches and edits an ephemeral follow-up; deletes the reply", async () => {
		const { user, failures } = await openClient(async (interaction) => {
			const { resource } = await interaction.reply({ content: "first", withResponse: true });
			expect(resource?.message?.content).toBe("first");
			const second = await interaction.followUp({ content: "second", flags: MessageFlags.Ephemeral });
			expect((await interaction.fetchReply(second.id)).content).toBe("second");
			await interaction.editReply({ message: second, content: "third" });
			await interaction.deleteReply();
		});
		const reply = await user.type("/image", { prompt: "x" });
		await expect.poll(() => reply.states.map(({ kind }) => kind)).toStrictEqual(["message", "deleted"]);
		expect(reply.messages()).toMatchObject([{ content: "third", flags: 64 }]);
		expect(failures).toStrictEqual([]);
	});

	test("reads options and uploads, and the channel, guild and permissions of the interaction", async () => {
		const seen: unknown[] = [];
		const { user } = await openClient(async (interaction) => {
			const source = interaction.options.getAttachment("source", true);
			seen.push(interaction.options.getInteger("seed"), source.name, await (await fetch(source.url)).text());
			seen.push(interaction.channel?.id === interaction.channelId, interaction.guildId === null, interaction.inGuild());
			seen.push(interaction.memberPermissions?.has("ManageGuild"), interaction.appPermissions.has("AttachFiles"));
			await interaction.reply("ok");
		});
		const source = await user.upload({ name: "a.png", bytes: Buffer.from("bytes") });
		await (await user.type("/image", { prompt: "x", seed: "5", source })).until();
		expect(seen).toStrictEqual([5, "a.png", "bytes", true, false, true, true, true]);
	});

	test("offers autocomplete choices", async () => {
		const { user } = await openClient(async () => {});
		expect(await user.autocomplete("/image", { model: "sk" }, "model")).toStrictEqual([
			{ name: "Sketch for sk", value: "sketch" },
		]);
	});

	test("receives Discord's errors with their codes", async () => {
		const refusals: unknown[] = [];
		const { user } = await openClient(async (interaction) => {
			await interaction.deferReply();
			const { client } = interaction;
			const attempts: (() => Promise<unknown>)[] = [
				() =>
					client.rest.post(Routes.interactionCallback(interaction.id, interaction.token), {
						body: { type: 5 },
						auth: false,
					}),
				() => interaction.editReply("x".repeat(2_001)),
				() => client.rest.get(Routes.channelMessage(interaction.channelId, interaction.id)),
			];
			for (const attempt of attempts) refusals.push(await attempt().catch((error: unknown) => error));
			await interaction.editReply("done");
		});
		await (await user.type("/image", { prompt: "x" })).until();
		expect(
			refusals.map((error) => (error instanceof DiscordAPIError ? [error.status, error.code] : error)),
		).toStrictEqual([
			[400, 40060],
			[400, 50035],
			[404, 10008],
		]);
	});

	test("runs as two shards", async () => {
		const { client, user } = await openClient(async (interaction) => void (await interaction.reply("here")), {
			ids: [0, 1],
			count: 2,
		});
		expect(client.ws.shards.size).toBe(2);
		expect(await (await user.type("/image", { prompt: "x" })).until()).toMatchObject({ content: "here" });
	});

	test("fetches all members of a server", async () => {
		const playground = await openPlayground();
		const intents = [GatewayIntentBits.Guilds, GatewayIntentBits.GuildMembers];
		const client = await connectDiscordJs(playground, async () => {}, { intents });
		const { guild } = await (await playground.user()).state();
		const server = client.guilds.cache.get(guild.id);
		// Five users and the bot, of which a new session contains the bot only.
		expect([server?.memberCount, server?.members.cache.size]).toStrictEqual([6, 1]);
		expect((await server?.members.fetch())?.size).toBe(6);
	});

	test("sends a direct message", async () => {
		const { client, user } = await openClient(async () => {});
		await client.users.send(user.me.user.id, "psst");
		expect(await user.messages()).toMatchObject([{ content: "psst" }]);
	});
});
