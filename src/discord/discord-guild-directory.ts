/** Reads servers and members by REST, because the client has neither in its cache. Single members are cached for a minute. */
import { CDN, type ChannelType, PermissionFlagsBits, Routes, type APIGuildMember, type REST } from "discord.js";
import type { Clock } from "@atelier/common/clock";
import type { Guild, GuildDirectory, GuildMember, MemberPermissions } from "../services/access/guild-directory.ts";
import { COMMAND_CHANNEL_TYPES, POST_CHANNEL_TYPES } from "./channel-types.ts";
import type { GuildReader, ListedChannel } from "./guild-reader.ts";
import { readIfVisible } from "./read-if-visible.ts";
import { createReadCache } from "../services/read-cache.ts";

const CACHE_MS = 60_000;
const CACHED_MEMBERS_MAX = 10_000;
const AVATAR_PX = 64;
const MODERATOR_BITS = PermissionFlagsBits.ManageGuild | PermissionFlagsBits.ManageMessages;
const COMMAND_CHANNELS: ReadonlySet<ChannelType> = new Set(COMMAND_CHANNEL_TYPES);
const POST_CHANNELS: ReadonlySet<ChannelType> = new Set(POST_CHANNEL_TYPES);

interface GuildDirectoryDeps {
	readonly rest: REST;
	readonly readGuild: GuildReader;
	readonly clock: Clock;
	/** Known once the client is logged in. */
	readonly botUserId: () => string;
}

export function createDiscordGuildDirectory({ rest, readGuild, clock, botUserId }: GuildDirectoryDeps): GuildDirectory {
	const memberCache = createReadCache<GuildMember | undefined>({
		clock,
		ttlMs: CACHE_MS,
		entriesMax: CACHED_MEMBERS_MAX,
	});
	const joinReads = new Map<string, Promise<string | undefined>>();
	const cdn = new CDN();

	async function findGuild(guildId: string): Promise<Guild | undefined> {
		const found = await readGuild(guildId);
		if (!found) return undefined;
		const { guild, channels } = found;
		return {
			id: guildId,
			name: guild.name,
			ownerId: guild.owner_id,
			roles: guild.roles.map(({ id, name, permissions }) => ({ id, name, permissions: BigInt(permissions) })),
			channels: channelsOf(channels),
		};
	}

	function memberOf({ user, nick, roles }: APIGuildMember): GuildMember {
		return {
			userId: user.id,
			name: nick ?? user.global_name ?? user.username,
			avatarUrl: user.avatar === null ? null : cdn.avatar(user.id, user.avatar, { size: AVATAR_PX }),
			roleIds: roles,
		};
	}

	async function fetchMember(guildId: string, userId: string): Promise<GuildMember | undefined> {
		const route = Routes.guildMember(guildId, userId);
		const member = await readIfVisible<APIGuildMember>(rest, route);
		return member && memberOf(member);
	}

	async function fetchBotJoin(guildId: string): Promise<string | undefined> {
		const route = Routes.guildMember(guildId, botUserId());
		const member = await readIfVisible<APIGuildMember>(rest, route);
		return member?.joined_at ?? undefined;
	}

	const readMember = (guildId: string, userId: string) =>
		memberCache(`${guildId} ${userId}`, () => fetchMember(guildId, userId));

	return {
		readGuild: findGuild,
		readMember,
		async searchMembers(guildId, name, membersMax) {
			// Discord's maximum: bots, which may be among the first, are left out.
			const query = new URLSearchParams({ query: name, limit: "100" });
			const route = `${Routes.guildMembersSearch(guildId)}?${query.toString()}` as const;
			const found = (await readIfVisible<APIGuildMember[]>(rest, route)) ?? [];
			return found
				.filter(({ user }) => user.bot !== true)
				.slice(0, membersMax)
				.map(memberOf);
		},
		/** Concurrent callers share one read. */
		async readBotJoin(guildId) {
			const reading = joinReads.get(guildId) ?? fetchBotJoin(guildId).finally(() => joinReads.delete(guildId));
			joinReads.set(guildId, reading);
			return await reading;
		},
		async readAccess(guildId, userId) {
			const guild = await findGuild(guildId);
			// No request for the member of a server without the bot, of which the dashboard asks about many.
			const member = guild && (await readMember(guildId, userId));
			return guild && member && { roleIds: member.roleIds, permissions: permissionsOf(guild, member) };
		},
	};
}

/** Sorts the channels as Discord does: by category, those without one first, and then by position. */
function channelsOf(channels: readonly ListedChannel[]): Guild["channels"] {
	const categories = new Map(channels.map((channel) => [channel.id, channel] as const));
	return channels
		.filter(({ type }) => COMMAND_CHANNELS.has(type))
		.map((channel) => ({ ...channel, category: categories.get(channel.parent_id ?? "") }))
		.toSorted((a, b) => (a.category?.position ?? -1) - (b.category?.position ?? -1) || a.position - b.position)
		.map(({ id, name, type, category }) => ({
			id,
			name,
			category: category?.name ?? null,
			canBePostedTo: POST_CHANNELS.has(type),
		}));
}

function permissionsOf({ id, ownerId, roles }: Guild, { userId, roleIds }: GuildMember): MemberPermissions {
	const permissionBits = roles
		.filter((role) => role.id === id || roleIds.includes(role.id))
		.reduce((bits, { permissions }) => bits | permissions, 0n);
	const isAdministrator = ownerId === userId || (permissionBits & PermissionFlagsBits.Administrator) !== 0n;
	return {
		isAdministrator,
		isManager: isAdministrator || (permissionBits & PermissionFlagsBits.ManageGuild) !== 0n,
		isModerator: isAdministrator || (permissionBits & MODERATOR_BITS) !== 0n,
	};
}
