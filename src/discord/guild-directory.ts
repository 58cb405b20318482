/** Reads guilds and members by REST, because the client has neither in its cache. Cached for a minute. */
import {
	CDN,
	ChannelType,
	PermissionFlagsBits,
	Routes,
	type APIGuild,
	type APIGuildChannel,
	type APIGuildMember,
	type REST,
} from "discord.js";
import { LRUCache } from "lru-cache";
import type { Clock } from "@atelier/common/clock";
import {
	DirectoryUnavailableError,
	type Guild,
	type GuildDirectory,
	type GuildMember,
	type MemberPermissions,
} from "../services/access/guild-directory.ts";
import { readIfVisible } from "./read-if-visible.ts";

const FRESH_MS = 60_000;
const GUILDS_MAX = 500;
const MEMBERS_MAX = 10_000;
const AVATAR_PX = 64;
const MODERATOR_BITS = PermissionFlagsBits.ManageGuild | PermissionFlagsBits.ManageMessages;
const TEXT_CHANNELS: ReadonlySet<ChannelType> = new Set([ChannelType.GuildText, ChannelType.GuildAnnouncement]);

export function createGuildDirectory({ rest, clock }: { readonly rest: REST; readonly clock: Clock }): GuildDirectory {
	const freshness = { ttl: FRESH_MS, ttlResolution: 0, perf: { now: () => clock.nowMs() } };
	const guilds = new LRUCache<string, Promise<Guild | undefined>>({ max: GUILDS_MAX, ...freshness });
	const members = new LRUCache<string, Promise<GuildMember | undefined>>({ max: MEMBERS_MAX, ...freshness });
	const cdn = new CDN();

	async function read<Result>(route: `/${string}`): Promise<Result | undefined> {
		try {
			return await readIfVisible<Result>(rest, route);
		} catch (cause) {
			throw new DirectoryUnavailableError({ cause });
		}
	}

	async function fetchGuild(guildId: string): Promise<Guild | undefined> {
		const [guild, channels = []] = await Promise.all([
			read<APIGuild>(Routes.guild(guildId)),
			read<APIGuildChannel[]>(Routes.guildChannels(guildId)),
		]);
		if (!guild) return undefined;
		return {
			id: guildId,
			name: guild.name,
			ownerId: guild.owner_id,
			roles: guild.roles.map(({ id, name, permissions }) => ({ id, name, permissions: BigInt(permissions) })),
			channels: channels.flatMap(({ id, name, type }) => (TEXT_CHANNELS.has(type) ? [{ id, name }] : [])),
		};
	}

	async function fetchMember(guildId: string, userId: string): Promise<GuildMember | undefined> {
		const member = await read<APIGuildMember>(Routes.guildMember(guildId, userId));
		if (!member) return undefined;
		const { user, nick, roles } = member;
		return {
			userId,
			name: nick ?? user.global_name ?? user.username,
			avatarUrl: user.avatar === null ? null : cdn.avatar(userId, user.avatar, { size: AVATAR_PX }),
			roleIds: roles,
		};
	}

	const readGuild = (guildId: string) => remember(guilds, guildId, () => fetchGuild(guildId));
	const readMember = (guildId: string, userId: string) =>
		remember(members, `${guildId} ${userId}`, () => fetchMember(guildId, userId));

	return {
		readGuild,
		readMember,
		async readPermissions(guildId, userId) {
			const [guild, member] = await Promise.all([readGuild(guildId), readMember(guildId, userId)]);
			return guild && member && permissionsOf(guild, member);
		},
	};
}

/** Shares one read among concurrent callers. A failed read is not kept. */
function remember<Value>(
	known: LRUCache<string, Promise<Value>>,
	key: string,
	fetch: () => Promise<Value>,
): Promise<Value> {
	const before = known.get(key);
	if (before) return before;
	const reading = fetch();
	known.set(key, reading);
	reading.catch(() => known.delete(key));
	return reading;
}

function permissionsOf({ id, ownerId, roles }: Guild, { userId, roleIds }: GuildMember): MemberPermissions {
	const held = roles
		.filter((role) => role.id === id || roleIds.includes(role.id))
		.reduce((bits, { permissions }) => bits | permissions, 0n);
	const isAdministrator = ownerId === userId || (held & PermissionFlagsBits.Administrator) !== 0n;
	return {
		isAdministrator,
		isManager: isAdministrator || (held & PermissionFlagsBits.ManageGuild) !== 0n,
		isModerator: isAdministrator || (held & MODERATOR_BITS) !== 0n,
	};
}
