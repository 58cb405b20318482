/** Users, and the members of each guild with their roles, permissions, timeouts and bans. Callers check permissions. */
import {
	type APIGuildMember,
	type APIUser,
	GuildMemberFlags,
	Locale,
	PermissionFlagsBits,
} from "discord-api-types/v10";
import type { Ban, Guild, MemberRecord, StoredMessage, User } from "./documents.ts";
import type { MemberRecords } from "./member-records.ts";
import { discordTime, flagsOf } from "./discord-formats.ts";
import { ALL_PERMISSIONS, EVERYONE_PERMISSIONS, TIMED_OUT_PERMISSIONS } from "./permissions.ts";
import type { Guilds, Installs } from "./guilds.ts";
import type { Messages } from "./messages.ts";
import type { Core } from "./core.ts";
import type { AdminSettings } from "./admin-settings.ts";

/** The fields of every user object; contains every key that Discord's schema requires. */
function userWith(id: string, username: string, globalName: string | null): APIUser {
	return {
		id,
		username,
		global_name: globalName,
		discriminator: "0",
		avatar: null,
		avatar_decoration_data: null,
		collectibles: null,
		banner: null,
		accent_color: null,
		public_flags: flagsOf(0),
		flags: flagsOf(0),
		primary_guild: null,
	};
}

function memberWith(createdMs: number, user: APIUser, roles: string[], record?: MemberRecord): APIGuildMember {
	const { nick = null, joinedMs, timedOutUntilMs = null, hasRejoined = false } = record ?? {};
	return {
		user,
		nick,
		avatar: null,
		banner: null,
		avatar_decoration_data: null,
		collectibles: null,
		roles,
		joined_at: discordTime(joinedMs ?? createdMs),
		premium_since: null,
		deaf: false,
		mute: false,
		pending: false,
		flags: flagsOf(hasRejoined ? GuildMemberFlags.DidRejoin : 0),
		communication_disabled_until: timedOutUntilMs === null ? null : discordTime(timedOutUntilMs),
	};
}

export type Members = ReturnType<typeof createMembers>;

export type MemberChanges = Partial<Pick<MemberRecord, "nick" | "roleIds" | "timedOutUntilMs">>;

const banId = (guild: Guild, userId: string): string => `${guild.id} ${userId}`;

export function createMembers(
	{ clock, events, seed, tables: { bans } }: Core,
	deps: {
		guilds: Guilds;
		installs: Installs;
		adminSettings: AdminSettings;
		records: MemberRecords;
		messages: Messages;
	},
) {
	const { guilds, installs, adminSettings, records, messages } = deps;
	const byId = new Map(seed.users.map((member) => [member.id, member]));
	const [defaultUser] = seed.users;
	if (!defaultUser) throw new Error("the seed has no users");
	const { application } = seed;
	const bot: APIUser = { ...userWith(application.id, application.name, null), discriminator: "0001", bot: true };

	const toUser = (member: User): APIUser => userWith(member.id, member.username, member.displayName);
	const find = (userId: string): User | undefined => byId.get(userId) ?? guilds.findOwner(userId);
	/** Without the bot's own role. */
	const roleIds = (guild: Guild, userId: string): string[] => {
		const changed = records.find(guild.id, userId)?.roleIds;
		if (changed) return [...changed];
		const given = guild.roles.filter(({ memberIds }) => memberIds.includes(userId)).map(({ id }) => id);
		return guild.ownerId === userId ? [guild.adminRoleId, ...given] : given;
	};
	const toMember = (guild: Guild, of: User): APIGuildMember =>
		memberWith(guild.createdMs, toUser(of), roleIds(guild, of.id), records.find(guild.id, of.id));
	const botMember = (guild: Guild): APIGuildMember => {
		const botRoleIds = [guild.botRoleId, ...roleIds(guild, bot.id)];
		return memberWith(installs.joinedMs(guild), bot, botRoleIds, records.find(guild.id, bot.id));
	};
	/** The owner first. */
	const inGuild = ({ memberIds }: Guild): readonly User[] => memberIds.flatMap((id) => find(id) ?? []);
	/** The permissions of a member or the bot in the guild: those of their roles, and of @everyone. The owner has all. */
	const permissions = (guild: Guild, userId: string, heldRoleIds = roleIds(guild, userId)): bigint => {
		if (guild.ownerId === userId) return ALL_PERMISSIONS;
		const counted = [guild.id, ...(userId === bot.id ? [guild.botRoleId] : []), ...heldRoleIds];
		const all = counted.reduce((sum, roleId) => sum | rolePermissions(guild, roleId), 0n);
		return withTimeout(guild, userId, (all & PermissionFlagsBits.Administrator) === 0n ? all : ALL_PERMISSIONS);
	};
	/** A member in a timeout only reads. Owners and administrators are exempt. */
	function withTimeout(guild: Guild, userId: string, held: bigint): bigint {
		const isExempt = (held & PermissionFlagsBits.Administrator) !== 0n;
		const untilMs = records.find(guild.id, userId)?.timedOutUntilMs ?? 0;
		return isExempt || untilMs <= clock.nowMs() ? held : held & TIMED_OUT_PERMISSIONS;
	}
	/** Those that an admin has set, or those of the fixture. */
	const rolePermissions = (guild: Guild, roleId: string): bigint =>
		adminSettings.rolePermissions(guild, roleId) ?? initialRolePermissions(guild, roleId);
	function initialRolePermissions(guild: Guild, roleId: string): bigint {
		switch (roleId) {
			case guild.id:
				return EVERYONE_PERMISSIONS;
			case guild.botRoleId:
				return EVERYONE_PERMISSIONS | BigInt(application.permissions);
			case guild.adminRoleId:
				return ALL_PERMISSIONS;
			default:
				return BigInt(guild.roles.find(({ id }) => id === roleId)?.permissions ?? 0);
		}
	}
	const locale = (of: User): string => adminSettings.locales.get(of.id) ?? of.locale ?? Locale.EnglishUS;

	/** A member who leaves loses the nickname and the roles; a timeout continues after a return. */
	function remove(guild: Guild, userId: string): void {
		if (!guild.memberIds.includes(userId)) return;
		records.change(guild.id, userId, { hasLeft: true, nick: null, roleIds: [] });
		events.emit({ type: "memberRemove", guild, userId });
	}

	/** Replaces the given fields. Roles are `null` for those of the fixture. */
	function change(guild: Guild, userId: string, changes: MemberChanges): void {
		records.change(guild.id, userId, changes);
		events.emit({ type: "memberUpdate", guild, userId });
	}

	// A bot that leaves loses its nickname and roles, too.
	events.listen((event) => {
		if (event.type !== "bot" || event.isMember) return;
		records.change(event.guild.id, application.id, { nick: null, roleIds: null });
	});

	return {
		bot,
		/** The user of a page without a `user` parameter. */
		defaultUser,
		find,
		inGuild,
		toUser,
		/** Any user, or the bot. */
		userOf: (userId: string): APIUser | undefined => {
			const found = find(userId);
			if (found) return toUser(found);
			return userId === bot.id ? bot : undefined;
		},
		/** The author of a message of a webhook. */
		webhookUser: (id: string, name: string): APIUser => ({
			...userWith(id, name, null),
			bot: true,
			discriminator: "0000",
		}),
		/** The user object for the id of a user who no longer exists. */
		deletedUser: (userId: string): APIUser => userWith(userId, "deleted_user", "Deleted User"),
		/** The member with the id of a user or of the bot. */
		memberOf(guild: Guild, userId: string): APIGuildMember {
			if (userId === bot.id) return botMember(guild);
			const found = find(userId);
			if (!found) throw new Error(`there is no user ${userId}`);
			return toMember(guild, found);
		},
		/** The bot's member, then those of users. */
		allMembers: (guild: Guild): readonly APIGuildMember[] => [
			botMember(guild),
			...inGuild(guild).map((user) => toMember(guild, user)),
		],
		botMember,
		nick: (guild: Guild, userId: string): string | null => records.find(guild.id, userId)?.nick ?? null,
		/** The end of the member's timeout; `undefined` if there is none, it has ended, or the member is exempt. */
		timedOutUntilMs(guild: Guild, userId: string): number | undefined {
			const untilMs = records.find(guild.id, userId)?.timedOutUntilMs ?? 0;
			const isExempt = (permissions(guild, userId) & PermissionFlagsBits.Administrator) !== 0n;
			return isExempt || untilMs <= clock.nowMs() ? undefined : untilMs;
		},
		withTimeout,
		remove,
		add(guild: Guild, userId: string): void {
			const hasRejoined = records.find(guild.id, userId)?.hasLeft ?? false;
			records.change(guild.id, userId, { hasLeft: false, hasRejoined, joinedMs: clock.nowMs(), roleIds: [] });
			events.emit({ type: "memberAdd", guild, userId });
		},
		change,
		/** Gives all members the roles of the fixture. Those who joined later keep theirs. */
		resetRoles(): void {
			for (const { guildId, userId, joinedMs } of records.withRoles()) {
				if (joinedMs !== null) continue;
				const guild = guilds.find(guildId);
				const isMember = guild?.memberIds.includes(userId) || userId === bot.id;
				if (guild && isMember) change(guild, userId, { roleIds: null });
			}
		},
		/** Bans a user, who need not be a member, and deletes their messages since `deleteSinceMs`. */
		ban(guild: Guild, userId: string, reason: string | null, deleteSinceMs: number): void {
			const isNew = bans.get(banId(guild, userId)) === undefined;
			bans.set(banId(guild, userId), { guildId: guild.id, userId, reason });
			if (isNew) events.emit({ type: "banAdd", guild, userId });
			remove(guild, userId);
			const written = messages.newest(
				Number.POSITIVE_INFINITY,
				({ guildId, authorId, createdMs }) => guildId === guild.id && authorId === userId && createdMs >= deleteSinceMs,
			);
			const byChannel = Map.groupBy(written, ({ channelId }: StoredMessage) => channelId);
			for (const inChannel of byChannel.values()) messages.removeAll(inChannel);
		},
		unban(guild: Guild, userId: string): void {
			bans.delete(banId(guild, userId));
			events.emit({ type: "banRemove", guild, userId });
		},
		findBan: (guild: Guild, userId: string): Ban | undefined => bans.get(banId(guild, userId)),
		bans: (guild: Guild): readonly Ban[] => [...bans.values()].filter(({ guildId }) => guildId === guild.id),
		permissions,
		rolePermissions,
		roleIds,
		locale,
	};
}
