/** A moderation bot: a word filter with warnings and timeouts, and commands to kick, ban, unban, purge and lock. */
import { once } from "node:events";
import {
	ChannelType,
	type ChatInputCommandInteraction,
	Client,
	Events,
	GatewayIntentBits,
	type Guild,
	GuildMember,
	type Message,
	MessageFlags,
	PermissionFlagsBits,
	SlashCommandBuilder,
} from "discord.js";
import type { Connection } from "./open-discord.ts";

const { Guilds, GuildMembers, GuildMessages, GuildModeration, MessageContent } = GatewayIntentBits;
const FORBIDDEN = /\b(spam|scam)\b/i;
const WARNINGS_MAX = 3;
const TIMEOUT_MS = 10 * 60_000;
const LOG_CHANNEL = "gallery";

const memberCommand = (name: string, description: string, permission: bigint) =>
	new SlashCommandBuilder()
		.setName(name)
		.setDescription(description)
		.setDefaultMemberPermissions(permission)
		.addUserOption((option) => option.setName("user").setDescription("The member").setRequired(true))
		.addStringOption((option) => option.setName("reason").setDescription("The reason"));

const COMMANDS = [
	memberCommand("kick", "Removes a member", PermissionFlagsBits.KickMembers),
	memberCommand("ban", "Bans a member", PermissionFlagsBits.BanMembers),
	memberCommand("unban", "Ends a ban", PermissionFlagsBits.BanMembers),
	new SlashCommandBuilder()
		.setName("lock")
		.setDescription("Locks or unlocks the channel")
		.setDefaultMemberPermissions(PermissionFlagsBits.ManageChannels)
		.addBooleanOption((option) => option.setName("locked").setDescription("Whether to lock it").setRequired(true)),
	new SlashCommandBuilder()
		.setName("purge")
		.setDescription("Deletes the newest messages")
		.setDefaultMemberPermissions(PermissionFlagsBits.ManageMessages)
		.addIntegerOption((option) =>
			option.setName("count").setDescription("How many").setRequired(true).setMinValue(2).setMaxValue(100),
		),
];

export async function startModerationBot({ api, token }: Connection): Promise<Client> {
	const client = new Client({
		intents: [Guilds, GuildMembers, GuildMessages, GuildModeration, MessageContent],
		rest: { api },
	});
	const warnings = new Map<string, number>();
	const fail = (error: unknown): boolean => client.emit(Events.Error, error as Error);

	async function filter(message: Message): Promise<void> {
		if (message.author.bot || !message.inGuild() || !FORBIDDEN.test(message.content)) return;
		const count = (warnings.get(message.author.id) ?? 0) + 1;
		warnings.set(message.author.id, count);
		await message.reply(`${message.author.toString()}, this is warning ${count} of ${WARNINGS_MAX}.`);
		await message.delete();
		if (count >= WARNINGS_MAX) await message.member?.timeout(TIMEOUT_MS, "too many warnings");
	}

	client.on(Events.MessageCreate, (message) => void filter(message).catch(fail));
	client.on(Events.MessageUpdate, (_, message) => void filter(message).catch(fail));
	client.on(Events.InteractionCreate, (interaction) => {
		if (interaction.isChatInputCommand() && interaction.inCachedGuild()) execute(interaction).catch(fail);
	});
	const log = (guild: Guild, text: string): void => {
		const channel = guild.channels.cache.find(({ name }) => name === LOG_CHANNEL);
		if (channel?.isSendable()) channel.send(`Log: ${text}`).catch(fail);
	};
	client.on(Events.GuildBanAdd, ({ guild, user }) => log(guild, `${user.username} was banned`));
	client.on(Events.GuildMemberRemove, ({ guild, user }) => log(guild, `${user.username} left`));
	const isReady = once(client, Events.ClientReady);
	await client.login(token);
	await isReady;
	await client.application?.commands.set(COMMANDS);
	return client;
}

async function execute(interaction: ChatInputCommandInteraction<"cached">): Promise<unknown> {
	if (interaction.commandName === "purge") {
		const deleted = await interaction.channel?.bulkDelete(interaction.options.getInteger("count", true), true);
		return interaction.reply({ content: `Deleted ${deleted?.size ?? 0} messages`, flags: MessageFlags.Ephemeral });
	}
	if (interaction.commandName === "lock") return lock(interaction, interaction.options.getBoolean("locked", true));
	if (interaction.commandName === "unban") {
		const user = interaction.options.getUser("user", true);
		await interaction.guild.bans.remove(user);
		return interaction.reply(`Unbanned ${user.username}`);
	}
	const member = interaction.options.getMember("user");
	const reason = interaction.options.getString("reason") ?? undefined;
	if (!(member instanceof GuildMember)) return interaction.reply("They are not a member.");
	if (interaction.commandName === "kick") {
		if (!member.kickable) return interaction.reply(`I cannot kick ${member.user.username}.`);
		await member.kick(reason);
		return interaction.reply(`Kicked ${member.user.username}`);
	}
	await member.ban({ deleteMessageSeconds: 3_600, ...(reason !== undefined && { reason }) });
	return interaction.reply(`Banned ${member.user.username}`);
}

async function lock(interaction: ChatInputCommandInteraction<"cached">, isLocked: boolean): Promise<unknown> {
	const { channel, guild } = interaction;
	if (channel?.type !== ChannelType.GuildText) return interaction.reply("This channel cannot be locked.");
	const { everyone } = guild.roles;
	if (isLocked) await channel.permissionOverwrites.edit(everyone, { SendMessages: false });
	else await channel.permissionOverwrites.delete(everyone);
	await channel.setRateLimitPerUser(isLocked ? 0 : 5);
	return interaction.reply(isLocked ? "Locked" : `Unlocked, slow mode ${channel.rateLimitPerUser} s`);
}
