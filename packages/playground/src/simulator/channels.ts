/** The channels of guilds, and direct message channels with the bot. */
import {
	type APIDMChannel,
	type APIGuild,
	type APIRole,
	type APITextChannel,
	ChannelType,
	GuildSystemChannelFlags,
	PermissionFlagsBits as Permission,
} from "discord-api-types/v10";
import type { Core } from "./core.ts";
import { flagsOf } from "./discord-formats.ts";
import type { Guilds, Installs } from "./guilds.ts";
import type {
	Channel,
	ChannelChanges,
	DirectChannel,
	DirectConversation,
	Guild,
	GuildChannel,
	StoredMessage,
	Thread,
} from "./documents.ts";
import type { Members } from "./members.ts";
import type { Messages } from "./messages.ts";
import type { AdminSettings } from "./admin-settings.ts";
import { COMMANDS_ONLY_PERMISSIONS, DIRECT_PERMISSIONS, type Overwrite, withOverwrites } from "./permissions.ts";
import { isPrivate, isThreadMember, type Threads } from "./threads.ts";

/** A mentioned role with as many members adds none of them to a thread. */
const ADDED_BY_ROLE_MAX = 100;
const BOOSTS_FOR_LEVEL = [0, 2, 7, 14] as const;

const direct = (channel: DirectChannel): DirectConversation => ({ ...channel, kind: "direct", guildId: null });

/** The channel whose permissions count: that of a thread is its parent. */
export function permissionChannelId(channel: Channel): string {
	return channel.kind === "guild" ? (channel.thread?.parent_id ?? channel.id) : channel.id;
}

/** `undefined` for a direct message channel. */
export function guildOf(channel: Channel): Guild | undefined {
	return channel.kind === "guild" ? channel.guild : undefined;
}

/** Messages in an archived thread cannot be changed, and commands cannot be used there. A new message unarchives it. */
export function isArchived(channel: Channel | undefined): boolean {
	return channel?.kind === "guild" && channel.thread?.thread_metadata.archived === true;
}

function isHiddenThread(thread: Thread, userId: string, permissions: bigint): boolean {
	return isPrivate(thread) && !isThreadMember(thread, userId) && (permissions & Permission.ManageThreads) === 0n;
}

export function createChannels(
	{ seed, snowflakes, events, tables: { directChannels, deletedChannels, channelChanges } }: Core,
	deps: {
		guilds: Guilds;
		installs: Installs;
		members: Members;
		adminSettings: AdminSettings;
		messages: Messages;
		threads: Threads;
	},
) {
	const { guilds, installs, members, adminSettings, messages, threads } = deps;

	const initialOverwrites = new Map(
		seed.guilds.flatMap((guild) => guild.channels.map(({ id, overwrites }) => [id, overwrites])),
	);
	/** Those that the bot has set, else those of the fixture. */
	const storedOverwritesOf = (channelId: string): readonly Overwrite[] =>
		channelChanges.get(channelId)?.overwrites ?? initialOverwrites.get(channelId) ?? [];
	/** Those of the admin API come first. */
	const overwritesOf = (channelId: string): readonly Overwrite[] =>
		adminSettings.overwrites.get(channelId) ?? storedOverwritesOf(channelId);

	function storeChanges(channelId: string, changes: ChannelChanges): void {
		channelChanges.set(channelId, { ...channelChanges.get(channelId), ...changes });
	}

	const roleOf = (guild: Guild, id: string, name: string, position: number): APIRole => ({
		id,
		name,
		permissions: members.rolePermissions(guild, id).toString(),
		position,
		color: 0,
		colors: { primary_color: 0, secondary_color: null, tertiary_color: null },
		hoist: false,
		managed: id === guild.botRoleId,
		mentionable: false,
		icon: null,
		unicode_emoji: null,
		flags: flagsOf(0),
		...(id === guild.botRoleId && { tags: { bot_id: seed.application.id } }),
	});

	/** The bot's role is above those of members, so that the bot can moderate them, and below the one of the owner. */
	function roles(guild: Guild): APIRole[] {
		const { id, botRoleId, adminRoleId, roles: own } = guild;
		return [
			roleOf(guild, id, "@everyone", 0),
			roleOf(guild, botRoleId, seed.application.name, own.length + 1),
			roleOf(guild, adminRoleId, "Admin", own.length + 2),
			...own.map(({ id: roleId, name }, index) => roleOf(guild, roleId, name, index + 1)),
		];
	}

	/** The roles that members can have, unlike @everyone and the bot's own. */
	const assignableRoles = (guild: Guild): APIRole[] =>
		roles(guild).filter(({ id, managed }) => id !== guild.id && !managed);

	/** The channels that were not deleted. */
	const inGuild = (guild: Guild): readonly GuildChannel[] =>
		guild.channels
			.filter(({ id }) => !deletedChannels.get(id))
			.map(({ id, name, topic, isAgeRestricted = false }) => ({
				kind: "guild",
				id,
				guildId: guild.id,
				guild,
				name,
				topic,
				isAgeRestricted,
			}));

	function find(channelId: string): Channel | undefined {
		const guild = guilds.ofChannel(channelId);
		const found = guild && inGuild(guild).find(({ id }) => id === channelId);
		if (found) return found;
		const thread = threads.find(channelId);
		if (thread) return threadChannel(thread);
		const conversation = directChannels.get(channelId);
		return conversation && direct(conversation);
	}

	/** `undefined` for a thread of a guild that no longer exists. */
	function threadChannel(thread: Thread): Channel | undefined {
		const parent = find(thread.parent_id);
		if (parent?.kind !== "guild") return undefined;
		const { id, name } = thread;
		const kind = isPrivate(thread) ? "Private thread" : "Thread";
		const topic = `${kind} in #${parent.name}${thread.thread_metadata.locked ? ", locked" : ""}`;
		return { ...parent, id, name, topic, thread };
	}

	/** Returns what a user, or the bot, may do in a channel: nothing outside their guilds and direct messages. */
	function permissionsIn(channel: Channel, userId: string): bigint {
		const isBot = userId === members.bot.id;
		if (channel.kind === "direct") return isBot || channel.userId === userId ? DIRECT_PERMISSIONS : 0n;
		const { guild, thread } = channel;
		if (isBot ? !installs.isMember(guild) : !guild.memberIds.includes(userId)) return 0n;
		const heldRoleIds = members.roleIds(guild, userId);
		const roleIds = [...heldRoleIds, ...(isBot ? [guild.botRoleId] : [])];
		const overwrites = overwritesOf(permissionChannelId(channel));
		const permissions = members.permissions(guild, userId, heldRoleIds);
		const overwritten = withOverwrites(permissions, overwrites, { guildId: guild.id, roleIds, userId });
		const inChannel = members.withTimeout(guild, userId, overwritten);
		return thread && isHiddenThread(thread, userId, inChannel) ? inChannel & ~Permission.ViewChannel : inChannel;
	}

	/** The bot's permissions in an interaction: also where only its commands are in the guild. */
	const appPermissionsIn = (channel: Channel): bigint =>
		channel.kind === "guild" && !installs.isMember(channel.guild)
			? COMMANDS_ONLY_PERMISSIONS
			: permissionsIn(channel, members.bot.id);

	const canRead = (channel: Channel, userId: string): boolean =>
		(permissionsIn(channel, userId) & Permission.ViewChannel) !== 0n;

	function botCanRead(channelId: string): boolean {
		const channel = find(channelId);
		return channel !== undefined && canRead(channel, members.bot.id);
	}

	/** Also of a thread that was deleted just now. */
	function canReadThread(thread: Thread, userId: string): boolean {
		const channel = threadChannel(thread);
		return channel !== undefined && canRead(channel, userId);
	}

	/** The active threads of a channel that a user, or the bot, may read. */
	function activeThreads(channelId: string, userId: string): readonly Thread[] {
		const parent = find(channelId);
		const permissions = parent ? permissionsIn(parent, userId) : 0n;
		if ((permissions & Permission.ViewChannel) === 0n) return [];
		return threads.activeIn(channelId).filter((thread) => !isHiddenThread(thread, userId, permissions));
	}

	function directOf(userId: string): DirectConversation | undefined {
		const found = [...directChannels.values()].find((conversation) => conversation.userId === userId);
		return found && direct(found);
	}

	function typeOf(channelId: string): ChannelType | undefined {
		const channel = find(channelId);
		if (channel?.kind !== "guild") return channel && ChannelType.DM;
		return channel.thread?.type ?? ChannelType.GuildText;
	}

	/** A channel or thread of a guild as Discord shows it. */
	function toGuildChannel({ id, guild, name, topic, isAgeRestricted, thread }: GuildChannel) {
		if (thread) return threads.serialize(thread);
		return {
			id,
			type: ChannelType.GuildText,
			guild_id: guild.id,
			name,
			topic,
			position: guild.channels.findIndex((channel) => channel.id === id),
			parent_id: null,
			permission_overwrites: [...overwritesOf(id)],
			nsfw: isAgeRestricted,
			rate_limit_per_user: channelChanges.get(id)?.slowModeS ?? 0,
			last_message_id: messages.lastId(id),
			flags: flagsOf(0),
		} satisfies APITextChannel;
	}

	function toDirectChannel(channel: DirectConversation): APIDMChannel {
		const recipient = members.find(channel.userId);
		return {
			id: channel.id,
			type: ChannelType.DM,
			last_message_id: messages.lastId(channel.id),
			recipients: recipient ? [members.toUser(recipient)] : [],
			flags: flagsOf(0),
		} as unknown as APIDMChannel;
	}

	/** Returns the name of the error if a user, or the bot, may not add another one to a thread. */
	function threadAddError(
		thread: Thread,
		addingId: string,
		addedId: string,
	): "missingAccess" | "missingPermissions" | undefined {
		const parent = find(thread.parent_id);
		if (!parent || !canRead(parent, addedId)) return "missingAccess";
		if (thread.thread_metadata.invitable !== false || thread.owner_id === addingId) return undefined;
		return (permissionsIn(parent, addingId) & Permission.ManageThreads) === 0n ? "missingPermissions" : undefined;
	}

	/** The users whom a message mentions, themselves or by a role of few members. */
	function mentionedIds(guild: Guild, { mentionedUserIds, mentionedRoleIds }: StoredMessage): ReadonlySet<string> {
		const ofRoles = mentionedRoleIds
			.map((roleId) => members.allMembers(guild).filter(({ roles: held }) => held.includes(roleId)))
			.filter((holders) => holders.length < ADDED_BY_ROLE_MAX);
		return new Set([...mentionedUserIds, ...ofRoles.flat().map(({ user }) => user.id)]);
	}

	// A message in a thread adds those whom it mentions; an edit adds those whom it mentions for the first time.
	events.listen((event) => {
		if ((event.type !== "messageCreate" && event.type !== "messageUpdate") || event.message.visibleTo !== null) return;
		const { channelId, authorId } = event.message;
		const channel = find(channelId);
		if (channel?.kind !== "guild" || !channel.thread) return;
		const known = event.type === "messageUpdate" ? mentionedIds(channel.guild, event.before) : new Set<string>();
		for (const userId of mentionedIds(channel.guild, event.message).difference(known)) {
			const thread = threads.find(channelId);
			if (thread && !threadAddError(thread, authorId, userId)) threads.addMember(thread, userId);
		}
	});

	/** Changes the overwrites of channels. The bot sees the threads of those that it can read again. */
	function changeOverwrites(changed: readonly GuildChannel[], change: () => void): void {
		const hidden = changed.filter(({ id }) => !botCanRead(id));
		change();
		for (const channel of changed) events.emit({ type: "channelUpdate", channel });
		for (const { id: channelId, guildId } of hidden)
			if (botCanRead(channelId)) events.emit({ type: "threadSync", guildId, channelId });
	}

	return {
		find,
		typeOf,
		inGuild,
		/** Also deletes its threads and all messages, which are no events of their own, as on Discord. */
		remove(channel: GuildChannel): void {
			deletedChannels.set(channel.id, { id: channel.id });
			threads.discardIn(channel.id);
			messages.discardIn(channel.id);
			events.emit({ type: "channelDelete", channel });
		},
		changeOverwrites,
		overwritesOf,
		/** Stores a change of overwrites by the bot. Those of the admin API also change, and are still not stored. */
		storeOverwrites(channel: GuildChannel, change: (overwrites: readonly Overwrite[]) => readonly Overwrite[]): void {
			const ofAdmin = adminSettings.overwrites.get(channel.id);
			changeOverwrites([channel], () => {
				storeChanges(channel.id, { overwrites: change(storedOverwritesOf(channel.id)) });
				if (ofAdmin) adminSettings.overwrites.set(channel.id, change(ofAdmin));
			});
		},
		/** Stores the slow mode that the bot has set. */
		storeSlowMode(channel: GuildChannel, slowModeS: number): void {
			storeChanges(channel.id, { slowModeS });
			events.emit({ type: "channelUpdate", channel });
		},
		directOf,
		/** Returns the bot's direct message channel with this user, created on first use. */
		openDirect(userId: string): DirectConversation {
			const existing = directOf(userId);
			if (existing) return existing;
			const conversation = { id: snowflakes.next(), userId };
			directChannels.set(conversation.id, conversation);
			events.emit({ type: "directChannel", userId });
			return direct(conversation);
		},
		toGuildChannel,
		serialize: (channel: Channel) => (channel.kind === "guild" ? toGuildChannel(channel) : toDirectChannel(channel)),
		roles,
		assignableRoles,
		toGuild: (guild: Guild): APIGuild =>
			// Discord's schema requires two fields that the types lack.
			({
				id: guild.id,
				name: guild.name,
				icon: null,
				description: null,
				home_header: null,
				splash: null,
				discovery_splash: null,
				features: [],
				banner: null,
				owner_id: guild.ownerId,
				application_id: null,
				region: "deprecated",
				afk_channel_id: null,
				afk_timeout: 300,
				system_channel_id: inGuild(guild)[0]?.id ?? null,
				// Members who join are not announced in the system channel.
				system_channel_flags: GuildSystemChannelFlags.SuppressJoinNotifications,
				widget_enabled: false,
				widget_channel_id: null,
				verification_level: 0,
				default_message_notifications: 1,
				mfa_level: 0,
				explicit_content_filter: 0,
				max_presences: null,
				max_members: 500_000,
				max_stage_video_channel_users: 50,
				max_video_channel_users: 25,
				vanity_url_code: null,
				premium_tier: adminSettings.boostLevelOf(guild),
				premium_subscription_count: BOOSTS_FOR_LEVEL[adminSettings.boostLevelOf(guild)],
				preferred_locale: adminSettings.localeOf(guild),
				rules_channel_id: null,
				safety_alerts_channel_id: null,
				public_updates_channel_id: null,
				premium_progress_bar_enabled: false,
				nsfw: false,
				nsfw_level: 0,
				roles: roles(guild),
				emojis: [],
				stickers: [],
				incidents_data: null,
			}) as unknown as APIGuild,
		permissionsIn,
		appPermissionsIn,
		canRead,
		botCanRead,
		canReadThread,
		activeThreads,
		threadAddError,
		/** Ephemeral messages are visible to their user only, all others to everyone who may read the channel. */
		canSee({ visibleTo, channelId }: StoredMessage, userId: string): boolean {
			if (visibleTo !== null) return visibleTo === userId;
			const channel = find(channelId);
			return channel !== undefined && canRead(channel, userId);
		},
	};
}
