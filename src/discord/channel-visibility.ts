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
import type { Clock } from "@atelier/common/clock";
import { createReadCache } from "../services/read-cache.ts";
import type { ChannelVisibility } from "../services/gallery/channel-visibility.ts";
import type { GuildReader } from "./guild-reader.ts";
import { readIfVisible } from "./read-if-visible.ts";

const CACHE_MS = 60_000;
const CACHED_THREADS_MAX = 5_000;
const READ_BITS = PermissionFlagsBits.ViewChannel | PermissionFlagsBits.ReadMessageHistory;

interface Guild {
	/** The permissions of each role by its id; that of @everyone is the guild's id. */
	readonly roles: ReadonlyMap<string, bigint>;
	readonly channels: ReadonlyMap<string, Channel>;
}

interface Channel {
	readonly isAgeRestricted: boolean;
	readonly overwrites: readonly APIOverwrite[];
}

/** A member, or any member with some roles. */
interface Reader {
	readonly roleIds: readonly string[];
	readonly userId?: string;
}

interface ChannelVisibilityDeps {
	readonly rest: REST;
	readonly readGuild: GuildReader;
	readonly clock: Clock;
}

export function createChannelVisibility({ rest, readGuild, clock }: ChannelVisibilityDeps): ChannelVisibility {
	const parentCache = createReadCache<string | undefined>({ clock, ttlMs: CACHE_MS, entriesMax: CACHED_THREADS_MAX });

	/** Reads the id of the channel of a public thread. `undefined` for private threads and unknown channels. */
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
		const parentId = await parentCache(channelId, () => readParentId(channelId));
		return parentId === undefined ? undefined : channels.get(parentId);
	}

	return {
		async canRead(viewer, channelId) {
			if (channelId === viewer.channelId) return true;
			const guild = await guildOf(viewer.guildId);
			const channel = await channelIn(guild, channelId);
			if (!channel || (!viewer.isAdministrator && !isReadable(guild, channel, viewer.guildId, viewer))) return false;
			if (!channel.isAgeRestricted) return true;
			// Age-restricted results are shown only where the viewer is in an age-restricted channel.
			return viewer.channelId !== null && ((await channelIn(guild, viewer.channelId))?.isAgeRestricted ?? false);
		},
		async mayRepost(guildId, fromChannelId, toChannelId) {
			const guild = await guildOf(guildId);
			const [from, to] = await Promise.all([channelIn(guild, fromChannelId), channelIn(guild, toChannelId)]);
			if (!from || !to || (from.isAgeRestricted && !to.isAgeRestricted)) return false;
			// A post may not show a result to a role that could not read it before, nor to a member with an overwrite of their own.
			const readers: Reader[] = [...guild.roles.keys()].flatMap((roleId) => [
				{ roleIds: [roleId] },
				...memberIdsIn(from, to).map((userId) => ({ roleIds: [roleId], userId })),
			]);
			return readers.every(
				(reader) => !isReadable(guild, to, guildId, reader) || isReadable(guild, from, guildId, reader),
			);
		},
	};
}

function channelOf(channel: APIGuildChannel): Channel {
	return {
		isAgeRestricted: "nsfw" in channel && (channel.nsfw ?? false),
		overwrites: ("permission_overwrites" in channel ? channel.permission_overwrites : undefined) ?? [],
	};
}

/** Lists the members with overwrites. Any of the guild's roles may be theirs. */
function memberIdsIn(...channels: readonly Channel[]): readonly string[] {
	const overwrites = channels.flatMap((channel) => channel.overwrites);
	return overwrites.filter(({ type }) => type === OverwriteType.Member).map(({ id }) => id);
}

/** Applies the overwrites of @everyone, then of the roles together, then of the member. */
function isReadable({ roles }: Guild, { overwrites }: Channel, guildId: string, { roleIds, userId }: Reader): boolean {
	const heldRoleIds = [guildId, ...roleIds];
	const guildPermissions = union(heldRoleIds.map((id) => roles.get(id) ?? 0n));
	if ((guildPermissions & PermissionFlagsBits.Administrator) !== 0n) return true;
	const layers = [
		overwrites.filter(({ id }) => id === guildId),
		overwrites.filter(({ id, type }) => type === OverwriteType.Role && id !== guildId && roleIds.includes(id)),
		overwrites.filter(({ id, type }) => type === OverwriteType.Member && id === userId),
	];
	const channelPermissions = layers.reduce((before, layer) => {
		const denied = union(layer.map(({ deny }) => BigInt(deny)));
		return (before & ~denied) | union(layer.map(({ allow }) => BigInt(allow)));
	}, guildPermissions);
	return (channelPermissions & READ_BITS) === READ_BITS;
}

function union(permissions: readonly bigint[]): bigint {
	return permissions.reduce((all, bits) => all | bits, 0n);
}
