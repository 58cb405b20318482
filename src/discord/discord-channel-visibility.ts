/** Computes who may read a channel from Discord's roles and overwrites: without intents the client has no channels in its cache. */
import {
	ChannelType,
	OverwriteType,
	PermissionFlagsBits,
	Routes,
	type APIChannel,
	type APIGuildChannel,
	type APIOverwrite,
	type REST,
} from "discord.js";
import { LRUCache } from "lru-cache";
import type { Clock } from "@atelier/common/clock";
import type { MemberWithRoles } from "../services/access/member.ts";
import { createReadCache } from "../services/read-cache.ts";
import type { ChannelVisibility } from "../services/gallery/channel-visibility.ts";
import type { GuildReader } from "./guild-reader.ts";
import { readIfVisible } from "./read-if-visible.ts";

const CACHE_MS = 60_000;
/** The parent of a thread never changes. The bound is for threads that are deleted. */
const PARENT_CACHE_MS = 24 * 60 * 60 * 1000;
const CACHED_THREADS_MAX = 5_000;
const READ_BITS = PermissionFlagsBits.ViewChannel | PermissionFlagsBits.ReadMessageHistory;

interface Guild {
	/** The permissions of each role by its id; that of @everyone is the server's id. */
	readonly roles: ReadonlyMap<string, bigint>;
	readonly channels: ReadonlyMap<string, Channel>;
}

interface Channel {
	readonly isAgeRestricted: boolean;
	readonly overwrites: readonly APIOverwrite[];
}

interface ChannelVisibilityDeps {
	readonly rest: REST;
	readonly readGuild: GuildReader;
	readonly clock: Clock;
}

export function createDiscordChannelVisibility({ rest, readGuild, clock }: ChannelVisibilityDeps): ChannelVisibility {
	const threadCache = createReadCache<string | undefined>({ clock, ttlMs: CACHE_MS, entriesMax: CACHED_THREADS_MAX });
	const parentIds = new LRUCache<string, string>({
		max: CACHED_THREADS_MAX,
		ttl: PARENT_CACHE_MS,
		ttlResolution: 0,
		perf: { now: () => clock.nowMs() },
	});

	/** Returns the id of the channel of a public thread. `undefined` for private threads and unknown channels. */
	async function parentIdOf(threadId: string): Promise<string | undefined> {
		const parentId = parentIds.get(threadId) ?? (await threadCache(threadId, () => readParentId(threadId)));
		if (parentId !== undefined && !parentIds.has(threadId)) parentIds.set(threadId, parentId);
		return parentId;
	}

	async function readParentId(threadId: string): Promise<string | undefined> {
		const thread = await readIfVisible<APIChannel>(rest, Routes.channel(threadId));
		const isPublic = thread?.type === ChannelType.PublicThread || thread?.type === ChannelType.AnnouncementThread;
		return isPublic ? (thread.parent_id ?? undefined) : undefined;
	}

	async function guildOf(guildId: string): Promise<Guild> {
		const { guild, channels = [] } = (await readGuild(guildId)) ?? {};
		return {
			roles: new Map(guild?.roles.map(({ id, permissions }) => [id, BigInt(permissions)])),
			channels: new Map(channels.map((each) => [each.id, channelOf(each)])),
		};
	}

	/** Finds a channel, or the parent channel of a public thread. `undefined` for private threads. */
	async function channelIn({ channels }: Guild, channelId: string): Promise<Channel | undefined> {
		const channel = channels.get(channelId);
		if (channel) return channel;
		const parentId = await parentIdOf(channelId);
		return parentId === undefined ? undefined : channels.get(parentId);
	}

	return {
		async canRead(viewer, channelId) {
			if (channelId === viewer.channelId) return true;
			const guild = await guildOf(viewer.guildId);
			const channel = await channelIn(guild, channelId);
			if (!channel || (!viewer.isAdministrator && !isReadable(guild, channel, viewer))) return false;
			if (!channel.isAgeRestricted) return true;
			// Age-restricted results are shown only where the viewer is in an age-restricted channel.
			return viewer.channelId !== null && ((await channelIn(guild, viewer.channelId))?.isAgeRestricted ?? false);
		},
		async mayRepost(guildId, fromChannelId, toChannelId) {
			const guild = await guildOf(guildId);
			const [from, to] = await Promise.all([channelIn(guild, fromChannelId), channelIn(guild, toChannelId)]);
			if (!from || !to || (from.isAgeRestricted && !to.isAgeRestricted)) return false;
			return canAllReadersRead(guild, guildId, from, to);
		},
	};
}

function channelOf(channel: APIGuildChannel): Channel {
	return {
		isAgeRestricted: "nsfw" in channel && (channel.nsfw ?? false),
		overwrites: ("permission_overwrites" in channel ? channel.permission_overwrites : undefined) ?? [],
	};
}

/**
 * Returns whether all readers of `to` can read `from`: every role, and every member with an overwrite of their own, whose role may be
 * any. Most roles have the same permissions in both channels, so few combinations are left.
 */
function canAllReadersRead(guild: Guild, guildId: string, from: Channel, to: Channel): boolean {
	const ordinaryRoleIds = [...guild.roles.keys()].filter((roleId) => !isAdministrator(guild, guildId, [roleId]));
	const permissionsByRole = ordinaryRoleIds.map((roleId) => ({
		from: permissionsOfRoles(guild, from, guildId, [roleId]),
		to: permissionsOfRoles(guild, to, guildId, [roleId]),
	}));
	const combinations = new Map(permissionsByRole.map((each) => [`${each.from} ${each.to}`, each])).values().toArray();
	const fromMembers = memberOverwritesOf(from);
	const toMembers = memberOverwritesOf(to);
	const isSafe = (fromLayer: readonly APIOverwrite[] = [], toLayer: readonly APIOverwrite[] = []): boolean =>
		combinations.every(
			(each) => !mayRead(withOverwrites(each.to, toLayer)) || mayRead(withOverwrites(each.from, fromLayer)),
		);
	const memberIds = new Set([...fromMembers.keys(), ...toMembers.keys()]);
	return isSafe() && [...memberIds].every((userId) => isSafe(fromMembers.get(userId), toMembers.get(userId)));
}

function memberOverwritesOf({ overwrites }: Channel): ReadonlyMap<string, readonly APIOverwrite[]> {
	return Map.groupBy(
		overwrites.filter(({ type }) => type === OverwriteType.Member),
		({ id }) => id,
	);
}

function isReadable(guild: Guild, channel: Channel, { guildId, roleIds, userId }: MemberWithRoles): boolean {
	if (isAdministrator(guild, guildId, roleIds)) return true;
	const ofMember = memberOverwritesOf(channel).get(userId) ?? [];
	return mayRead(withOverwrites(permissionsOfRoles(guild, channel, guildId, roleIds), ofMember));
}

function isAdministrator(guild: Guild, guildId: string, roleIds: readonly string[]): boolean {
	return (guildPermissionsOf(guild, guildId, roleIds) & PermissionFlagsBits.Administrator) !== 0n;
}

function guildPermissionsOf({ roles }: Guild, guildId: string, roleIds: readonly string[]): bigint {
	return union([guildId, ...roleIds].map((id) => roles.get(id) ?? 0n));
}

/** Returns the permissions to read a channel. Applies the overwrites of @everyone, then of the roles together. */
function permissionsOfRoles(guild: Guild, channel: Channel, guildId: string, roleIds: readonly string[]): bigint {
	const { overwrites } = channel;
	const ofEveryone = overwrites.filter(({ id }) => id === guildId);
	const ofRoles = overwrites.filter(
		({ id, type }) => type === OverwriteType.Role && id !== guildId && roleIds.includes(id),
	);
	const guildPermissions = guildPermissionsOf(guild, guildId, roleIds);
	return withOverwrites(withOverwrites(guildPermissions, ofEveryone), ofRoles) & READ_BITS;
}

function withOverwrites(permissions: bigint, layer: readonly APIOverwrite[]): bigint {
	const denied = union(layer.map(({ deny }) => BigInt(deny)));
	return (permissions & ~denied) | union(layer.map(({ allow }) => BigInt(allow)));
}

function mayRead(permissions: bigint): boolean {
	return (permissions & READ_BITS) === READ_BITS;
}

function union(permissions: readonly bigint[]): bigint {
	return permissions.reduce((all, bits) => all | bits, 0n);
}
